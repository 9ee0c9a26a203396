"""Preparation receipts: what a run would work on, frozen before anything is spent, and used once."""

from __future__ import annotations

import hashlib
import json
import os
import secrets
from pathlib import Path
from typing import Any

from ingest.engines.protocol import compact
from ingest.errors import Refused
from ingest.harness.dispatch import now
from ingest.harness.environment import environment
from ingest.harness.inputs import Inputs, preparation_rows, restore_documents
from ingest.project import write_atomically

Row = dict[str, Any]


def identity(inputs: Inputs) -> Row:
    """Everything that must not change between preparation and the admitted attempt."""
    return {
        "config_sha256": inputs.config.sha256,
        "input_hashes": {item.entry.item_id: item.content_sha256 for item in inputs.planned_items},
        "matrix_sha256": _digest([cell.row() for cell in inputs.cells]),
        "prices": [dict(row) for row in inputs.prices.rows],
        "parser": inputs.parser.identity if inputs.parser else None,
        "environment": environment(),
    }


def write_receipt(inputs: Inputs, elapsed_s: float) -> Path:
    """Write the receipt below ``warehouse/receipts`` and return its path."""
    cells = [
        {
            "observation_id": cell.observation_id,
            "reserved_cost_usd": inputs.reservation(cell, exact=_is_exact(inputs, cell.item_id)),
        }
        for cell in inputs.cells
    ]
    # An item that cannot be parsed or sent is skipped later; it reserves nothing and blocks nothing.
    estimate = sum(cell["reserved_cost_usd"] or 0.0 for cell in cells)
    within = estimate <= inputs.config.budget_usd
    body = {
        "schema_version": "1",
        "preparation_id": secrets.token_hex(16),
        "status": "ready" if within else "blocked",
        "blockers": [] if within else ["estimated_budget_exceeded"],
        "finished_at": now(),
        "elapsed_s": elapsed_s,
        "remote_calls": 0,
        "identity": identity(inputs),
        "items": {row["item_id"]: row for row in preparation_rows(inputs.planned_items, inputs.parser)},
        "cells": cells,
        "budget_estimate": {
            "estimated_reservations_usd": estimate,
            "budget_usd": inputs.config.budget_usd,
            "planned_calls": len(cells),
            "dispatchable_calls": sum(cell["reserved_cost_usd"] is not None for cell in cells),
            "is_provider_billing_cap": False,
        },
    }
    folder = inputs.project.warehouse / "receipts"
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{body['preparation_id']}.json"
    text = json.dumps(body | {"receipt_sha256": _digest(body)}, indent=1)
    write_atomically(path, text.encode())
    return path


def _is_exact(inputs: Inputs, item_id: str) -> bool:
    item = inputs.items[item_id]
    return item.file is None or (item.prepared is not None and bool(item.prepared.pages))


def admit(inputs: Inputs, path: Path) -> Row:
    """Check a receipt against the inputs as they are now, restore its pages, and claim it.

    Raises:
        Refused: it is blocked, altered, used, or anything that it froze has changed.
    """
    try:
        receipt = json.loads(path.read_text(encoding="utf-8"))
        body = {name: value for name, value in receipt.items() if name != "receipt_sha256"}
        whole = _digest(body) == receipt["receipt_sha256"]
    except (OSError, ValueError, KeyError, AttributeError):
        raise Refused("is no receipt", file=path, mend="write one with --prepare-only") from None
    if not whole:
        raise Refused("does not hash to its receipt_sha256", file=path, mend="prepare again")
    if receipt["status"] != "ready":
        raise Refused(
            f"is blocked: {', '.join(receipt['blockers'])}", file=path, mend="mend it and prepare again"
        )
    found = identity(inputs)
    changed = [name for name, value in receipt["identity"].items() if value != found[name]]
    if changed:
        raise Refused("changed since the preparation", file=path, field=changed[0], mend="prepare again")
    restore_documents(inputs, receipt["items"])
    for cell, frozen in zip(inputs.cells, receipt["cells"], strict=True):
        usd = inputs.reservation(cell, exact=_is_exact(inputs, cell.item_id))
        if usd != frozen["reserved_cost_usd"]:
            raise Refused(
                f"the reservation of {cell.observation_id} changed", file=path, mend="prepare again"
            )
    return receipt


def claim(inputs: Inputs, receipt: Row) -> None:
    """Use the receipt up. Done last before the run begins: there is one admitted attempt, not two."""
    claimed = inputs.project.warehouse / "receipts" / f"{receipt['preparation_id']}.claim"
    claimed.parent.mkdir(parents=True, exist_ok=True)
    try:
        os.close(os.open(claimed, os.O_CREAT | os.O_EXCL | os.O_WRONLY))
    except FileExistsError:
        raise Refused(
            "was used already", file=f"receipts/{receipt['preparation_id']}.json", mend="prepare again"
        ) from None


def _digest(value: Any) -> str:
    return hashlib.sha256(compact(value).encode()).hexdigest()
