"""Whether scores of two boards may be ranked or compared, and why not."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

# Columns of board.leaderboard, in every export of it: what they must share, and what it is called.
SHARED = {
    "suite": "suites",
    "method": "methods",
    "track": "tracks",
    "freeze_fingerprint": "freezes",
    "method_fingerprint": "parameters of the method",
}


def comparable(a: Mapping[str, Any], b: Mapping[str, Any]) -> str | None:
    """None when scores of two rows of ``board.leaderboard``, of any state or export, may be compared.

    Otherwise the reason. An unknown freeze compares with nothing: a suite that is not frozen has no score.
    """
    for column, name in SHARED.items():
        if a[column] is None or b[column] is None:
            return f"no {name} on record: what is not frozen cannot be compared"
        if a[column] != b[column]:
            return f"different {name}: {a[column]:.40} and {b[column]:.40}"
    return None
