"""What an engine is given, what it returns, and how each of its requests is recorded.

A ``Task`` holds what a system may see and nothing else: no gold, no item id, no file name, no assembly map.
An engine is a class with the attributes and methods of ``Engine``.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import re
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any, Protocol

from ingest.engines.pricing import Prices

MAX_RETRY_WAIT_S = 10.0
RETRYABLE_CODES = {"408", "429", "500", "502", "503", "504", "529", "connection", "timeout"}
WORD = re.compile(r"[A-Za-z0-9_.:-]{1,80}")


@dataclass(frozen=True)
class Option:
    """A possible answer."""

    label: str
    description: str | None = None


@dataclass(frozen=True)
class Page:
    """A normalised page, numbered from 1."""

    number: int
    text: str
    blank: bool


@dataclass(frozen=True)
class Task:
    """One decision to make: a choice (text or image), a document to classify, a packet to split."""

    kind: str  # choice, classify or split
    question: str | None
    options: tuple[Option, ...]  # in frozen order
    image: bytes | None = None
    pages: tuple[Page, ...] = ()

    @property
    def labels(self) -> list[str]:
        return [option.label for option in self.options]

    @property
    def criteria(self) -> dict[str, str | None]:
        return {option.label: option.description for option in self.options}

    @property
    def input_sha256(self) -> str:
        """SHA-256 (hex) of the pages, else of the image, else of the question."""
        if self.pages:
            return pages_sha256(self.pages)
        return hashlib.sha256(self.image or (self.question or "").encode()).hexdigest()


def pages_sha256(pages: tuple[Page, ...]) -> str:
    """SHA-256 (hex) of the pages as compact JSON."""
    return hashlib.sha256(compact([[p.number, p.text, p.blank] for p in pages]).encode()).hexdigest()


def compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


@dataclass
class Request:
    """One HTTP request to a provider; unknown is None. Born as a failure, so that a cut leaves one."""

    provider: str
    model: str
    attempt: int = 1
    status: str = "error"  # ok, error, incomplete or invalid
    request_id: str | None = None
    error_code: str | None = None
    elapsed_ms: float | None = None
    input_tokens: int | None = None
    cached_input_tokens: int | None = None
    cache_write_tokens: int | None = None
    output_tokens: int | None = None
    reasoning_tokens: int | None = None
    billed_cost_usd: float | None = None


@dataclass
class Trace:
    """The requests of one call, recorded as they begin, so that a cancelled call keeps what it knows."""

    requests: list[Request] = field(default_factory=list)

    @contextmanager
    def request(self, provider: str, model: str, attempt: int = 1) -> Iterator[Request]:
        record = Request(provider, model, attempt)
        self.requests.append(record)
        start = perf_counter()
        try:
            yield record
        except asyncio.CancelledError:
            record.error_code = "deadline"
            raise
        finally:
            record.elapsed_ms = (perf_counter() - start) * 1000


@dataclass(frozen=True)
class Segment:
    """Pages of a packet that a system holds for one document."""

    category: str | None
    pages: tuple[int, ...]
    needs_review: bool | None = None


@dataclass(frozen=True)
class PageDecision:
    """What a system decided of one page."""

    page: int
    category: str | None
    category_probability: float | None
    starts_document: bool
    starts_document_probability: float | None


@dataclass(frozen=True)
class Reply:
    """What a system answered, as returned: whether it is right, or valid, is decided in the models."""

    answer: str | None = None
    probabilities: dict[str, float | None] | None = None
    confidence: float | None = None
    refused: bool = False
    truncated: bool = False
    needs_review: bool | None = None
    segments: tuple[Segment, ...] = ()
    page_decisions: tuple[PageDecision, ...] = ()
    sent_options: tuple[str, ...] | None = None  # in the order sent
    model_revision: str | None = None


class CallFailed(Exception):
    """A call that ended without an answer. Carries a class and a code, never a provider's text."""

    def __init__(
        self,
        error_type: str,
        code: str | None = None,
        *,
        request_status: str = "error",
        retry_after_s: float | None = None,
        over_limit: bool = False,
        truncated: bool = False,
        refused: bool = False,
    ):
        super().__init__(error_type)
        self.error_type = error_type if WORD.fullmatch(error_type) else "ProviderError"
        self.code = code if code and WORD.fullmatch(code) else None
        self.request_status = request_status
        self.retry_after_s = retry_after_s
        self.over_limit = over_limit
        self.truncated = truncated
        self.refused = refused


class OverLimit(Exception):
    """The input cannot fit the provider's limits; nothing was sent."""


class Engine(Protocol):
    """An adapter for one system of a run; one client is opened and reused for all of its calls."""

    provider: str
    model: str
    prompts: dict[str, str]  # templates, for the prompt hash

    def preflight(self, task: Task) -> int:
        """Return how many requests the task needs; raise OverLimit when it cannot be sent."""

    def reservation_usd(self, task: Task, prices: Prices) -> float:
        """Return a conservative estimate of the charge, USD."""

    async def open(self) -> None: ...

    async def decide(self, task: Task, trace: Trace) -> Reply:
        """Make the call. Raises CallFailed; every request is in ``trace`` whatever happens."""

    async def close(self) -> None: ...


async def attempt(
    trace: Trace,
    provider: str,
    model: str,
    max_retries: int,
    request_s: float,
    send: Callable[[Request], Awaitable[Any]],
) -> Any:
    """Send once, or again as far as retries are allowed; each attempt is a request of its own.

    Args:
        max_retries: further attempts after a retryable failure; 0 in benchmarks.
        request_s: deadline of one attempt, whole: a slow drip of bytes does not extend it.
        send: makes the request, fills the record, returns the decoded answer or raises CallFailed.
    """
    number = 1
    while True:
        with trace.request(provider, model, number) as record:
            try:
                async with asyncio.timeout(request_s):
                    result = await send(record)
                record.status = "ok"
                return result
            except TimeoutError:
                failure = CallFailed("RequestTimeout", "timeout")
            except CallFailed as error:
                failure = error
            record.status, record.error_code = failure.request_status, failure.code
        wait_s = max(0.5 * number, failure.retry_after_s or 0.0)
        retryable = failure.code in RETRYABLE_CODES and failure.request_status == "error"
        if number > max_retries or not retryable or wait_s > MAX_RETRY_WAIT_S:
            raise failure
        await asyncio.sleep(wait_s)
        number += 1


def count(value: Any) -> int | None:
    """A token count as a provider returned it; None when it is not a whole, non-negative number."""
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def amount(value: Any) -> float | None:
    """A finite, non-negative number as a provider returned it, else None."""
    good = isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < float("inf")
    return float(value) if good else None


def number_or_none(value: Any) -> float | None:
    """A probability as returned, out of range or not; None when it is not a finite number."""
    good = isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < float("inf")
    return float(value) if good else None


def retry_after_s(headers: Any) -> float | None:
    """Seconds of a ``retry-after`` header, if it holds a number."""
    try:
        return max(0.0, float(headers.get("retry-after", "")))
    except ValueError:
        return None
