from __future__ import annotations

import hashlib
import io
import struct
import subprocess
import sys
import zlib
from collections import Counter
from dataclasses import fields

import numpy as np
import pyarrow.parquet as pq
import pytest
from PIL import Image

from ingest.errors import Refused
from ingest.freeze import freeze_rows, read_freezes
from ingest.landing import read_register, verify
from ingest.project import Project
from ingest.specimen.canvas import COLOURS, png_bytes
from ingest.specimen.run import run_systems
from ingest.specimen.sheet import SHEET, write_sheet
from ingest.specimen.suite import (
    FROZEN_AT,
    SUITE,
    draw,
    exposure_effects,
    frozen_items,
    land_suite,
    make_exposures,
    make_items,
    parts,
)
from ingest.specimen.systems import FAULTS, Asked, training_set
from tests.support import REPOSITORY, make_project, plan, query

SYSTEMS = {"majority", "memoriser", "clerk", "hasty", "flaky", "cloud"}


@pytest.fixture(scope="module")
def items():
    return make_items()


@pytest.fixture(scope="module")
def part_of(items):
    effects = exposure_effects(Project(REPOSITORY))
    return parts([i.item_id for i in items], [(e.item_id, e.kind) for e in make_exposures(items)], effects)


@pytest.fixture(scope="module")
def ran(tmp_path_factory):
    """A planned project in which the systems ran twice, with a smaller training set than the demo's."""
    project = make_project(tmp_path_factory.mktemp("specimen") / "project")
    assert land_suite(project) is True
    assert land_suite(project) is False
    runs = [run_systems(project, per_family=50) for _ in range(2)]
    plan(project)
    return project, runs


def test_the_committed_freeze_is_of_these_items(items):
    rows = freeze_rows(
        SUITE, frozen_items(items, make_exposures(items), exposure_effects(Project(REPOSITORY))), FROZEN_AT
    )
    assert [r for r in read_freezes(Project(REPOSITORY)) if r.suite == SUITE] == rows


def test_another_process_draws_the_same_bytes(items):
    """Also under another hash seed: nothing may hang on the order of a set."""
    script = (
        "import hashlib; from ingest.specimen.suite import make_items\n"
        "print(hashlib.sha256(b''.join(i.png for i in make_items())).hexdigest())"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=REPOSITORY,
        env={"PYTHONHASHSEED": "77"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == hashlib.sha256(b"".join(i.png for i in items)).hexdigest()


def test_counts(items, part_of):
    assert len(items) == len({i.item_id for i in items}) == len({i.image_sha256 for i in items}) == 340
    assert len({i.family for i in items}) >= 5
    assert {i.difficulty for i in items} == {"easy", "medium", "hard"}
    assert {i.track for i in items} == {"core", "everyday_photo"}
    assert {len(i.options) for i in items} == {2, 3, 4, 5, 6}
    assert all(i.gold in i.options and len(set(i.options)) == len(i.options) for i in items)
    assert Counter(part_of.values()) == {"public": 100, "sealed": 220, "retired": 20}
    by_family = Counter((i.family, part_of[i.item_id]) for i in items)
    matched = [
        family
        for family in {i.family for i in items}
        if min(by_family[family, "public"], by_family[family, "sealed"]) >= 10
    ]
    assert len(matched) >= 2
    assert by_family["pie_charts", "sealed"] == by_family["pages", "public"] == 0


def test_exposures_precede_the_freeze_and_know_their_kinds(items, part_of):
    effects = exposure_effects(Project(REPOSITORY))
    exposures = make_exposures(items)
    assert all(e.seen_at < FROZEN_AT for e in exposures)
    assert {effects[e.kind] for e in exposures} == {"public", "retired", "disclosed"}
    assert len({e.kind for e in exposures}) >= 6
    without_gold = [e.item_id for e in exposures if e.kind == "sent_without_gold"]
    assert without_gold and all(part_of[item_id] == "sealed" for item_id in without_gold)


def test_gold_does_not_hang_on_its_place(items):
    places = Counter(i.options.index(i.gold) for i in items if len(i.options) == 4)
    assert min(places.values()) > 0.1 * sum(places.values())


def test_pictures_are_valid_png_without_other_content(items):
    """Read by the PNG specification here, and by Pillow, whose encoder is not used."""
    for item in items[::17]:
        data, kinds, at = item.png, [], 8
        while at < len(data):
            (length,) = struct.unpack(">I", data[at : at + 4])
            kind, body = data[at + 4 : at + 8], data[at + 8 : at + 8 + length]
            assert struct.unpack(">I", data[at + 8 + length : at + 12 + length]) == (zlib.crc32(kind + body),)
            kinds.append(kind)
            if kind == b"IDAT":
                assert len(zlib.decompress(body)) == 144 * 193
            at += 12 + length
        assert kinds == [b"IHDR", b"PLTE", b"IDAT", b"IEND"]
        with Image.open(io.BytesIO(data)) as image:
            image.load()
            assert (image.size, image.mode, image.info) == ((192, 144), "P", {})


def test_pixels_survive_the_encoder():
    _, drawing = draw("some seed", "shapes", 1)
    decoded = Image.open(io.BytesIO(png_bytes(drawing.image))).convert("RGB")
    colours = drawing.image.getcolors(1 << 16)
    assert len(colours) <= 256
    assert np.array_equal(np.asarray(decoded), np.asarray(drawing.image))


def pixels(item) -> np.ndarray:
    return np.asarray(Image.open(io.BytesIO(item.png)).convert("RGB")).astype(int)


def test_golds_of_bar_charts_are_in_the_pixels(items):
    """Measured by hand: the column in the middle of each bar, from the axis up."""
    charts = [i for i in items if i.family == "bar_charts"]
    for item in charts:
        rgb = pixels(item)
        vivid = rgb.max(axis=2) - rgb.min(axis=2) > 60
        slot = 164 / len(item.options)
        centres = [round(20 + slot * (k + 0.5)) for k in range(len(item.options))]
        heights = [vivid[10:122, c - 3 : c + 4].mean(axis=1).round().sum() for c in centres]
        extreme = np.argmax(heights) if "tallest" in item.question else np.argmin(heights)
        assert item.options[extreme] == item.gold, item.item_id


def test_golds_of_pie_charts_are_in_the_pixels(items):
    charts = [i for i in items if i.family == "pie_charts"]
    for item in charts:
        rgb = pixels(item)
        areas = {name: (np.abs(rgb - colour).sum(axis=2) < 9).sum() for name, colour in COLOURS.items()}
        if item.options == ("yes", "no"):
            asked = next(name for name in COLOURS if name in item.question)
            found = "yes" if areas[asked] > sum(areas.values()) / 2 else "no"
        else:
            found = max(areas, key=areas.get)
        assert found == item.gold, item.item_id


def test_golds_of_easy_shelves_are_in_the_pixels(items):
    """Boxes of the asked colour, counted as separate runs of columns on each shelf."""
    for item in (i for i in items if i.family == "inventory" and i.difficulty == "easy"):
        rgb = pixels(item)
        name = next(name for name in COLOURS if name in item.question)
        found = 0
        for shelf in range(3):
            row = rgb[44 + 42 * shelf - 4]
            inside = np.abs(row - COLOURS[name]).sum(axis=1) < 9
            found += int((inside[1:] & ~inside[:-1]).sum())
        assert str(found) == item.gold, item.item_id


def test_systems_are_shown_no_gold(items):
    assert [f.name for f in fields(Asked)] == ["item_id", "question", "options", "png"]
    own = {i.image_sha256 for i in items}
    trained_on = {hashlib.sha256(e.asked.png).hexdigest() for e in training_set(40)}
    assert not own & trained_on


def test_the_contact_sheet_shows_only_what_is_on_record(tmp_path, items):
    write_sheet(tmp_path)
    drawn = np.asarray(Image.open(tmp_path / SHEET).convert("RGB"))
    committed = np.asarray(Image.open(REPOSITORY / SHEET).convert("RGB"))
    assert np.array_equal(drawn, committed)
    assert (REPOSITORY / SHEET).stat().st_size < 200_000
    assert len({e.item_id for e in make_exposures(items) if e.place == SHEET}) >= 20


def test_images_are_sealed_and_as_frozen(ran, items):
    project, _ = ran
    folder = project.warehouse / "sealed" / "images" / SUITE
    assert folder.stat().st_mode & 0o777 == 0o700
    rows = {
        r["item_id"]: r
        for r in pq.read_table(project.warehouse / f"sealed/items/suite.{SUITE}.parquet").to_pylist()
    }
    for item in items:
        row = rows[item.item_id]
        assert (
            hashlib.sha256((project.warehouse / row["image_path"]).read_bytes()).hexdigest()
            == (row["image_sha256"])
        )


def test_a_changed_picture_stops_the_run(tmp_path):
    project = make_project(tmp_path / "project")
    land_suite(project)
    path = project.warehouse / "sealed" / "images" / SUITE / "pages-003.png"
    path.write_bytes(path.read_bytes()[:-1])
    before = project.register.read_bytes()
    with pytest.raises(Refused, match=r"pages-003\.png: is not the frozen picture"):
        run_systems(project)
    assert project.register.read_bytes() == before


def test_evidence_is_whole(ran):
    project, runs = ran
    assert verify(project) == []
    tables = {line.table_name for line in read_register(project) if line.run_id == runs[0]}
    assert tables == {
        "runs", "systems", "observations", "dispatches", "calls", "probabilities", "requests", "gpu_usage"
    }  # fmt: skip
    (counts,) = query(
        project,
        """
        SELECT
          (SELECT COUNT(*) FROM staging.observations) AS planned,
          (SELECT COUNT(*) FROM staging.observations WHERE phase = 'warmup' AND repeat = -1) AS warmups,
          (SELECT COUNT(DISTINCT system) FROM staging.observations) AS systems,
          (SELECT COUNT(*) FROM staging.calls SEMI JOIN splits.item_parts USING (suite, item_id)
           WHERE (suite, item_id) IN (SELECT (suite, item_id) FROM splits.item_parts WHERE part = 'retired')
          ) AS retired_calls,
          (SELECT COUNT(*) FROM staging.calls WHERE status <> 'skipped' AND wall_ms IS NULL) AS untimed
        """,
    )
    assert counts == {
        "planned": 2 * 6 * 321,
        "warmups": 2 * 6,
        "systems": 6,
        "retired_calls": 0,
        "untimed": 0,
    }


def test_every_outcome_occurs(ran):
    project, _ = ran
    outcomes = {
        row["outcome"] for row in query(project, "SELECT DISTINCT outcome FROM outcomes.item_outcomes")
    }
    assert outcomes == {
        "correct", "wrong", "missing", "skipped", "refused", "empty_answer", "invalid_answer",
        "invalid_probability_keys", "invalid_probability_values", "invalid_probability_sum",
        "answer_not_argmax", "failed", "timeout", "http_4xx", "http_5xx",
    }  # fmt: skip


def test_every_fault_occurs(ran):
    """Two faults leave no outcome of their own: a cut input, and an answer from a cache."""
    project, _ = ran
    assert len(FAULTS) == 18
    (found,) = query(
        project,
        """
        SELECT
          COUNT(*) FILTER (calls.truncated) AS cut,
          COUNT(*) FILTER (calls.served_from_cache) AS cached,
          COUNT(*) FILTER (calls.observation_id IS NULL AND dispatches.at IS NOT NULL) AS lost
        FROM staging.observations AS observations
        LEFT JOIN staging.calls AS calls USING (run_id, observation_id)
        LEFT JOIN staging.dispatches AS dispatches USING (run_id, observation_id)
        WHERE observations.system = 'flaky'
        """,
    )
    assert min(found.values()) > 0, found


def test_the_memoriser_memorised(ran):
    project, _ = ran
    (row,) = query(project, "FROM board.leaderboard WHERE system = 'memoriser' AND track = 'all'")
    assert row["public_correct"] == row["public_n"] == 100
    assert row["matched_gap_pp"] > 15 and row["overfit_factor"] < 1


def test_the_honest_ones_are_honest_and_differ_in_calibration(ran):
    project, _ = ran
    rows = {r["system"]: r for r in query(project, "FROM board.leaderboard WHERE track = 'all'")}
    assert set(rows) == SYSTEMS
    assert rows["clerk"]["intelligence"] > 50
    assert min(rows[s]["overfit_factor"] for s in ("clerk", "hasty", "cloud")) > 0.9
    assert rows["memoriser"]["overfit_factor"] < 0.6
    assert rows["clerk"]["calibration"] > rows["hasty"]["calibration"] + 5
    assert rows["majority"]["calibration"] == 0
    assert rows["flaky"]["composite"] is None  # no price is on record
    assert 0.8 < rows["cloud"]["receipt_coverage"] < 1


def test_answers_do_not_hang_on_the_run(ran):
    """Same suite, same seeds: both runs answer alike, call by call."""
    project, runs = ran
    first, second = (
        query(
            project,
            "SELECT observation_id, status, answer FROM staging.calls WHERE run_id = ? ORDER BY ALL",
            [run_id],
        )
        for run_id in runs
    )
    assert first == second


def test_the_newer_run_counts(ran):
    project, (first, second) = ran
    standing = query(project, "SELECT run_id, system, standing FROM outcomes.run_standing")
    assert {(r["run_id"], r["standing"]) for r in standing} == {(first, "superseded"), (second, "current")}
    assert {r["system"] for r in standing if r["run_id"] == second} == SYSTEMS


def test_usage_is_the_time_of_the_calls(ran):
    project, (_, run_id) = ran
    rows = query(
        project,
        """
        WITH calls AS (
          SELECT calls.system, items.track, SUM(calls.wall_ms) / 1000 AS seconds, COUNT(*) AS calls
          FROM staging.calls AS calls INNER JOIN staging.items AS items USING (suite, item_id)
          WHERE calls.run_id = ? AND calls.phase = 'measured' GROUP BY ALL
        )
        SELECT usage.seconds, usage.calls, calls.seconds AS call_seconds, calls.calls AS call_count
        FROM staging.gpu_usage AS usage LEFT JOIN calls USING (system, track)
        WHERE usage.run_id = ? AND usage.interval_kind = 'inference'
        """,
        [run_id, run_id],
    )
    assert len(rows) == 4 * 2
    for row in rows:
        assert row["seconds"] == pytest.approx(row["call_seconds"])
        assert row["calls"] == row["call_count"]


def test_receipts_of_the_cloud(ran):
    project, (_, run_id) = ran
    (found,) = query(
        project,
        """
        SELECT
          COUNT(DISTINCT system) AS systems, COUNT(DISTINCT request_id) = COUNT(request_id) AS ids_differ,
          COUNT(*) FILTER (billed_cost_usd IS NULL AND cost_status = 'unknown' AND status = 'ok') AS missing,
          COUNT(*) FILTER (attempt = 2 AND billed_cost_usd > 0) AS billed_retries,
          COUNT(*) FILTER (requests.status = 'invalid' AND billed_cost_usd > 0) AS billed_unreadable,
          BOOL_AND((billed_cost_usd IS NULL) = (input_tokens IS NULL)) AS tokens_with_cost
        FROM staging.requests AS requests INNER JOIN (
          SELECT run_id, observation_id, system FROM staging.observations
        ) USING (run_id, observation_id)
        WHERE run_id = ?
        """,
        [run_id],
    )
    assert found["systems"] == 1 and found["ids_differ"] and found["tokens_with_cost"]
    assert min(found["missing"], found["billed_retries"], found["billed_unreadable"]) > 0


def test_errors_are_recorded_by_class_alone(ran):
    project, _ = ran
    kinds = {r["error_type"] for r in query(project, "SELECT DISTINCT error_type FROM staging.calls")}
    assert kinds == {None, "ValueError", "TimeoutError", "ProviderError"}
