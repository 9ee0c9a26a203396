"""Prompt and strict answer schema for engines that return JSON, and the reading of what they return."""

from __future__ import annotations

import base64
import json
from typing import Any

from ingest.engines.pages import BLANK_CATEGORY, size, state_of
from ingest.engines.protocol import CallFailed, Reply, Segment, Task, compact

PROMPTS = {
    "choice": "Answer the question with exactly one of the options.",
    "classify": "Assign the document to exactly one of the categories, by their descriptions.",
    "split": "The pages are several documents back to back. Return every document in order: its category and "
    "its first and last page. The ranges must cover all pages once. Neighbours may have the same category.",
}


def output_tokens(task: Task) -> int:
    """Upper limit of output tokens that a call is allowed."""
    return max(128, 45 * len(task.pages) + 100)


def answer_schema(task: Task) -> dict[str, Any]:
    """The strict JSON schema of an answer."""
    label = {"type": "string", "enum": task.labels}
    if task.kind == "split":
        segment = _object({"category": label, "start": {"type": "integer"}, "end": {"type": "integer"}})
        return _object({"segments": {"type": "array", "items": segment}})
    return _object({"category" if task.kind == "classify" else "answer": label})


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def user_text(task: Task) -> str:
    """What the model reads: pages and categories, or question and options in frozen order."""
    if task.kind == "choice":
        described = [
            {"option": o.label, "description": o.description} if o.description else {"option": o.label}
            for o in task.options
        ]
        value = {"question": task.question, "options": described}
    else:
        value = {"document": state_of(task.pages), "categories": task.criteria}
    # Not sorted: the order of the options is part of the item.
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def image_url(task: Task) -> str:
    kind = "jpeg" if task.image.startswith(b"\xff\xd8\xff") else "png"
    return f"data:image/{kind};base64,{base64.b64encode(task.image).decode()}"


def input_bound(task: Task) -> int:
    """More input tokens than the call can use: bytes of text, twice the rules, and an allowance."""
    rules = size(task.criteria) + size(answer_schema(task))
    text = sum(len(page.text.encode()) for page in task.pages) + len((task.question or "").encode())
    return text + 2 * rules + 12_000 + 160 * len(task.pages)


def read_answer(task: Task, text: str | None, model: str | None) -> Reply:
    """Read the JSON answer as returned; ranges that do not cover the packet are kept as they are.

    Raises:
        CallFailed: empty, not JSON, or not of the schema's shape.
    """
    if not (text or "").strip():
        return Reply(sent_options=tuple(task.labels), model_revision=model)
    try:
        value = json.loads(text)
        if task.kind != "split":
            answer = value["category" if task.kind == "classify" else "answer"]
            if not isinstance(answer, str):
                raise TypeError
            review = answer == BLANK_CATEGORY if task.kind == "classify" else None
            return Reply(answer, needs_review=review, sent_options=tuple(task.labels), model_revision=model)
        segments = tuple(_segment(entry, len(task.pages)) for entry in value["segments"])
    except (ValueError, TypeError, KeyError):
        raise CallFailed("MalformedAnswer", "malformed_json", request_status="invalid") from None
    return Reply(
        segments=segments,
        needs_review=any(segment.needs_review for segment in segments),
        sent_options=tuple(task.labels),
        model_revision=model,
    )


def _segment(entry: dict[str, Any], page_count: int) -> Segment:
    category, start, end = entry["category"], entry["start"], entry["end"]
    if not all(isinstance(page, int) and not isinstance(page, bool) for page in (start, end)):
        raise TypeError
    # A range beyond the packet is kept as wrong as it is, but not at any length.
    pages = tuple(range(start, min(end, start + 2 * page_count) + 1))
    return Segment(category if isinstance(category, str) else None, pages, category == BLANK_CATEGORY)


def prompt_bytes(task: Task) -> int:
    return len(user_text(task).encode()) + size(answer_schema(task)) + len(compact(PROMPTS[task.kind]))
