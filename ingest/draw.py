"""A stratified, seeded draw of sealed items from a private pool into a suite.

Which items are drawn follows from SHA-256 over the seed and each item, not from a library's random numbers:
the same pool and seed give the same draw on any machine.
"""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from ingest.errors import Refused
from ingest.landing import read_register
from ingest.project import Project
from ingest.suites import land_items, landed_items, refuse_frozen
from ingest.warehouse import item_parts, planned_rows

STRATA = ("track", "family", "difficulty")
Key = TypeVar("Key", bound=Hashable)


@dataclass(frozen=True)
class Stratum:
    """What a draw asked of a stratum and got; counts of items."""

    name: tuple[str, ...]
    pool: int  # items of the pool, excluded tracks aside
    requested: int  # its share of the size, by largest remainder
    available: int  # of the pool, those never exposed and not yet in the suite
    drawn: int


def order(seed: str, *parts: str) -> str:
    """Key that sorts without favour: SHA-256 (hex) of seed and parts."""
    return hashlib.sha256("\n".join((seed, *parts)).encode()).hexdigest()


def shares(size: int, weights: Mapping[Key, int], seed: str) -> dict[Key, int]:
    """Split ``size`` in proportion to whole-number weights, by largest remainder; they add up to ``size``.

    Equal remainders go by ``order``. A weight of zero gets nothing.
    """
    total = sum(weights.values())
    if not total:
        return dict.fromkeys(weights, 0)
    out = {key: size * weight // total for key, weight in weights.items()}
    by_remainder = sorted(weights, key=lambda key: (-(size * weights[key] % total), order(seed, repr(key))))
    for key in by_remainder[: size - sum(out.values())]:
        out[key] += 1
    return out


def allocate(size: int, pool: Mapping[Key, int], available: Mapping[Key, int], seed: str) -> dict[Key, int]:
    """How many to draw of each stratum: its share, and what others lack, in proportion to what it can spare.

    Args:
        size: items wanted; at most what is available in all.
        pool: items of each stratum that shares are in proportion to.
        available: items of each stratum that may be drawn.
        seed: breaks ties.
    """
    drawn = {key: min(share, available[key]) for key, share in shares(size, pool, seed).items()}
    spare = {key: available[key] - drawn[key] for key in pool}
    return {key: drawn[key] + more for key, more in shares(size - sum(drawn.values()), spare, seed).items()}


def draw_suite(
    project: Project,
    pool: str,
    suite: str,
    size: int,
    strata: Sequence[str],
    seed: str,
    exclude_tracks: Sequence[str] = (),
) -> list[Stratum]:
    """Draw never-exposed items of ``pool`` and land them in ``suite``; return what each stratum gave.

    Raises:
        Refused: unknown stratum field or track, too few items, a frozen suite, or a pool no plan has seen.
    """
    if unknown := [name for name in strata if name not in STRATA]:
        raise Refused(f"{unknown[0]} is no stratum", mend=f"some of {', '.join(STRATA)}")
    if size < 1:
        raise Refused(f"cannot draw {size} items", mend="a size from 1")
    if pool == suite:
        raise Refused("a pool is not drawn into itself", mend="name another suite")
    refuse_frozen(project, suite)
    source = f"draw of {size} from {pool}, strata {' '.join(strata)}, seed {seed}" + "".join(
        f", without track {track}" for track in exclude_tracks
    )
    run_id = f"draw.{suite}.{hashlib.sha256(source.encode()).hexdigest()[:12]}"
    if any(line.run_id == run_id for line in read_register(project)):
        raise Refused("this draw has landed already", mend="another draw has another seed")
    parts = item_parts(project, pool)
    if absent := sorted(set(exclude_tracks) - {row["track"] for row in parts}):
        raise Refused(f"pool {pool} has no track {absent[0]}", mend="check --exclude-track")
    present = landed_items(project, suite)
    present_contents = {item.row["content_sha256"] for item in present.values()}
    candidates = [row for row in parts if row["track"] not in exclude_tracks]
    eligible = defaultdict(list)
    for row in candidates:
        if row["part"] == "sealed" and row["content_sha256"] not in present_contents:
            eligible[_stratum(row, strata)].append(row)
    in_pool = Counter(_stratum(row, strata) for row in candidates)
    available = {name: len(eligible[name]) for name in in_pool}
    if size > sum(available.values()):
        raise Refused(
            f"pool {pool} has {sum(available.values())} items that may be drawn, {size} are wanted",
            mend="a smaller --size, or a larger pool",
        )
    requested = shares(size, in_pool, seed)
    drawn = allocate(size, in_pool, available, seed)
    chosen = []
    for name, rows in eligible.items():
        rows.sort(key=lambda row: order(seed, row["item_id"], row["content_sha256"]))
        chosen += [row["item_id"] for row in rows[: drawn[name]]]
    if taken := sorted(present.keys() & set(chosen)):
        raise Refused(
            f"item {taken[0]} of the pool bears the name of another item of {suite}",
            mend="rename one of them",
        )
    _land(project, run_id, pool, suite, sorted(chosen), source)
    return [
        Stratum(name, in_pool[name], requested[name], available[name], drawn[name])
        for name in sorted(in_pool)
    ]


def _stratum(row: Mapping[str, str], strata: Sequence[str]) -> tuple[str, ...]:
    return tuple(row[name] for name in strata)


def _land(project: Project, run_id: str, pool: str, suite: str, chosen: list[str], source: str) -> None:
    items = landed_items(project, pool)
    # Disclosed exposures leave an item sealed; they are told of the drawn item too.
    exposures = planned_rows(
        project,
        "SELECT item_id, kind, place, seen_at, note FROM staging.exposures WHERE suite = ?",
        [pool],
    )
    wanted = set(chosen)
    land_items(
        project,
        run_id,
        suite,
        [items[item_id].row for item_id in chosen],
        {item_id: items[item_id].options for item_id in chosen},
        source,
        [row for row in exposures if row["item_id"] in wanted],
    )
