"""OpenRouter: decisions and chat. The cost that it returns is the receipt.

Every request forbids fallbacks to another provider and asks for routes that keep nothing.
"""

from __future__ import annotations

from typing import Any

import httpx

from ingest.engines import schema
from ingest.engines.chat import chat_body, post_json, read_chat, read_usage
from ingest.engines.jev import PROMPTS as DECISION_PROMPTS
from ingest.engines.pages import size, state_of
from ingest.engines.pricing import Prices
from ingest.engines.protocol import (
    CallFailed,
    OverLimit,
    Reply,
    Request,
    Task,
    Trace,
    attempt,
    number_or_none,
)
from ingest.errors import Refused

ROUTING = {"allow_fallbacks": False, "data_collection": "deny", "zdr": True}
RESERVED_TOKENS = 64_000
MAX_PAYLOAD_BYTES = 500_000


class OpenRouter:
    """One model behind OpenRouter.

    Args:
        settings: ``mode`` (decisions or chat), ``price_model`` (list price that reservations are taken at).
        request_s: deadline of one request.
    """

    provider = "openrouter"
    prompts = DECISION_PROMPTS | schema.PROMPTS

    def __init__(
        self,
        model: str,
        base_url: str,
        key: str,
        settings: dict[str, Any],
        max_retries: int,
        request_s: float,
    ):
        self.model = model
        self.price_model = settings.get("price_model", model)
        self._base_url, self._key = base_url, key
        self._max_retries, self._request_s = max_retries, request_s
        self._mode = settings.get("mode", "chat")
        if self._mode not in ("decisions", "chat"):
            raise Refused(f"unknown mode {self._mode}", field="mode", mend="decisions or chat")

    def preflight(self, task: Task) -> int:
        if self._mode == "decisions":
            if task.kind == "split" or task.image is not None:
                raise Refused(
                    "decisions take one text question", field="mode", mend="use mode: chat, or engine: jev"
                )
            if size(self._decision(task)) > 95_000:
                raise OverLimit
        elif schema.prompt_bytes(task) > MAX_PAYLOAD_BYTES:
            raise OverLimit
        return 1

    def reservation_usd(self, task: Task, prices: Prices) -> float:
        self.preflight(task)
        price = prices.need(self.price_model)
        if self._mode == "decisions":
            return RESERVED_TOKENS * price["input"] / 1e6 * 2 * (1 + self._max_retries)
        per_input = max(price["input"], price.get("cache_write", 0.0))
        usd = schema.input_bound(task) * per_input + schema.output_tokens(task) * price["output"]
        return usd / 1e6 * (1 + self._max_retries)

    def _decision(self, task: Task) -> dict[str, Any]:
        classify = task.kind == "classify"
        text = DECISION_PROMPTS["classify" if classify else "choice_without_state"]
        return {
            "model": self.model,
            "state": state_of(task.pages) if classify else task.question,
            "questions": {"answer": {"type": "choice", "instructions": text, "criteria": task.criteria}},
            "provider": ROUTING,
        }

    async def open(self) -> None:
        self._client = httpx.AsyncClient(
            base_url=self._base_url,
            headers={"authorization": f"Bearer {self._key}"},
            timeout=self._request_s,
        )

    async def close(self) -> None:
        await self._client.aclose()

    async def decide(self, task: Task, trace: Trace) -> Reply:
        async def send(record: Request) -> Reply:
            if self._mode == "decisions":
                value = await post_json(self._client, "api/alpha/decisions", self._decision(task), record)
                return _read_decision(task, value, record)
            body = chat_body(task, self.model) | {"provider": ROUTING, "usage": {"include": True}}
            value = await post_json(self._client, "api/v1/chat/completions", body, record)
            return read_chat(task, value, record)

        return await attempt(trace, self.provider, self.model, self._max_retries, self._request_s, send)


def _read_decision(task: Task, value: dict[str, Any], record: Request) -> Reply:
    read_usage(record, value.get("usage"))
    try:
        (answer,) = value["answers"].values()
        shares = {option: number_or_none(share) for option, share in answer["probabilities"].items()}
        choice = answer["choice"]
        if not isinstance(choice, str):
            raise TypeError
    except (KeyError, ValueError, TypeError, AttributeError):
        raise CallFailed("MismatchedAnswers", "answer_keys", request_status="invalid") from None
    return Reply(
        choice,
        shares,
        number_or_none(answer.get("confidence")),
        sent_options=tuple(task.labels),
        model_revision=record.model,
    )
