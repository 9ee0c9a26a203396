from __future__ import annotations

import csv
import gzip
import io
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from ingest.errors import Refused
from ingest.importers.published import COLUMNS, DERIVED, import_published
from ingest.landing import read_register
from ingest.project import Project
from tests.support import SHARED, needs_shared, run

ROW = {
    "board": "v9", "track": "all", "key": "sys_a", "name": "System A", "kind": "gpu", "api_flag": "0",
    "ranked": "1", "rank": "3", "score": "61.5", "intelligence": "60", "calibration": "62.5", "speed": "80",
    "cost": "50", "capability": "61.25", "public_n": "10", "public_correct": "8", "public_accuracy": "0.8",
    "public_ece": "0.05", "public_prob_cov": "1", "sealed_n": "20", "sealed_correct": "15",
    "sealed_accuracy": "0.75", "sealed_ece": "0.0625", "sealed_prob_cov": "0.95", "gap_screenspot_pp": "",
    "gap_everyday_pp": "", "matched_gap_pp": "-5.5", "penalty_multiplier": "1.0", "p50_s": "0.125",
    "p95_s": "0.25", "adjusted_p50_s": "0.4", "adjusted_p95_s": "0.65", "usd_per_1000": "0.02",
    "receipt_coverage": "1", "cost_source": "GPU seconds", "gate_i": "1.0", "gate_s": "1.0", "gate_c": "1.0",
    "note": "", "source": "a board, v9",
}  # fmt: skip


def write(path: Path, *rows: dict[str, str]) -> Path:
    text = io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    path.write_text(text.getvalue(), encoding="utf-8")
    return path


def landed(project: Project) -> list[dict]:
    return [
        row
        for line in read_register(project)
        if line.table_name == "published_results"
        for row in pq.read_table(project.warehouse / line.path).to_pylist()
    ]


def test_every_field_lands_as_written(project, tmp_path):
    run_id = import_published(project, write(tmp_path / "p.csv", ROW), "board-v9")
    assert landed(project) == [
        {
            "run_id": run_id, "source": "a board, v9", "suite": "board-v9", "track": "all", "system": "sys_a",
            "display_name": "System A", "endpoint_kind": "self_hosted", "probability_kind": "categorical",
            "api_flag": False, "ranked": True, "public_n": 10, "public_correct": 8, "public_ece": 0.05,
            "public_probability_coverage": 1.0, "sealed_n": 20, "sealed_correct": 15, "sealed_ece": 0.0625,
            "sealed_probability_coverage": 0.95, "matched_gap_pp": -5.5, "p50_s": 0.125, "p95_s": 0.25,
            "usd_per_1000": 0.02, "receipt_coverage": 1.0, "cost_source": "GPU seconds", "note": None,
            "published_rank": 3, "published_composite": 61.5, "published_intelligence": 60.0,
            "published_calibration": 62.5, "published_speed": 80.0, "published_cost": 50.0,
            "published_adjusted_p50_s": 0.4, "published_adjusted_p95_s": 0.65,
        }
    ]  # fmt: skip


def test_kinds(project, tmp_path):
    rows = [
        ROW | {"key": "a", "kind": "api"},
        ROW | {"key": "b", "kind": "demo", "public_prob_cov": "0", "sealed_prob_cov": "", "public_ece": ""},
        ROW | {"key": "c", "public_prob_cov": "", "sealed_prob_cov": "0.1"},
    ]
    import_published(project, write(tmp_path / "p.csv", *rows), "board-v9")
    assert [(r["endpoint_kind"], r["probability_kind"]) for r in landed(project)] == [
        ("hosted", "categorical"),
        ("demo", "label_only"),
        ("self_hosted", "categorical"),
    ]


def test_optional_columns(project, tmp_path):
    rows = [
        ROW | {"key": "a", "probability_kind": "entailment", "suite": "other-v1"},
        ROW | {"key": "b", "probability_kind": "", "suite": ""},
    ]
    import_published(project, write(tmp_path / "p.csv", *rows), "board-v9")
    assert [(r["probability_kind"], r["suite"]) for r in landed(project)] == [
        ("entailment", "other-v1"),
        ("categorical", "board-v9"),
    ]


def test_the_same_file_again_is_nothing_to_do(project, tmp_path):
    file = write(tmp_path / "p.csv", ROW)
    first = run(project, "jevhouse", "ingest", "published", str(file), "--suite", "board-v9")
    assert first.stdout.startswith("landed as published.")
    register = project.register.read_bytes()
    again = run(project, "jevhouse", "ingest", "published", str(file), "--suite", "board-v9")
    assert again.stdout == "p.csv has landed already: nothing to do\n"
    assert project.register.read_bytes() == register


def test_another_file_may_not_bring_the_same_system(project, tmp_path):
    run_id = import_published(project, write(tmp_path / "p.csv", ROW), "board-v9")
    newer = write(tmp_path / "q.csv", ROW | {"key": "sys_b"}, ROW | {"public_correct": "9"})
    with pytest.raises(Refused, match=rf"q\.csv, row 3, field key: sys_a on track all .* with {run_id}"):
        import_published(project, newer, "board-v9")
    with (project.seeds / "rejections.csv").open("a") as handle:
        handle.write(f"{run_id},corrected by its author,2026-10-01\n")
    assert import_published(project, newer, "board-v9")


BAD_CELLS = {
    "track": ("", "is empty"),
    "key": ("", "is empty"),
    "kind": ("tpu", "not one of gpu, api, demo"),
    "api_flag": ("yes", "not 0 or 1"),
    "ranked": ("2", "not 0 or 1"),
    "rank": ("1st", "not a whole number"),
    "name": ("A\x1b[31m", "not one line"),
    "score": ("101", "outside 0 to 100"),
    "public_n": ("", "not a whole number"),
    "public_correct": ("11", "11 right answers of 10 items"),
    "public_ece": ("nan", "not a finite number"),
    "public_prob_cov": ("1.5", "outside 0 to 1"),
    "sealed_n": ("-3", "not a whole number"),
    "sealed_correct": ("8.0", "not a whole number"),
    "matched_gap_pp": ("five", "not a number"),
    "p50_s": ("0", "is zero"),
    "p95_s": ("inf", "not a finite number"),
    "usd_per_1000": ("-0.1", "outside 0"),
    "receipt_coverage": ("90%", "not a number"),
    "source": (" ", "is empty"),
    "probability_kind": ("maybe", "not one of categorical"),
    "suite": ("../x", "not a key"),
}


@pytest.mark.parametrize(("column", "bad"), BAD_CELLS.items(), ids=BAD_CELLS)
def test_a_malformed_cell_is_named(project, tmp_path, column, bad):
    cell, words = bad
    extra = {"probability_kind": "", "suite": ""}
    file = write(tmp_path / "p.csv", ROW | extra, ROW | extra | {"key": "sys_b"} | {column: cell})
    done = run(project, "jevhouse", "ingest", "published", str(file), check=False)
    assert done.returncode == 1 and done.stdout == ""
    (line,) = done.stderr.splitlines()
    assert f"p.csv, row 3, field {column}: " in line and words in line
    assert read_register(project) == []


OTHER_BAD_CELLS = [
    ("public_n", "99999999999999999999999", "too large"),
    ("sealed_n", "9223372036854775808", "too large"),
    ("rank", "9" * 5000, "too large"),
    ("score", "1_0", "not a number"),
    ("p95_s", "0.1", "0.1 s is below the p50 of 0.125 s"),
    ("adjusted_p95_s", "0.39", "below the p50 of 0.4 s"),
    ("key", "sys b", "not a key"),
    ("key", "s" * 121, "not a key"),
    ("track", "to day", "not a key"),
    ("name", "A\0B", "not one line"),
    ("name", "A\nB", "not one line"),
    ("kind", "x" * 5000, "not one of gpu"),
]


@pytest.mark.parametrize(("column", "cell", "words"), OTHER_BAD_CELLS)
def test_another_malformed_cell_is_named(project, tmp_path, column, cell, words):
    with pytest.raises(Refused, match=rf"p\.csv, row \d, field {column}: .*{words}") as refusal:
        import_published(project, write(tmp_path / "p.csv", ROW | {column: cell}), "board-v9")
    assert len(str(refusal.value).splitlines()) == 1 and len(str(refusal.value)) < 400
    assert read_register(project) == []


KNOWN = ROW | {"public_n": "228", "public_correct": "200", "sealed_n": "456", "sealed_correct": "400"}
OTHER_PARTS = [
    ({"public_n": "230"}, "public_n: 230 items, but the public part of image-v0.1 on track all has 228"),
    ({"public_n": "0", "public_correct": "0"}, "public_n: 0 items"),
    ({"sealed_n": "0", "sealed_correct": "0"}, "sealed_n: 0 items"),
    ({"track": "moon"}, "track: suite image-v0.1 has no such track"),
    ({"track": "core"}, "public_n: 228 items, but the public part of image-v0.1 on track core has 139"),
]


@pytest.mark.parametrize(("changes", "words"), OTHER_PARTS)
def test_a_known_suite_has_its_own_denominators(project, tmp_path, changes, words):
    file = write(tmp_path / "p.csv", KNOWN | {"key": "sys_b"}, KNOWN | changes)
    with pytest.raises(Refused) as refusal:
        import_published(project, file, "image-v0.1")
    assert f"p.csv, row 3, field {words}" in str(refusal.value)
    assert read_register(project) == []
    assert import_published(project, write(tmp_path / "good.csv", KNOWN), "image-v0.1")


def test_a_suite_frozen_here_has_its_own_denominators(project, tmp_path):
    with (project.seeds / "freezes.csv").open(newline="") as handle:
        frozen = [r for r in csv.DictReader(handle) if r["suite"] == "specimen-v1"]
    sizes = {
        f"{part}_n": str(sum(int(r["item_count"]) for r in frozen if r["part"] == part))
        for part in ("public", "sealed")
    }
    with pytest.raises(Refused, match="row 2, field public_n: 10 items, but the public part of specimen-v1"):
        import_published(project, write(tmp_path / "p.csv", ROW), "specimen-v1")
    assert import_published(project, write(tmp_path / "q.csv", ROW | sizes), "specimen-v1")


@pytest.mark.parametrize("suite", ["", "my suite", "../x", "s" * 121])
def test_a_suite_needs_a_key(project, tmp_path, suite):
    with pytest.raises(Refused, match=r"^field --suite: cannot name a suite"):
        import_published(project, write(tmp_path / "p.csv", ROW), suite)


def test_blank_lines_are_read_over(project, tmp_path):
    file = write(tmp_path / "p.csv", ROW, ROW | {"key": "sys_b", "rank": "x"})
    header, first, second = file.read_text().splitlines()
    file.write_text("\n".join([header, "", first, "  ", second, ""]))
    with pytest.raises(Refused, match="row 5, field rank"):
        import_published(project, file, "board-v9")
    file.write_text("\n".join(["", header, "", first, "", ""]))
    import_published(project, file, "board-v9")
    assert [r["system"] for r in landed(project)] == ["sys_a"]


BAD_FILES = {
    "unknown column": (lambda t: t.replace("note,", "mood,", 1), "row 1, field mood: unknown column"),
    "absent column": (
        lambda t: t.replace("p50_s,", "", 1).replace("0.125,", "", 1),
        "row 1, field p50_s: column is absent",
    ),
    "column twice": (lambda t: t.replace("board,", "note,", 1), "row 1, field note: stands twice"),
    "short line": (lambda t: t + "v9,all\n", "row 3: 2 cells under a header of 40"),
    "open quote": (lambda t: t + '"v9', "row 3: not CSV"),
    "system twice": (lambda t: t + t.splitlines()[1] + "\n", "row 3, field key: a second line for sys_a"),
    "only a header": (lambda t: t.splitlines()[0] + "\n", "holds no line"),
    "empty": (lambda t: "", "p.csv: is empty"),
    "blank": (lambda t: " \n\n", "p.csv: is empty"),
    "semicolons": (lambda t: t.replace(",", ";"), "row 1: columns are parted by semicolons"),
    "tabs": (lambda t: t.replace(",", "\t"), "row 1: columns are parted by tabs"),
    "open quote in the header": (lambda t: '"' + t, "not CSV"),
    "a long column": (lambda t: "x" * 5000 + "\n" + t, f"row 1, field {'x' * 40}…: unknown column"),
}


@pytest.mark.parametrize(("damage", "words"), BAD_FILES.values(), ids=BAD_FILES)
def test_a_malformed_file_is_refused(project, tmp_path, damage, words):
    file = write(tmp_path / "p.csv", ROW)
    file.write_text(damage(file.read_text()))
    with pytest.raises(Refused) as refusal:
        import_published(project, file, "board-v9")
    assert words in str(refusal.value) and "p.csv" in str(refusal.value)
    assert read_register(project) == []


def test_files_that_cannot_be_read(project, tmp_path):
    with pytest.raises(Refused, match=r"absent\.csv: cannot be read"):
        import_published(project, tmp_path / "absent.csv", "s")
    text = write(tmp_path / "p.csv", ROW).read_text()
    for content, words in (
        (text.replace("System", "Système").encode("latin-1"), "looks like Latin-1"),
        (text.encode("utf-16"), "looks like UTF-16"),
        (text.encode("utf-16-be"), "looks like UTF-16"),
        (gzip.compress(text.encode()), "binary"),
    ):
        (tmp_path / "other.csv").write_bytes(content)
        with pytest.raises(Refused, match=rf"other\.csv: is not UTF-8 but {words}"):
            import_published(project, tmp_path / "other.csv", "s")


@needs_shared
def test_the_published_board(project):
    file = SHARED / "evidence" / "image-board" / "published.csv"
    import_published(project, file, "image-v0.1")
    with file.open(newline="") as handle:
        reader = csv.DictReader(handle)
        assert set(reader.fieldnames) == set(COLUMNS) | set(DERIVED)
        published = {(r["key"], r["track"]): r for r in reader}
    rows = landed(project)
    assert len(rows) == len(published) == 105
    for row in rows:
        cells = published[row["system"], row["track"]]
        assert repr(row["published_composite"]) == repr(float(cells["score"]))
        assert repr(row["usd_per_1000"]) == repr(float(cells["usd_per_1000"]))
    nli = [r for r in rows if r["system"] == "openjev_4b_nli"]
    assert {r["probability_kind"] for r in nli} == {"label_only"}
