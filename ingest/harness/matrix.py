"""The execution matrix: every call of a run in its order, from one seed."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from ingest.errors import Refused

TASKS = ("classify", "split", "choice")


@dataclass(frozen=True)
class Entry:
    """An item as the matrix needs it."""

    item_id: str
    task: str
    partition: str  # test or dev


@dataclass(frozen=True)
class Cell:
    """One planned invocation."""

    observation_id: str
    sequence: int
    system: str
    item_id: str
    task: str
    repeat: int  # -1 for a warm-up
    phase: str

    def row(self) -> dict[str, Any]:
        return asdict(self)


def build(
    seed: int, items: Sequence[Entry], systems: Sequence[str], warmups: int, repeats: int, reuse: bool
) -> list[Cell]:
    """Return the matrix: warm-ups first, then each pass in a shuffled order.

    The calls of one item stay together, in a shuffled order of the systems, so that all of them meet like
    conditions. ``random.Random(seed).shuffle`` gives one order on every machine.

    Args:
        items: in the suite's order.
        systems: in the configuration's order.
        warmups: warm-up calls per system and task.
        repeats: measured passes.
        reuse: whether test items may serve as warm-ups where the suite has too few development items.
    """
    rng = random.Random(seed)
    planned: list[tuple[str, str, str, int, str]] = []

    def add(task: str, item_id: str, repeat: int, phase: str) -> None:
        order = list(systems)
        rng.shuffle(order)
        planned.extend((system, item_id, task, repeat, phase) for system in order)

    tested = [item for item in items if item.partition == "test"]
    for task in TASKS:
        if not any(item.task == task for item in tested):
            continue
        spare = [item for item in items if item.task == task and item.partition == "dev"]
        spare += [item for item in tested if item.task == task] if reuse else []
        if len(spare) < warmups:
            raise Refused(
                f"{task} has {len(spare)} development items for {warmups} warm-ups",
                field="warmups",
                mend="plan fewer, or set warmup_items: reuse",
            )
        for item in spare[:warmups]:
            add(task, item.item_id, -1, "warmup")
    jobs = [(task, i.item_id) for task in TASKS for i in tested if i.task == task]
    for repeat in range(repeats):
        order = list(jobs)
        rng.shuffle(order)
        for task, item_id in order:
            add(task, item_id, repeat, "measured")
    return [
        Cell(
            f"{phase}:{task}:{item_id}:{system}:{repeat}",
            sequence,
            system,
            item_id,
            task,
            repeat,
            phase,
        )
        for sequence, (system, item_id, task, repeat, phase) in enumerate(planned, 1)
    ]
