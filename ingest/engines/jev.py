"""TypeSafe System One through its SDK: choice, score and noul questions, images as assets.

The SDK's own retries are off: an attempt that it made unseen would be a request without a record.
"""

from __future__ import annotations

import math
from typing import Any

import httpx2
from typesafe_sdk import (
    AsyncTypeSafeClient,
    Choice,
    Image,
    Noul,
    RetryPolicy,
    Score,
    SystemOneResponse,
    TypeSafeAPIConnectionError,
    TypeSafeAPIError,
    TypeSafeAPIResponseValidationError,
    TypeSafeAPITimeoutError,
    TypeSafeError,
    Usage,
)

from ingest.engines.pages import (
    BLANK_CATEGORY,
    Window,
    halves,
    needs_review,
    segments_of,
    size,
    state_of,
    window_of,
)
from ingest.engines.pricing import Prices
from ingest.engines.protocol import (
    CallFailed,
    OverLimit,
    PageDecision,
    Reply,
    Request,
    Task,
    Trace,
    attempt,
    count,
    number_or_none,
    retry_after_s,
)
from ingest.errors import Refused

# Limits of the service are 32k tokens for state and longest question, 64k for a request; bytes bound tokens.
MAX_STATE_AND_QUESTION_BYTES = 95_000
MAX_REQUEST_BYTES = 190_000
RESERVED_TOKENS = 64_000
CONTEXT_WORDS = ("context", "token", "too long", "too large")

PROMPTS = {
    "choice_without_state": "Choose the option that answers the question.",
    "classify": "Which category does this document belong to?",
    "page": "Which category does page {number} belong to? Read the pages around it as context only.",
    "boundary": "Does a new document begin on page {number}?",
}


class LenientResponse(SystemOneResponse):
    """A reply without usage is an answer of unknown cost, not a failure."""

    usage: Usage | None = None


class Jev:
    """One System One model.

    Args:
        model: requested model.
        base_url: API root.
        key: API key.
        settings: ``primitive`` (choice, score or noul; how choice items are asked), ``window_size`` (target
            pages a window), ``boundary_threshold``, ``min_probability``, ``context_recovery``.
        max_retries: further attempts after a retryable failure.
        request_s: deadline of one request.
    """

    provider = "typesafe"
    prompts = PROMPTS

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
        self._primitive = settings.get("primitive", "choice")
        self._window_size = settings.get("window_size", 8)
        self._threshold = settings.get("boundary_threshold", 0.5)
        self._min_probability = settings.get("min_probability", 0.7)
        self._recovery = settings.get("context_recovery", False)
        if self._primitive not in ("choice", "score", "noul"):
            raise Refused(
                f"unknown primitive {self._primitive}", field="primitive", mend="choice, score, noul"
            )

    # Planning

    def preflight(self, task: Task) -> int:
        if task.kind == "split":
            return len(self._windows(task))
        if task.kind == "choice":
            if self._primitive == "noul" and len(task.options) != 2:
                raise OverLimit
            state, questions = self._choice_request(task)
            if task.image is None:
                _fit(state, questions)
            return 1
        if all(page.blank for page in task.pages):
            return 0
        _fit(*self._classify_request(task))
        return 1

    def reservation_usd(self, task: Task, prices: Prices) -> float:
        """Units of 64,000 tokens at twice the input price: recovery may send a page twice."""
        requests = self.preflight(task)
        if not requests:
            return 0.0
        units = max(1, math.ceil(len(task.pages) / self._window_size), requests)
        price = prices.need(self.price_model)["input"]
        return units * RESERVED_TOKENS * price / 1e6 * 2 * (1 + self._max_retries)

    def _windows(self, task: Task) -> list[Window]:
        pages = task.pages
        asked = [p.number for p in pages if not p.blank]
        if not asked:
            return []
        whole = Window(pages, pages)
        if _fits(*self._split_request(task, whole)):
            return [whole]
        windows = [
            window_of(pages, first, min(first + self._window_size - 1, len(pages)))
            for first in range(1, len(pages) + 1, self._window_size)
        ]
        return [part for window in windows for part in self._fitting(task, window)]

    def _fitting(self, task: Task, window: Window) -> list[Window]:
        if all(page.blank for page in window.targets):
            return []
        if _fits(*self._split_request(task, window)):
            return [window]
        parts = halves(task.pages, window)
        if not parts:
            raise OverLimit
        return [fitting for part in parts for fitting in self._fitting(task, part)]

    # Requests

    def _choice_request(self, task: Task) -> tuple[Any, dict[str, Any]]:
        state: Any = Image(task.image) if task.image is not None else task.question
        text = PROMPTS["choice_without_state"] if task.image is None else task.question
        descriptions = [option.description or option.label for option in task.options]
        if self._primitive == "score":
            return state, {"answer": Score(instructions=text, criteria=descriptions)}
        if self._primitive == "noul":
            yes, no = descriptions
            return state, {"answer": Noul(instructions=text, criteria={"true": yes, "false": no})}
        return state, {"answer": Choice(instructions=text, criteria=task.criteria)}

    def _classify_request(self, task: Task) -> tuple[Any, dict[str, Any]]:
        return state_of(task.pages), {
            "category": Choice(instructions=PROMPTS["classify"], criteria=task.criteria)
        }

    def _split_request(self, task: Task, window: Window) -> tuple[Any, dict[str, Any]]:
        questions: dict[str, Any] = {}
        for page in window.targets:
            if page.blank:
                continue
            questions[f"category_{page.number}"] = Choice(
                instructions=PROMPTS["page"].format(number=page.number), criteria=task.criteria
            )
            if page.number > 1:
                questions[f"boundary_{page.number}"] = Noul(
                    instructions=PROMPTS["boundary"].format(number=page.number)
                )
        return state_of(window.shown), questions

    # Calls

    async def open(self) -> None:
        self._client = AsyncTypeSafeClient(
            api_key=self._key,
            base_url=self._base_url,
            model=self.model,
            retry=RetryPolicy(max_retries=0),
            timeout=httpx2.Timeout(self._request_s),
        )

    async def close(self) -> None:
        await self._client.aclose()

    async def decide(self, task: Task, trace: Trace) -> Reply:
        if task.kind == "split":
            return await self._split(task, trace)
        if task.kind == "classify":
            return await self._classify(task, trace)
        return await self._choose(task, trace)

    async def _choose(self, task: Task, trace: Trace) -> Reply:
        state, questions = self._choice_request(task)
        response = await self._ask(trace, state, questions)
        answer = response.answers["answer"]
        sent = tuple(task.labels)
        if self._primitive == "noul":
            yes, no = task.labels
            shares = {yes: answer.noul, no: 1 - answer.noul}
            best = yes if answer.noul >= 0.5 else no
            return Reply(best, shares, sent_options=sent, model_revision=response.model)
        if self._primitive == "score":
            # A level outside the options keeps its number as a name: the models call it foreign.
            names = dict(enumerate(task.labels))
            shares = {names.get(level, str(level)): share for level, share in answer.probabilities.items()}
            best = max(shares, key=lambda name: shares[name]) if shares else None
            return Reply(best, shares, answer.confidence, sent_options=sent, model_revision=response.model)
        return Reply(
            answer.choice,
            _shares(answer.probabilities),
            number_or_none(answer.confidence),
            sent_options=sent,
            model_revision=response.model,
        )

    async def _classify(self, task: Task, trace: Trace) -> Reply:
        sent = tuple(task.labels)
        if all(page.blank for page in task.pages):
            return Reply(BLANK_CATEGORY, needs_review=True, sent_options=sent)
        response = await self._ask(trace, *self._classify_request(task))
        answer = response.answers["category"]
        probability = answer.probabilities.get(answer.choice)
        return Reply(
            answer.choice,
            _shares(answer.probabilities),
            number_or_none(answer.confidence),
            needs_review=needs_review(answer.choice, probability, self._min_probability),
            sent_options=sent,
            model_revision=response.model,
        )

    async def _split(self, task: Task, trace: Trace) -> Reply:
        decided: dict[int, PageDecision] = {}
        revision = None
        windows = self._windows(task)
        while windows:
            window = windows.pop(0)
            try:
                response = await self._ask(trace, *self._split_request(task, window))
            except CallFailed as failure:
                parts = halves(task.pages, window) if failure.over_limit and self._recovery else []
                if not parts:
                    raise
                # The refused request stays on record; its halves follow as requests of their own.
                windows = [p for p in parts if not all(q.blank for q in p.targets)] + windows
                continue
            revision = response.model
            for page in window.targets:
                if not page.blank:
                    decided[page.number] = self._page(page.number, response)
        decisions = []
        for page in task.pages:
            after_blank = page.number > 1 and task.pages[page.number - 2].blank
            decisions.append(
                decided.get(page.number)
                or PageDecision(page.number, BLANK_CATEGORY, None, not after_blank, None)
            )
        blank = {page.number for page in task.pages if page.blank}
        segments = segments_of(decisions, blank, self._min_probability)
        return Reply(
            segments=segments,
            page_decisions=tuple(decisions),
            needs_review=any(segment.needs_review for segment in segments),
            sent_options=tuple(task.labels),
            model_revision=revision,
        )

    def _page(self, number: int, response: LenientResponse) -> PageDecision:
        answer = response.answers[f"category_{number}"]
        start = 1.0 if number == 1 else response.answers[f"boundary_{number}"].noul
        return PageDecision(
            number,
            answer.choice,
            number_or_none(answer.probabilities.get(answer.choice)),
            start >= self._threshold,
            number_or_none(start),
        )

    async def _ask(self, trace: Trace, state: Any, questions: dict[str, Any]) -> LenientResponse:
        async def send(record: Request) -> LenientResponse:
            try:
                response = await self._client.system_one(state, questions, response_model=LenientResponse)
            except TypeSafeAPIResponseValidationError as error:
                record.request_id = error.request_id
                _read_usage(record, error.body)
                raise CallFailed("InvalidResponse", "invalid_response", request_status="invalid") from None
            except TypeSafeAPIError as error:
                record.request_id = error.request_id
                raise _refusal(error) from None
            except TypeSafeAPITimeoutError:
                raise CallFailed("RequestTimeout", "timeout") from None
            except TypeSafeAPIConnectionError:
                raise CallFailed("ConnectionError", "connection") from None
            except TypeSafeError:
                raise CallFailed("RequestNotMade", "client_error") from None
            record.request_id = response.raw_http_response.headers.get("x-typesafe-request-id")
            record.model = response.model
            if response.usage is not None:
                record.input_tokens = count(response.usage.input_tokens)
                record.output_tokens = count(response.usage.output_tokens)
            if set(response.answers) != set(questions) or any(
                response.answers[name].type != question.type for name, question in questions.items()
            ):
                raise CallFailed("MismatchedAnswers", "answer_keys", request_status="invalid")
            return response

        return await attempt(trace, self.provider, self.model, self._max_retries, self._request_s, send)


def _shares(probabilities: dict[str, float]) -> dict[str, float | None]:
    return {option: number_or_none(share) for option, share in probabilities.items()}


def _read_usage(record: Request, body: Any) -> None:
    usage = body.get("usage") if isinstance(body, dict) else None
    if isinstance(usage, dict):
        record.input_tokens = count(usage.get("input_tokens"))
        record.output_tokens = count(usage.get("output_tokens"))
        if isinstance(body.get("model"), str):
            record.model = body["model"]


def _refusal(error: TypeSafeAPIError) -> CallFailed:
    """The class and code of an unsuccessful response; its text is read for limit words and forgotten."""
    detail = error.body.get("detail") if isinstance(error.body, dict) else None
    named = detail.get("error_type") if isinstance(detail, dict) else None
    over_limit = error.status in (400, 413, 422) and any(
        word in str(error.body).lower() for word in CONTEXT_WORDS
    )
    return CallFailed(
        "OverLimit" if over_limit else named if isinstance(named, str) else type(error).__name__,
        str(error.status),
        retry_after_s=retry_after_s(error.headers),
        over_limit=over_limit,
    )


def _wire(questions: dict[str, Any]) -> dict[str, Any]:
    return {name: question.model_dump() for name, question in questions.items()}


def _fits(state: Any, questions: dict[str, Any]) -> bool:
    wire = _wire(questions)
    longest = max(size(question) for question in wire.values())
    whole = size(state)
    return whole + longest <= MAX_STATE_AND_QUESTION_BYTES and whole + size(wire) <= MAX_REQUEST_BYTES


def _fit(state: Any, questions: dict[str, Any]) -> None:
    if not _fits(state, questions):
        raise OverLimit
