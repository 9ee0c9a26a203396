"""OpenAI's Responses API through its SDK: a strict JSON schema, the whole packet in one call."""

from __future__ import annotations

import json
from typing import Any

import httpx2
from openai import (
    APIConnectionError,
    APIStatusError,
    APITimeoutError,
    AsyncOpenAI,
    OpenAIError,
)

from ingest.engines import schema
from ingest.engines.pricing import Prices
from ingest.engines.protocol import (
    CallFailed,
    OverLimit,
    Reply,
    Request,
    Task,
    Trace,
    attempt,
    count,
    retry_after_s,
)

MAX_PAYLOAD_BYTES = 500_000
CONTEXT_CODES = ("context_length_exceeded", "string_above_max_length")


class OpenAI:
    """One model behind the Responses API.

    Args:
        settings: ``reasoning_effort`` (default ``none`` for the gpt-5 and gpt-6 families, else not sent).
        request_s: deadline of one request.
    """

    provider = "openai"
    prompts = schema.PROMPTS

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
        default = "none" if model.startswith(("gpt-5", "gpt-6")) else None
        self._effort = settings.get("reasoning_effort", default)

    def preflight(self, task: Task) -> int:
        if schema.prompt_bytes(task) > MAX_PAYLOAD_BYTES:
            raise OverLimit
        return 1

    def reservation_usd(self, task: Task, prices: Prices) -> float:
        """Bytes of the text bound its tokens; the dearer of input and cache write, and all allowed output."""
        self.preflight(task)
        price = prices.need(self.price_model)
        per_input = max(price["input"], price.get("cache_write", 0.0))
        usd = schema.input_bound(task) * per_input + schema.output_tokens(task) * price["output"]
        return usd / 1e6 * (1 + self._max_retries)

    async def open(self) -> None:
        self._client = AsyncOpenAI(
            api_key=self._key,
            base_url=self._base_url,
            max_retries=0,
            timeout=httpx2.Timeout(self._request_s),
        )

    async def close(self) -> None:
        await self._client.close()

    async def decide(self, task: Task, trace: Trace) -> Reply:
        content: Any = schema.user_text(task)
        if task.image is not None:
            parts = [
                {"type": "input_text", "text": content},
                {"type": "input_image", "image_url": schema.image_url(task)},
            ]
            content = [{"role": "user", "content": parts}]
        options: dict[str, Any] = {"reasoning": {"effort": self._effort}} if self._effort else {}

        async def send(record: Request) -> Reply:
            try:
                raw = await self._client.responses.with_raw_response.create(
                    model=self.model,
                    instructions=schema.PROMPTS[task.kind],
                    input=content,
                    store=False,
                    max_output_tokens=schema.output_tokens(task),
                    text={
                        "format": {
                            "type": "json_schema",
                            "name": task.kind,
                            "strict": True,
                            "schema": schema.answer_schema(task),
                        }
                    },
                    **options,
                )
            except APIStatusError as error:
                record.request_id = error.request_id
                over_limit = error.code in CONTEXT_CODES
                raise CallFailed(
                    "OverLimit" if over_limit else error.type or error.code or type(error).__name__,
                    str(error.status_code),
                    retry_after_s=retry_after_s(error.response.headers),
                    over_limit=over_limit,
                ) from None
            except APITimeoutError:
                raise CallFailed("RequestTimeout", "timeout") from None
            except APIConnectionError:
                raise CallFailed("ConnectionError", "connection") from None
            except OpenAIError as error:
                raise CallFailed(type(error).__name__, "client_error") from None
            record.request_id = raw.headers.get("x-request-id")
            return _read(task, raw.http_response.content, record)

        return await attempt(trace, self.provider, self.model, self._max_retries, self._request_s, send)


def _read(task: Task, body: bytes, record: Request) -> Reply:
    """Read a 200: usage first, so that a billed answer that cannot be read keeps its receipt."""
    try:
        value = json.loads(body)
        if not isinstance(value, dict):
            raise ValueError
    except ValueError:
        raise CallFailed("InvalidResponse", "invalid_response", request_status="invalid") from None
    if isinstance(value.get("model"), str):
        record.model = value["model"]
    read_usage(record, value.get("usage"))
    if not isinstance(value.get("status"), str):
        raise CallFailed("InvalidResponse", "invalid_response", request_status="invalid")
    if value["status"] != "completed":
        reason = (value.get("incomplete_details") or {}).get("reason")
        raise CallFailed(
            "IncompleteResponse",
            reason if isinstance(reason, str) else "incomplete",
            request_status="incomplete",
            truncated=reason == "max_output_tokens",
            refused=reason == "content_filter",
        )
    try:
        parts = [p for o in value["output"] if o.get("type") == "message" for p in o["content"]]
        if any(part.get("type") == "refusal" for part in parts):
            return Reply(refused=True, sent_options=tuple(task.labels), model_revision=record.model)
        text = "".join(part["text"] for part in parts if part.get("type") == "output_text")
    except (KeyError, TypeError, AttributeError):
        raise CallFailed("InvalidResponse", "invalid_response", request_status="invalid") from None
    return schema.read_answer(task, text, record.model)


def read_usage(record: Request, usage: Any) -> None:
    """Fill the token counts; what the receipt does not hold stays unknown."""
    if not isinstance(usage, dict):
        return
    record.input_tokens = count(usage.get("input_tokens"))
    record.output_tokens = count(usage.get("output_tokens"))
    inside = usage.get("input_tokens_details")
    if isinstance(inside, dict):
        record.cached_input_tokens = count(inside.get("cached_tokens"))
        record.cache_write_tokens = count(inside.get("cache_write_tokens"))
    written = usage.get("output_tokens_details")
    if isinstance(written, dict):
        record.reasoning_tokens = count(written.get("reasoning_tokens"))
