"""Hashes that pin an item: what a freeze commits to, and what a call says it sent."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence


def options_sha256(options: Sequence[str]) -> str:
    """SHA-256 (hex) of the options in order, as a compact JSON array of strings."""
    text = json.dumps(list(options), ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def content_sha256(
    question: str | None, options: Sequence[str], gold: str | None, image_sha256: str | None
) -> str:
    """SHA-256 (hex) of the canonical JSON of question, options in order, gold and image hash."""
    text = json.dumps(
        [question, list(options), gold, image_sha256], ensure_ascii=False, separators=(",", ":")
    )
    return hashlib.sha256(text.encode()).hexdigest()
