"""What the engines share about documents: the state they send, the windows, segments from page decisions."""

from __future__ import annotations

from dataclasses import dataclass

from ingest.engines.protocol import Page, PageDecision, Segment, compact

BLANK_CATEGORY = "other"


def state_of(pages: tuple[Page, ...]) -> dict[str, list[dict[str, object]]]:
    """The pages as every provider is sent them."""
    return {"pages": [{"number": p.number, "text": p.text, "blank": p.blank} for p in pages]}


def size(value: object) -> int:
    """Bytes of the compact JSON."""
    return len(compact(value).encode())


@dataclass(frozen=True)
class Window:
    """Pages that are asked about, and the pages shown with them."""

    targets: tuple[Page, ...]
    shown: tuple[Page, ...]


def window_of(pages: tuple[Page, ...], first: int, last: int) -> Window:
    """The window that asks about pages first..last (from 1, inclusive), with a neighbour on either side."""
    return Window(pages[first - 1 : last], pages[max(0, first - 2) : last + 1])


def halves(pages: tuple[Page, ...], window: Window) -> list[Window]:
    """The window cut in two; empty when it asks about one page."""
    first, last = window.targets[0].number, window.targets[-1].number
    if first == last:
        return []
    middle = (first + last) // 2
    return [window_of(pages, first, middle), window_of(pages, middle + 1, last)]


def segments_of(
    decisions: list[PageDecision], blank: set[int], min_probability: float
) -> tuple[Segment, ...]:
    """Form segments: one opens on page 1, on a change of category, on a start, and after a blank page.

    A segment is flagged for review when it is of the blank category, when its mean known probability lies
    below ``min_probability``, or when a change of category overrode a decision that the document continues.
    """
    groups: list[list[PageDecision]] = []
    overridden: list[bool] = []
    for place, decision in enumerate(decisions):
        previous = decisions[place - 1] if place else None
        after_blank = previous is not None and previous.page in blank and decision.page not in blank
        changed = previous is not None and previous.category != decision.category
        if previous is None or changed or decision.starts_document or after_blank:
            groups.append([])
            overridden.append(changed and not decision.starts_document and decision.page not in blank)
        groups[-1].append(decision)
    segments = []
    for group, was_overridden in zip(groups, overridden, strict=True):
        known = [d.category_probability for d in group if d.category_probability is not None]
        unsure = bool(known) and sum(known) / len(known) < min_probability
        category = group[0].category
        segments.append(
            Segment(
                category,
                tuple(d.page for d in group),
                category == BLANK_CATEGORY or unsure or was_overridden,
            )
        )
    return tuple(segments)


def needs_review(category: str | None, probability: float | None, min_probability: float) -> bool:
    return category == BLANK_CATEGORY or (probability is not None and probability < min_probability)
