"""Dispatches the matrix: reserve, write the start, call, write the end; one client per engine, reused."""

from __future__ import annotations

import asyncio
import signal
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from time import monotonic, perf_counter
from typing import Any

from ingest.documents.prepare import prepare
from ingest.engines.pricing import request_cost
from ingest.engines.protocol import CallFailed, OverLimit, Reply, Task, Trace
from ingest.harness.budget import Guard
from ingest.harness.inputs import Inputs
from ingest.harness.journal import Journal, Row
from ingest.harness.matrix import Cell
from ingest.items import options_sha256

# A request that failed for one of these reasons would fail for the next item too.
SERVICE_WORDS = ("timeout", "connect", "network", "transport", "deadline")


def now() -> str:
    return datetime.now(UTC).isoformat(timespec="microseconds")


class Dispatcher:
    """Runs planned cells and keeps the state that they share.

    Args:
        inputs: items, engines, prices.
        guard: the balance, carried over when a run is resumed.
        show: called with each terminal row.
    """

    def __init__(self, inputs: Inputs, guard: Guard, show: Callable[[Row], None]):
        self._inputs, self._guard, self._show = inputs, guard, show
        self._config = inputs.config
        self.stop_code: str | None = None
        self._settled = asyncio.Condition()
        self._admission = asyncio.Lock()
        self._tasks: list[asyncio.Task] = []

    async def run(self, folder: Path, cells: list[Cell]) -> None:
        """Dispatch the cells in order, warm-ups first and one by one; every cell ends in a terminal record.

        The first interrupt lets the calls in flight end and skips the rest; the second cuts them off.
        """
        self._journal = Journal(folder)
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            # Not possible outside the main thread.
            with suppress(ValueError, RuntimeError):
                loop.add_signal_handler(number, self._interrupt)
        opened = []
        try:
            for system, engine in self._inputs.engines.items():
                start = perf_counter()
                await engine.open()
                opened.append(engine)
                seconds = self._inputs.load_s.get(system, 0.0) + perf_counter() - start
                await self._journal.append(
                    "events.jsonl",
                    {"event": "engine_loaded", "system": system, "at": now(), "seconds": seconds},
                )
            self._stage_end = monotonic() + self._config.deadlines_s.stage
            warmups = deque(cell for cell in cells if cell.phase == "warmup")
            measured = deque(cell for cell in cells if cell.phase != "warmup")
            await self._work(warmups, 1)
            await self._work(measured, self._config.concurrency)
        finally:
            for engine in opened:
                with suppress(Exception):
                    async with asyncio.timeout(self._config.deadlines_s.close):
                        await engine.close()
            self._journal.close()

    def _interrupt(self) -> None:
        if self.stop_code == "interrupted":
            for task in self._tasks:
                task.cancel()
        self.stop_code = "interrupted"

    def _stop(self, code: str) -> None:
        self.stop_code = self.stop_code or code

    async def _work(self, cells: deque[Cell], concurrency: int) -> None:
        async def worker() -> None:
            while cells:
                await self._cell(cells.popleft())

        workers = [asyncio.create_task(worker()) for _ in range(min(concurrency, len(cells)))]
        try:
            await asyncio.gather(*workers)
        except BaseException:
            self._stop("initialization_or_recording_failure")
            for task in workers:
                task.cancel()
            await asyncio.gather(*workers, return_exceptions=True)
            raise

    async def _cell(self, cell: Cell) -> None:
        if self.stop_code is None and monotonic() >= self._stage_end:
            self._stop("paid_deadline")
        if self.stop_code is not None:
            await self._skip(cell, self.stop_code)
            return
        item, engine = self._inputs.items[cell.item_id], self._inputs.engines[cell.system]
        started_at, start = now(), perf_counter()
        task = item.task()
        if item.file is not None and self._config.scope == "end-to-end":
            # Fresh each time, nothing cached; killed by its own deadline.
            limit_s = min(self._config.deadlines_s.task, self._config.deadlines_s.file)
            fresh = await asyncio.to_thread(prepare, item.file, self._inputs.parser, limit_s, None)
            task = item.task(fresh.pages)
        if item.file is not None and not task.pages:
            await self._skip(cell, "preparation_error")
            return
        try:
            reserved = engine.reservation_usd(task, self._inputs.prices)
        except OverLimit:
            await self._skip(cell, "context_preflight_error")
            return
        waited = perf_counter()
        async with self._admission:
            admitted = await self._reserve(reserved)
            if not admitted:
                self._stop("budget_stop")
        if not admitted:
            await self._skip(cell, self.stop_code)
            return
        await self._journal.append(
            "events.jsonl",
            {
                "event": "dispatch_started",
                "observation_id": cell.observation_id,
                "at": now(),
                "reserved_cost_usd": reserved,
            },
        )
        start += perf_counter() - waited  # waiting for one's turn is no part of the call
        row = await self._invoke(cell, task, reserved, started_at, start)
        await self._journal.append("raw.jsonl", row)
        self._show(row)

    async def _reserve(self, usd: float) -> bool:
        """Reserve, waiting for calls in flight to give back what they did not need."""
        async with self._settled:
            while not self._guard.reserve(usd):
                if self._guard.in_flight == 0 or self.stop_code is not None:
                    return False
                await self._settled.wait()
        return True

    async def _invoke(self, cell: Cell, task: Task, reserved: float, started_at: str, start: float) -> Row:
        trace = Trace()
        row: Row = {"observation_id": cell.observation_id, "started_at": started_at, "dispatched": True}
        left = min(self._config.deadlines_s.task, max(0.001, self._stage_end - monotonic()))
        engine = self._inputs.engines[cell.system]
        complete = True
        decided = perf_counter()
        this = asyncio.create_task(self._decide(engine, task, trace, left))
        self._tasks.append(this)
        try:
            reply = await this
            row |= {"status": "ok"} | _answer(reply)
        except CallFailed as failure:
            row |= {
                "status": "error",
                "error_type": failure.error_type,
                "error_code": failure.code,
                "refused": failure.refused,
                "truncated": failure.truncated,
            }
            if cell.phase == "measured" and not failure.over_limit:
                self._judge_service(trace)
        except TimeoutError:
            row |= {"status": "error", "error_type": "TaskTimeout", "error_code": "timeout"}
            complete = False
            if self._config.stop_on_service_failure:
                self._stop("paid_deadline" if monotonic() >= self._stage_end else "task_deadline")
        except asyncio.CancelledError:
            row |= {"status": "error", "error_type": "Interrupted", "error_code": "interrupted"}
            complete = False
        except Exception as error:  # a fault of the harness's own; its text may hold content
            row |= {"status": "error", "error_type": type(error).__name__, "error_code": None}
            complete = False
            self._stop("operation_failure")
        finally:
            self._tasks.remove(this)
        ended = perf_counter()
        if cell.phase == "warmup" and row["status"] != "ok":
            self._stop("warmup_failed")
        costs = [request_cost(request, self._inputs.prices) for request in trace.requests]
        row["requests"] = [
            asdict(request) | {"recorded_cost_usd": usd, "cost_status": status}
            for request, (usd, status) in zip(trace.requests, costs, strict=True)
        ]
        paid = engine.provider != "local"
        unknown = any(status == "unknown" for _, status in costs) or (
            paid and (not complete or (not costs and row["status"] != "ok"))
        )
        row |= {
            "decision_ms": (ended - decided) * 1000,
            "wall_ms": (ended - start) * 1000,
            "usage_unknown": unknown,
            "request_count_complete": complete,
            "reserved_cost_usd": reserved,
            "input_sha256": task.input_sha256,
        }
        async with self._settled:
            self._guard.settle(reserved, sum(usd for usd, _ in costs if usd is not None), unknown)
            self._settled.notify_all()
        return row

    async def _decide(self, engine: Any, task: Task, trace: Trace, seconds: float) -> Reply:
        async with asyncio.timeout(seconds):
            return await engine.decide(task, trace)

    def _judge_service(self, trace: Trace) -> None:
        codes = [request.error_code or "" for request in trace.requests if request.status == "error"]
        failed = any(
            (code.isdigit() and 400 <= int(code) <= 599) or any(word in code for word in SERVICE_WORDS)
            for code in codes
        )
        if failed and self._config.stop_on_service_failure:
            self._stop("service_failure")

    async def _skip(self, cell: Cell, reason: str) -> None:
        row = {
            "observation_id": cell.observation_id,
            "status": "skipped",
            "dispatched": False,
            "skip_reason": reason,
            "requests": [],
        }
        await self._journal.append("raw.jsonl", row)
        self._show(row)


def _answer(reply: Reply) -> Row:
    return {
        "answer": reply.answer,
        "probabilities": reply.probabilities,
        "confidence": reply.confidence,
        "refused": reply.refused,
        "truncated": reply.truncated,
        "needs_review": reply.needs_review,
        "segments": [asdict(segment) for segment in reply.segments],
        "page_decisions": [asdict(decision) for decision in reply.page_decisions],
        "sent_options_sha256": options_sha256(reply.sent_options) if reply.sent_options else None,
        "model_revision": reply.model_revision,
    }
