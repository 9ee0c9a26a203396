"""The one error that a user's mistake ends in."""

from __future__ import annotations


class Refused(Exception):
    """Input or state that jevhouse will not act on.

    ``str()`` is one line that names the place, the problem and the mend. It never carries a key, a provider's
    body or the content of an item.
    """

    def __init__(
        self, problem: str, *, file: object = None, row: int | None = None, field: str = "", mend: str = ""
    ):
        place = []
        if file is not None:
            place.append(str(file))
        if row is not None:
            place.append(f"row {row}")
        if field:
            place.append(f"field {field}")
        line = f"{', '.join(place)}: {problem}" if place else problem
        super().__init__(f"{line} ({mend})" if mend else line)
