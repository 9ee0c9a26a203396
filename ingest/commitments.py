"""Freezes a suite, proves later that its items are the frozen ones, and that one item belongs to a freeze."""

from __future__ import annotations

import json
from collections import defaultdict
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

from ingest import merkle
from ingest.errors import Refused
from ingest.freeze import FreezeRow, FrozenItem, freeze_rows, merkle_leaves, read_freezes, write_freeze
from ingest.project import Project
from ingest.suites import altered, landed_items, read_items
from ingest.warehouse import item_parts, planned_rows

# Calls on an item of the suite, by its content and under any name, that no earlier freeze preceded.
EARLY_CALLS = """
WITH frozen_at AS (
  SELECT suite, MAX(frozen_at) AS frozen_at FROM frozen.freezes GROUP BY suite
), touched AS (
  SELECT suite, item_id, started_at AS at FROM staging.calls
  UNION ALL
  SELECT observations.suite, observations.item_id, dispatches.at
  FROM staging.dispatches AS dispatches
  INNER JOIN staging.observations AS observations USING (run_id, observation_id)
)
SELECT COUNT(DISTINCT parts.item_id) AS item_count
FROM touched
INNER JOIN staging.items AS items USING (suite, item_id)
INNER JOIN splits.item_parts AS parts
  ON items.content_sha256 = parts.content_sha256 AND parts.suite = ? AND parts.part = 'sealed'
LEFT JOIN frozen_at ON touched.suite = frozen_at.suite
WHERE (touched.at >= frozen_at.frozen_at) IS NOT TRUE
"""

TOO_CLOSE = """
SELECT frozen_suite, scope, name, differing_count, suppress_below_items
FROM splits.version_differences
CROSS JOIN (SELECT MAX(CAST(value AS BIGINT)) AS suppress_below_items
  FROM frozen.method_parameters WHERE parameter = 'suppress_below_items')
WHERE suite = ? AND differing_count BETWEEN 1 AND suppress_below_items - 1
ORDER BY ALL
"""


def freeze_suite(project: Project, suite: str) -> list[FreezeRow] | None:
    """Commit the suite's composition to ``seeds/freezes.csv``; None when it is frozen exactly so already.

    The parts are the plan's, which follow from the recorded exposures.

    Raises:
        Refused: no plan has seen the suite; its content is altered; a sealed item was called before; it is
            frozen otherwise; or it differs from an earlier freeze by so few sealed items that two boards
            would show them.
    """
    parts = item_parts(project, suite)
    if finding := next(iter(_altered(project, suite)), None):
        raise Refused(f"item {finding.item_id}: {finding.problem}", mend="restore it before the freeze")
    rows = freeze_rows(suite, [_frozen(row) for row in parts], datetime.now(UTC))
    if not any(row.suite == suite for row in read_freezes(project)):
        ((called),) = (row["item_count"] for row in planned_rows(project, EARLY_CALLS, [suite]))
        if called:
            raise Refused(
                f"{called} sealed items of {suite} were called before any freeze",
                mend="a freeze precedes the first call: record their exposure, or leave them out",
            )
        if close := planned_rows(project, TOO_CLOSE, [suite]):
            c = close[0]
            raise Refused(
                f"{suite} and {c['frozen_suite']} differ by {c['differing_count']} sealed items in "
                f"{c['scope']} {c['name']}: their boards together would show them",
                mend=f"differ by none, or by at least {c['suppress_below_items']}",
            )
    return rows if write_freeze(project, rows) else None


def _frozen(row: dict) -> FrozenItem:
    return FrozenItem(**{name: row[name] for name in FrozenItem.__dataclass_fields__})


@dataclass(frozen=True)
class Finding:
    """One disagreement between a suite and its freeze."""

    item_id: str  # of a cell, its track, part, family and difficulty
    problem: str


def verify_suite(project: Project, suite: str) -> list[Finding]:
    """Hash every item again and compare the cells with the freeze; return what disagrees.

    Raises:
        Refused: the suite is not frozen, or no plan has seen the evidence as it is.
    """
    frozen = _freeze_of(project, suite)
    findings = _altered(project, suite)
    found = {_cell(row): row for row in freeze_rows(suite, map(_frozen, item_parts(project, suite)), _NEVER)}
    for cell, row in frozen.items():
        name = " / ".join(cell)
        if cell not in found:
            findings.append(Finding(name, f"{row.item_count} frozen items are gone"))
        elif (row.item_count, row.items_sha256) != (found[cell].item_count, found[cell].items_sha256):
            findings.append(
                Finding(
                    name, f"{row.item_count} items were frozen, {found[cell].item_count} others are there"
                )
            )
        elif row.merkle_root not in ("", found[cell].merkle_root):
            findings.append(Finding(name, "the Merkle root is of other items"))
    findings += [Finding(" / ".join(cell), "is in no freeze") for cell in found.keys() - frozen.keys()]
    return findings


_NEVER = datetime(1970, 1, 1)  # a freeze's time is not part of what is compared


def _altered(project: Project, suite: str) -> list[Finding]:
    items = landed_items(project, suite).values()
    return [Finding(i.item_id, problem) for i in items if (problem := altered(project, i))]


def _cell(row: FreezeRow) -> tuple[str, str, str, str]:
    return row.track, row.part, row.family, row.difficulty


def _freeze_of(project: Project, suite: str) -> dict[tuple[str, str, str, str], FreezeRow]:
    frozen = {_cell(row): row for row in read_freezes(project) if row.suite == suite}
    if not frozen:
        raise Refused(
            f"suite {suite} is not frozen",
            file="seeds/freezes.csv",
            mend=f"run: jevhouse suite freeze {suite}",
        )
    return frozen


@dataclass(frozen=True)
class Proof:
    """That an item is in a cell of a freeze; of the other items it holds hashes of hashes, nothing else."""

    suite: str
    item_id: str
    track: str
    part: str
    family: str
    difficulty: str
    leaf_index: int  # place of the item in the cell, from 0, by item_id
    item_count: int
    siblings: list[str]  # SHA-256 (hex), from the leaf to the root
    merkle_root: str


def prove(project: Project, suite: str, item_id: str) -> Proof:
    """Make the inclusion proof of one item.

    Raises:
        Refused: the suite is not frozen or no longer its freeze, or has no such item.
    """
    frozen = _freeze_of(project, suite)
    cells: dict[tuple[str, str, str, str], dict[str, str]] = defaultdict(dict)
    cell_of = {}
    for row in item_parts(project, suite):
        cell = row["track"], row["part"], row["family"], row["difficulty"]
        cells[cell][row["item_id"]] = row["content_sha256"]
        cell_of[row["item_id"]] = cell
    if item_id not in cell_of:
        raise Refused(f"suite {suite} has no item {item_id}", mend="check the id")
    cell = cell_of[item_id]
    hashes = cells[cell]
    leaves = merkle_leaves(hashes)
    root = merkle.root(leaves).hex()
    if cell not in frozen or frozen[cell].merkle_root != root:
        raise Refused(
            f"the items of {' / '.join(cell)} are not the frozen ones, or were frozen without a Merkle root",
            mend=f"see: jevhouse suite verify {suite}",
        )
    index = sorted(hashes).index(item_id)
    siblings = [sibling.hex() for sibling in merkle.path(leaves, index)]
    return Proof(suite, item_id, *cell, index, len(leaves), siblings, root)


def proof_json(proof: Proof) -> bytes:
    return (json.dumps(asdict(proof), indent=1, ensure_ascii=False) + "\n").encode()


def verify_proof(project: Project, proof_file: Path, item_file: Path) -> Proof:
    """Check that the one item of ``item_file`` (as for an import) is in the freeze that ``proof_file`` names.

    It needs ``seeds/freezes.csv``, and neither the warehouse nor another item.

    Raises:
        Refused: says which link of the chain does not hold.
    """
    proof = _read_proof(proof_file)
    items = list(read_items(item_file))
    if len(items) != 1:
        raise Refused(f"holds {len(items)} items", file=item_file, mend="one item, the revealed one")
    (item,) = items
    frozen = {
        (row.suite, *_cell(row)): row for row in read_freezes(project)
    }.get((proof.suite, proof.track, proof.part, proof.family, proof.difficulty))  # fmt: skip
    if frozen is None or frozen.merkle_root != proof.merkle_root or frozen.item_count != proof.item_count:
        raise Refused("is not of a freeze in seeds/freezes.csv", file=proof_file, mend="check suite and cell")
    named = (item.item_id, item.track, item.family, item.difficulty)
    if named != (proof.item_id, proof.track, proof.family, proof.difficulty):
        raise Refused("is another item than the proof's", file=item_file, mend="check the id and its cell")
    leaf = merkle.leaf_hash(f"{item.item_id}:{item.content_sha256}".encode())
    siblings = [bytes.fromhex(sibling) for sibling in proof.siblings]
    root = merkle.root_from_path(leaf, proof.leaf_index, proof.item_count, siblings)
    if root is None or root.hex() != proof.merkle_root:
        raise Refused(
            "the item is not the frozen one", file=item_file, mend="its content or the proof differs"
        )
    return proof


def _read_proof(file: Path) -> Proof:
    try:
        proof = Proof(**json.loads(file.read_text(encoding="utf-8")))
        if not all(isinstance(getattr(proof, name), int) for name in ("leaf_index", "item_count")):
            raise ValueError
        for sibling in proof.siblings:
            if len(bytes.fromhex(sibling)) != 32:
                raise ValueError
    except (OSError, ValueError, TypeError):
        raise Refused("is not a proof", file=file, mend="make one with: jevhouse suite prove") from None
    return proof
