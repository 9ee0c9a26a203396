"""Values of foreign JSON as the contract wants them: what is not of the right kind is unknown (None)."""

from __future__ import annotations

import hashlib
import json
import math
import re
from datetime import UTC, datetime
from typing import Any

# A class or code of an error is one word; anything longer may be a provider's text.
CODE = re.compile(r"[A-Za-z0-9_.:-]{1,80}")


def text(value: Any) -> str | None:
    return value if isinstance(value, str) and value else None


def code(value: Any) -> str | None:
    if isinstance(value, int) and not isinstance(value, bool):
        value = str(value)
    if not isinstance(value, str):
        return None
    return value if CODE.fullmatch(value) else "withheld"


def flag(value: Any) -> bool | None:
    return value if isinstance(value, bool) else None


def whole(value: Any) -> int | None:
    good = isinstance(value, int) and not isinstance(value, bool) and abs(value) < 2**63
    return value if good else None


def real(value: Any) -> float | None:
    good = isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
    return float(value) if good else None


def duration(value: Any) -> float | None:
    number = real(value)
    return number if number is not None and number >= 0 else None


def time(value: Any) -> datetime | None:
    if not isinstance(value, str):
        return None
    try:
        at = datetime.fromisoformat(value)
    except ValueError:
        return None
    return at.astimezone(UTC).replace(tzinfo=None) if at.tzinfo else at


def compact_json(value: Any) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False) if value else ""


def digest(value: Any) -> str:
    line = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(line.encode()).hexdigest()
