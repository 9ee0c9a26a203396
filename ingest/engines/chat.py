"""JSON over HTTP with httpx, and the chat completions that OpenRouter and loopback servers speak."""

from __future__ import annotations

import json
from typing import Any

import httpx

from ingest.engines import schema
from ingest.engines.protocol import CallFailed, Reply, Request, Task, amount, count, retry_after_s

CONTEXT_CODES = ("context_length_exceeded",)


async def post_json(
    client: httpx.AsyncClient, path: str, body: dict[str, Any], record: Request
) -> dict[str, Any]:
    """POST and decode; a failure is reduced to class, code and request id."""
    try:
        response = await client.post(path, json=body)
    except httpx.TimeoutException:
        raise CallFailed("RequestTimeout", "timeout") from None
    except httpx.TransportError as error:
        raise CallFailed(type(error).__name__, "connection") from None
    record.request_id = response.headers.get("x-request-id")
    try:
        value = json.loads(response.content)
        if not isinstance(value, dict):
            raise ValueError
    except ValueError:
        value = None
    if value is not None and record.request_id is None and isinstance(value.get("id"), str):
        record.request_id = value["id"]
    if response.status_code >= 400:
        detail = (value or {}).get("error")
        named = detail.get("type") or detail.get("code") if isinstance(detail, dict) else None
        over_limit = named in CONTEXT_CODES
        raise CallFailed(
            "OverLimit" if over_limit else named if isinstance(named, str) else "ProviderError",
            str(response.status_code),
            retry_after_s=retry_after_s(response.headers),
            over_limit=over_limit,
        )
    if response.status_code >= 300 or value is None:
        raise CallFailed("InvalidResponse", "invalid_response", request_status="invalid")
    if isinstance(value.get("model"), str):
        record.model = value["model"]
    return value


def chat_body(task: Task, model: str) -> dict[str, Any]:
    content: Any = schema.user_text(task)
    if task.image is not None:
        content = [
            {"type": "text", "text": content},
            {"type": "image_url", "image_url": {"url": schema.image_url(task)}},
        ]
    return {
        "model": model,
        "messages": [
            {"role": "system", "content": schema.PROMPTS[task.kind]},
            {"role": "user", "content": content},
        ],
        "max_tokens": schema.output_tokens(task),
        "response_format": {
            "type": "json_schema",
            "json_schema": {"name": task.kind, "strict": True, "schema": schema.answer_schema(task)},
        },
    }


def read_chat(task: Task, value: dict[str, Any], record: Request) -> Reply:
    """Read a chat completion: usage first, so that a billed answer that cannot be read keeps its receipt."""
    read_usage(record, value.get("usage"))
    try:
        choice = value["choices"][0]
        message, finish = choice["message"], choice.get("finish_reason")
        text, refusal = message.get("content"), message.get("refusal")
        if not isinstance(text, str | None):
            raise TypeError
    except (KeyError, IndexError, TypeError, AttributeError):
        raise CallFailed("InvalidResponse", "invalid_response", request_status="invalid") from None
    if refusal or finish == "content_filter":
        return Reply(refused=True, sent_options=tuple(task.labels), model_revision=record.model)
    if finish == "length":
        raise CallFailed("IncompleteResponse", "max_tokens", request_status="incomplete", truncated=True)
    return schema.read_answer(task, text, record.model)


def read_usage(record: Request, usage: Any) -> None:
    if not isinstance(usage, dict):
        return
    record.input_tokens = count(usage.get("prompt_tokens", usage.get("input_tokens")))
    record.output_tokens = count(usage.get("completion_tokens", usage.get("output_tokens")))
    record.billed_cost_usd = amount(usage.get("cost"))
    inside = usage.get("prompt_tokens_details")
    if isinstance(inside, dict):
        record.cached_input_tokens = count(inside.get("cached_tokens"))
        record.cache_write_tokens = count(inside.get("cache_write_tokens"))
    written = usage.get("completion_tokens_details")
    if isinstance(written, dict):
        record.reasoning_tokens = count(written.get("reasoning_tokens"))
