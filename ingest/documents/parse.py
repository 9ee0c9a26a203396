"""Parses one document in a process of its own, which can be killed and holds no keys.

Reads ``{"path": ..., "options": {...}}`` from stdin, writes ``{"pages": [[number, text], ...]}`` to stdout.
"""

from __future__ import annotations

import json
import sys


def main() -> None:
    from liteparse import LiteParse

    job = json.load(sys.stdin)
    try:
        result = LiteParse(quiet=True, **job["options"]).parse(job["path"])
    except Exception as error:  # the class tells; the text may hold content
        json.dump({"error": type(error).__name__}, sys.stdout)
        return
    json.dump({"pages": [[page.page_num, page.text] for page in result.pages]}, sys.stdout)


if __name__ == "__main__":
    main()
