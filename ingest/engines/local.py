"""Systems on this machine: in-process ones of the project, and OpenAI-compatible servers on loopback."""

from __future__ import annotations

import asyncio
import ipaddress
from math import isfinite
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import httpx

from ingest.engines import schema
from ingest.engines.chat import chat_body, post_json, read_chat
from ingest.engines.pricing import Prices
from ingest.engines.protocol import CallFailed, OverLimit, Reply, Request, Task, Trace, attempt
from ingest.errors import Refused

if TYPE_CHECKING:
    from ingest.specimen.systems import System

MAX_PAYLOAD_BYTES = 500_000


class InProcess:
    """A system of the project, asked in a thread: its call blocks.

    A call that outlives its deadline is recorded as a timeout; its thread cannot be
    stopped and ends by itself.
    """

    provider = "local"
    prompts: dict[str, str] = {}  # noqa: RUF012

    def __init__(self, system: System):
        self.model = f"specimen-{system.key}"
        self._system = system

    def preflight(self, task: Task) -> int:
        if task.kind != "choice" or task.image is None:
            raise OverLimit
        return 0

    def reservation_usd(self, task: Task, prices: Prices) -> float:
        self.preflight(task)
        return 0.0

    async def open(self) -> None:
        return

    async def close(self) -> None:
        return

    async def decide(self, task: Task, trace: Trace) -> Reply:
        # Imported here: a run of hosted systems need not load scikit-learn.
        from ingest.specimen.systems import Asked, ProviderError

        # The id is no part of a task; the hash of the picture stands in for it.
        asked = Asked(task.input_sha256, task.question, tuple(task.labels), task.image)
        try:
            decision = await asyncio.to_thread(self._system.decide, asked)
        except ProviderError as error:
            _record(trace, self.model, error.receipts)
            raise CallFailed("ProviderError", error.code) from None
        except asyncio.CancelledError:
            raise
        except Exception as error:  # whatever a system raises is its answer to this item
            raise CallFailed(type(error).__name__) from None
        _record(trace, self.model, decision.receipts)
        shares = decision.probabilities
        return Reply(
            decision.answer,
            None if shares is None else {o: p if isfinite(p) else None for o, p in shares.items()},
            refused=decision.refused,
            truncated=decision.truncated,
            sent_options=tuple(task.labels),
            model_revision=None,
        )


def _record(trace: Trace, model: str, receipts: Any) -> None:
    """Receipts that a system simulates are requests like any other."""
    for receipt in receipts:
        trace.requests.append(
            Request(
                "simulated",
                model,
                receipt.attempt,
                receipt.status,
                receipt.request_id,
                receipt.error_code,
                input_tokens=receipt.input_tokens,
                output_tokens=receipt.output_tokens,
                billed_cost_usd=receipt.billed_cost_usd,
            )
        )


class LoopbackServer:
    """A model behind an OpenAI-compatible server on this machine.

    Raises:
        Refused: the address is not on loopback.
    """

    provider = "local"
    prompts = schema.PROMPTS

    def __init__(
        self, model: str, base_url: str, settings: dict[str, Any], max_retries: int, request_s: float
    ):
        host = urlsplit(base_url).hostname or ""
        if host != "localhost" and not _is_loopback(host):
            raise Refused(
                f"{host} is not on this machine", field="base_url", mend="a hosted model has its own engine"
            )
        self.model = model
        self._base_url = base_url
        self._max_retries, self._request_s = max_retries, request_s

    def preflight(self, task: Task) -> int:
        if schema.prompt_bytes(task) > MAX_PAYLOAD_BYTES:
            raise OverLimit
        return 1

    def reservation_usd(self, task: Task, prices: Prices) -> float:
        self.preflight(task)
        return 0.0

    async def open(self) -> None:
        self._client = httpx.AsyncClient(base_url=self._base_url, timeout=self._request_s, trust_env=False)

    async def close(self) -> None:
        await self._client.aclose()

    async def decide(self, task: Task, trace: Trace) -> Reply:
        async def send(record: Request) -> Reply:
            value = await post_json(self._client, "v1/chat/completions", chat_body(task, self.model), record)
            return read_chat(task, value, record)

        return await attempt(trace, self.provider, self.model, self._max_retries, self._request_s, send)


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
