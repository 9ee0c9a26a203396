"""Progress: a bar on a terminal, plain lines elsewhere."""

from __future__ import annotations

import sys
from time import monotonic
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
from rich.progress import Progress as Bar

LINE_EVERY_S = 10.0


class Progress:
    """Counts done, failed and spent; a plain line each tenth of the way, or every ten seconds."""

    def __init__(self, what: str, total: int):
        self._what, self._total = what, total
        self._done = self._failed = 0
        self._spent = 0.0
        self._console = Console(stderr=True)
        self._bar: Bar | None = None

    def __enter__(self) -> Progress:
        self._start = self._last = monotonic()
        if self._console.is_terminal:
            self._bar = Bar(
                TextColumn(self._what),
                BarColumn(),
                MofNCompleteColumn(),
                TextColumn("failed {task.fields[failed]}  {task.fields[spent]:.4f} USD committed"),
                TimeRemainingColumn(),
                console=self._console,
            )
            self._task = self._bar.add_task(self._what, total=self._total, failed=0, spent=0.0)
            self._bar.start()
        return self

    def __exit__(self, *error: Any) -> None:
        if self._bar is not None:
            self._bar.stop()

    def advance(self, failed: bool = False, spent_usd: float = 0.0) -> None:
        self._done += 1
        self._failed += failed
        self._spent = spent_usd
        if self._bar is not None:
            self._bar.update(self._task, advance=1, failed=self._failed, spent=spent_usd)
            return
        tenth = self._done * 10 // self._total > (self._done - 1) * 10 // self._total
        if tenth or monotonic() - self._last > LINE_EVERY_S:
            self._last = monotonic()
            left_s = (self._last - self._start) / self._done * (self._total - self._done)
            print(
                f"{self._what}: {self._done} of {self._total}, {self._failed} failed, "
                f"{spent_usd:.4f} USD committed, {left_s:.0f} s left",
                file=sys.stderr,
            )
