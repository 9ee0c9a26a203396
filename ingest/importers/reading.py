"""What the importers of files ask of text that others wrote."""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path
from typing import Any

from ingest.errors import Refused

# Keys name files and runs, and are joined on: nothing in them may need quoting.
KEY = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,119}")
KEY_RULE = "letters, digits, dot, dash, underscore; at most 120"
LINE_LENGTH = 200  # characters


def read_text(file: Path) -> tuple[bytes, str]:
    """Return the bytes of a file and their text, without a byte order mark.

    Raises:
        Refused: the file cannot be read or is not UTF-8; says what it looks like.
    """
    try:
        content = file.read_bytes()
    except OSError as error:
        raise Refused("cannot be read", file=file, mend=error.strerror or "check the path") from None
    if not is_line(file.name):
        raise Refused("the name of the file is not one line of text", mend="rename it")
    # Without a byte order mark, every other byte of Western UTF-16 is zero.
    imbalance = abs(content[::2].count(0) - content[1::2].count(0))
    if content.startswith((b"\xff\xfe", b"\xfe\xff")) or imbalance > len(content) // 4:
        raise Refused("is not UTF-8 but looks like UTF-16", file=file, mend="save it as UTF-8")
    try:
        return content, content.decode("utf-8-sig")
    except UnicodeDecodeError:
        pass
    if re.search(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]", content):
        raise Refused(
            "is not UTF-8 but binary", file=file, mend="unpack it, or name the file of text"
        ) from None
    raise Refused(
        "is not UTF-8 but looks like Latin-1 or Windows-1252", file=file, mend="save it as UTF-8"
    ) from None


def is_text(value: Any) -> bool:
    """Whether a value is text that can be stored (JSON can spell a lone surrogate, UTF-8 cannot)."""
    return isinstance(value, str) and not any("\ud800" <= c <= "\udfff" for c in value)


def is_line(value: Any) -> bool:
    """Whether a value is one line of text: not blank, not too long, without a control character."""
    return (
        isinstance(value, str)
        and bool(value.strip())
        and len(value) <= LINE_LENGTH
        and all(c.isprintable() or unicodedata.category(c) == "Zs" for c in value)
    )


def shown(text: str) -> str:
    """A foreign text as an error may quote it: its beginning, on one line."""
    return repr(text if len(text) <= 40 else text[:40] + "…")[1:-1]
