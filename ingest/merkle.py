"""Merkle trees over lines of text: one hash for many items, and a proof that one of them is among them.

The tree of RFC 9162 (Certificate Transparency), section 2.1. Leaves and nodes are hashed under different
prefixes, so a node can never be passed off as an item.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence


def leaf_hash(line: bytes) -> bytes:
    """SHA-256 of 0x00 and the line."""
    return hashlib.sha256(b"\x00" + line).digest()


def _node_hash(left: bytes, right: bytes) -> bytes:
    return hashlib.sha256(b"\x01" + left + right).digest()


def _split(size: int) -> int:
    """Largest power of two below ``size``."""
    return 1 << (size - 1).bit_length() - 1


def root(leaves: Sequence[bytes]) -> bytes:
    """Root over leaf hashes in order; of no leaf, SHA-256 of nothing."""
    if not leaves:
        return hashlib.sha256().digest()
    if len(leaves) == 1:
        return leaves[0]
    split = _split(len(leaves))
    return _node_hash(root(leaves[:split]), root(leaves[split:]))


def path(leaves: Sequence[bytes], index: int) -> list[bytes]:
    """Hashes that lead from the leaf at ``index`` (from 0) to the root, lowest first."""
    if len(leaves) == 1:
        return []
    split = _split(len(leaves))
    if index < split:
        return [*path(leaves[:split], index), root(leaves[split:])]
    return [*path(leaves[split:], index - split), root(leaves[:split])]


def root_from_path(leaf: bytes, index: int, size: int, siblings: Sequence[bytes]) -> bytes | None:
    """Root that a path leads to from the leaf at ``index`` of ``size``; None when the path does not fit."""
    if not 0 <= index < size:
        return None
    if size == 1:
        return leaf if not siblings else None
    if not siblings:
        return None
    split = _split(size)
    *lower, last = siblings
    if index < split:
        below = root_from_path(leaf, index, split, lower)
        return below and _node_hash(below, last)
    below = root_from_path(leaf, index - split, size - split, lower)
    return below and _node_hash(last, below)
