"""What an import of a document run keeps, and what it refuses without a trace."""

from __future__ import annotations

import json

import pytest

from ingest.errors import Refused
from ingest.importers.documents import import_runs
from ingest.landing import read_register
from tests import document_runs as runs
from tests.support import SHARED, needs_shared, run


@pytest.fixture
def of():
    return runs.truth()


@pytest.fixture
def rows(of):
    return runs.plan(of)


def refuse(project, folder, *words, truth=None):
    """The import is refused with every word, and nothing has landed."""
    before = project.register.read_bytes()
    with pytest.raises(Refused) as refused:
        import_runs(project, [folder], truth)
    for word in words:
        assert word in str(refused.value)
    assert "\n" not in str(refused.value)
    assert project.register.read_bytes() == before


def test_same_folder_again_is_a_no_op_that_says_so(project, tmp_path, of, rows):
    folder = runs.write(tmp_path / "again", of, rows, [runs.answer(r, of) for r in rows])
    assert "complete" in import_runs(project, [folder])[0]
    before = project.register.read_bytes()
    assert import_runs(project, [folder]) == ["again: has landed already, unchanged; nothing to do"]
    assert project.register.read_bytes() == before
    (folder / "raw.jsonl").write_text((folder / "raw.jsonl").read_text().replace("12.0", "13.0"))
    refuse(project, folder, "has landed with other content")


def test_items_land_once_for_all_runs_of_a_suite(project, tmp_path, of, rows):
    for name in ("one", "two"):
        import_runs(project, [runs.write(tmp_path / name, of, rows, [runs.answer(r, of) for r in rows])])
    assert [line.run_id for line in read_register(project) if line.table_name == "items"] == ["suite.hand-v1"]
    freezes = (project.seeds / "freezes.csv").read_text().splitlines()
    assert sorted(line.split(",")[1:6] for line in freezes if line.startswith("hand-v1")) == [
        ["classify", "public", "other", "unrated", "1"],
        ["classify", "public", "press", "unrated", "1"],
        ["classify", "public", "tax", "unrated", "2"],
        ["split", "public", "packet", "unrated", "2"],
    ]


def test_truth_that_changed_since_its_freeze_is_refused(project, tmp_path, of, rows):
    import_runs(project, [runs.write(tmp_path / "one", of, rows, [runs.answer(r, of) for r in rows])])
    changed = json.loads(json.dumps(of))
    changed["classify"][0]["category"] = "press"
    folder = runs.write(tmp_path / "two", changed, rows, [runs.answer(r, changed) for r in rows])
    refuse(project, folder, "differs")


def test_cut_off_last_line_is_reported_and_the_rest_kept(project, tmp_path, of, rows):
    records = [runs.answer(r, of) for r in rows]
    folder = runs.write(tmp_path / "cut", of, rows, records[:-1], tail=json.dumps(records[-1])[:40])
    lines = import_runs(project, [folder])
    assert lines[0].startswith(f"cut: incomplete; {len(rows)} observations")
    assert f"{len(rows) - 1} calls" in lines[0]
    assert "cut: raw.jsonl: the last line is cut off; the records before it are kept" in lines


def test_corruption_inside_the_file(project, tmp_path, of, rows):
    folder = runs.write(tmp_path / "corrupt", of, rows, [runs.answer(r, of) for r in rows])
    lines = (folder / "raw.jsonl").read_text().splitlines()
    (folder / "raw.jsonl").write_text("\n".join([lines[0], lines[1][:50], *lines[2:]]))
    refuse(project, folder, "corrupt/raw.jsonl", "row 2")


def test_duplicate_terminal_record(project, tmp_path, of, rows):
    records = [runs.answer(r, of) for r in rows]
    folder = runs.write(tmp_path / "twice", of, rows, [*records, records[3]])
    refuse(project, folder, "twice/raw.jsonl", f"row {len(rows) + 1}", "the first is row 4")


def test_duplicate_start(project, tmp_path, of, rows):
    folder = runs.write(
        tmp_path / "twice",
        of,
        rows,
        [],
        starts=[runs.start(rows[0]), runs.start(rows[1]), runs.start(rows[0])],
    )
    refuse(project, folder, "twice/events.jsonl", "row 3")


def test_record_that_the_matrix_does_not_know(project, tmp_path, of, rows):
    records = [runs.answer(r, of) for r in rows]
    folder = runs.write(
        tmp_path / "foreign", of, [*rows[:-1], rows[-1] | {"observation_id": "else"}], records
    )
    refuse(project, folder, "foreign/", "matrix does not know")


def test_record_that_contradicts_its_plan_row(project, tmp_path, of, rows):
    records = [runs.answer(r, of) for r in rows]
    records[2] |= {"concurrency": 4}
    folder = runs.write(tmp_path / "off", of, rows, records)
    refuse(project, folder, "off/raw.jsonl", "row 3", "concurrency")


@pytest.mark.parametrize("where", ["pages", "document", "manifest", "receipt"])
def test_hash_that_differs(project, tmp_path, of, rows, where):
    records = [runs.answer(r, of) for r in rows]
    manifest = {"status": "complete", "source_hashes": {"c1": runs.sha("c1")}}
    if where == "document":
        records[1]["result"]["document"]["sha256"] = runs.sha("another")
    if where == "pages":
        manifest["parsed_artifacts"] = {"dev-c": {"pages_sha256": runs.sha("other pages")}}
    if where == "manifest":
        manifest["source_hashes"]["c1"] = runs.sha("another")
    if where == "receipt":
        manifest["preparation_receipt"] = {"receipt_sha256": "a"}
    folder = runs.write(tmp_path / "hash", of, rows, records, manifest=manifest)
    if where == "receipt":
        (folder / "preparation.json").write_text(json.dumps({"receipt_sha256": "b", "items": {}}))
    refuse(project, folder, {"pages": "row 1", "document": "row 2"}.get(where, "hash"))


def test_unknown_status_and_bad_truth(project, tmp_path, of, rows):
    folder = runs.write(tmp_path / "odd", of, rows, [runs.answer(rows[0], of, status="fine")])
    refuse(project, folder, "unknown status", "row 1")
    record = runs.answer(rows[0], of, requests=[runs.request(rows[0], status="lost")])
    (folder / "raw.jsonl").write_text(json.dumps(record))
    refuse(project, folder, "unknown status", "row 1", "requests")
    of["split"][0]["segments"][0]["pages"] = [2, 1]
    (folder / "truth.json").write_text(json.dumps(of))
    (folder / "raw.jsonl").write_text("")
    refuse(project, folder, "do not cover its pages")


def test_error_texts_and_answers_never_land(project, tmp_path, of, rows):
    secret = "sk-secret said the provider, at length"
    record = runs.failure(rows[0], "Timeout", error={"type": secret, "message": secret}, skip_reason=secret)
    record["requests"] = [runs.request(rows[0], status="error", error_code=secret)]
    import_runs(project, [runs.write(tmp_path / "quiet", of, rows, [record])])
    for path in project.warehouse.rglob("*.parquet"):
        assert b"sk-secret" not in path.read_bytes()


def test_folder_without_plan_or_record_is_refused_and_without_matrix_is_read(project, tmp_path, of, rows):
    refuse(project, runs.write(tmp_path / "void", of, rows, [], manifest={}), "neither a plan nor a record")
    records = [runs.answer(r, of) for r in rows]
    for record in records:
        for name in ("observation_id", "source_id", "request_count_complete", "usage_unknown"):
            del record[name]
    folder = runs.write(tmp_path / "legacy", of, rows, records, starts=[], manifest={})
    (folder / "events.jsonl").unlink()
    lines = import_runs(project, [folder])
    assert lines[0].startswith(f"legacy: complete; {len(rows)} observations, 0 dispatches, {len(rows)} calls")
    assert any("inferred" in line for line in lines)


@needs_shared
def test_command_shows_one_line_and_no_traceback(project):
    folder = SHARED / "evidence" / "documents" / "real-small-v1-run01"
    done = run(project, "jevhouse", "ingest", "documents", str(folder))
    assert "100 observations, 100 dispatches, 100 calls, 100 requests" in done.stdout
    done = run(project, "jevhouse", "ingest", "documents", str(folder / "nothing"), check=False)
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert "is not a run folder" in done.stderr
