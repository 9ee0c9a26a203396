from __future__ import annotations

import hashlib
from dataclasses import replace
from datetime import datetime

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ingest.errors import Refused
from ingest.freeze import FrozenItem, freeze_rows, items_sha256, read_freezes, write_freeze
from ingest.items import content_sha256, options_sha256

AT = datetime(2026, 9, 1, 8, 30)


def items(count: int = 5) -> list[FrozenItem]:
    return [
        FrozenItem(f"i{n}", "public" if n < 2 else "sealed", "core", "f", "easy", f"{n:064x}")
        for n in range(count)
    ]


def test_hashes_of_a_worked_case():
    """Each string is what one types into sha256sum."""
    assert options_sha256(["ja", "né"]) == hashlib.sha256('["ja","né"]'.encode()).hexdigest()
    assert content_sha256("Why?", ["a", "b"], None, "ff") == (
        hashlib.sha256(b'["Why?",["a","b"],null,"ff"]').hexdigest()
    )
    assert items_sha256({"b": "2", "a": "1"}) == hashlib.sha256(b"a:1\nb:2").hexdigest()


@settings(deadline=None)
@given(
    st.dictionaries(
        st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1), st.text("0f"), min_size=1
    )
)
def test_items_hash_is_the_one_that_sql_computes(hashes):
    with duckdb.connect() as connection:
        connection.execute("CREATE TABLE items (item_id TEXT, content_sha256 TEXT)")
        connection.executemany("INSERT INTO items VALUES (?, ?)", list(hashes.items()))
        (found,) = connection.execute(
            "SELECT SHA256(STRING_AGG(item_id || ':' || content_sha256, CHR(10) ORDER BY item_id)) FROM items"
        ).fetchone()
    assert items_sha256(hashes) == found


def test_rows_count_every_item_once():
    rows = freeze_rows("s", reversed(items()), AT)
    assert [(r.part, r.item_count, r.frozen_at) for r in rows] == [
        ("public", 2, "2026-09-01 08:30:00"),
        ("sealed", 3, "2026-09-01 08:30:00"),
    ]
    assert rows == freeze_rows("s", items(), AT)


def test_written_once_and_kept(project):
    before = read_freezes(project)
    rows = freeze_rows("a-suite", items(), AT)
    assert write_freeze(project, rows) is True
    assert read_freezes(project) == sorted(before + rows)
    written = (project.seeds / "freezes.csv").read_bytes()
    later = freeze_rows("a-suite", items(), datetime(2027, 1, 1))
    assert write_freeze(project, later) is False
    assert (project.seeds / "freezes.csv").read_bytes() == written


CHANGES = {
    "an item more": items(6),
    "an item fewer": items(4),
    "another content": [*items(4), replace(items()[4], content_sha256="f" * 64)],
    "another part": [*items(4), replace(items()[4], part="retired")],
    "another family": [*items(4), replace(items()[4], family="g")],
}


@pytest.mark.parametrize("changed", CHANGES.values(), ids=CHANGES)
def test_a_frozen_suite_never_changes(project, changed):
    write_freeze(project, freeze_rows("a-suite", items(), AT))
    written = (project.seeds / "freezes.csv").read_bytes()
    with pytest.raises(Refused, match=r"a-suite is frozen otherwise.*a later change is a new suite version"):
        write_freeze(project, freeze_rows("a-suite", changed, AT))
    assert (project.seeds / "freezes.csv").read_bytes() == written
    assert write_freeze(project, freeze_rows("a-suite-2", changed, AT)) is True


def test_a_damaged_file_is_refused(project):
    path = project.seeds / "freezes.csv"
    path.write_text(path.read_text() + "s,t,public,f,easy,many,00,2026-09-01 00:00:00,x\n")
    with pytest.raises(Refused, match=r"freezes\.csv, row \d+: not a freeze line"):
        read_freezes(project)
