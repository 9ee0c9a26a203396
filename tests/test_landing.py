from __future__ import annotations

import random
import shutil
import signal
import subprocess
import sys
import time
from datetime import datetime

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from ingest.contract import TABLES
from ingest.errors import Refused
from ingest.landing import evidence_views, land, read_register, sha256_of, verify
from ingest.project import Project
from tests.support import REPOSITORY, run

AT = datetime(2026, 9, 1, 12)


def exposures(run_id: str, count: int = 3, /, **changes) -> pa.Table:
    """Rows of a small table of the contract; ``changes`` replace or add columns."""
    columns = {
        "run_id": [run_id] * count,
        "suite": ["s"] * count,
        "item_id": [f"i{n}" for n in range(count)],
        "kind": ["shown_publicly"] * count,
        "place": ["a page"] * count,
        "seen_at": [AT] * count,
    }
    return pa.table(columns | changes)


def usage(run_id: str, seconds: pa.Array) -> pa.Table:
    count = len(seconds)
    return pa.table(
        {
            "run_id": [run_id] * count,
            "suite": ["s"] * count,
            "system": ["x"] * count,
            "interval_kind": ["inference"] * count,
            "interval_sequence": list(range(1, count + 1)),
            "gpu_type": ["cpu"] * count,
            "seconds": seconds,
        }
    )


def files(project: Project) -> list[str]:
    """Every file that a landing may leave, temporary ones included."""
    return sorted(
        p.relative_to(project.warehouse).as_posix()
        for store in ("evidence", "sealed")
        for p in (project.warehouse / store).rglob("*")
        if p.is_file()
    )


def test_lands_sorted_registered_and_readable(project):
    shuffled = exposures("r1").take([2, 0, 1])
    (line,) = land(project, "r1", {"exposures": shuffled}, "a  test\nof landing")
    path = project.warehouse / line.path
    assert line.path == "evidence/exposures/r1.parquet"
    assert (line.table_name, line.run_id, line.row_count) == ("exposures", "r1", 3)
    assert line.sha256 == sha256_of(path) and line.byte_count == path.stat().st_size
    assert line.source == "a test of landing"
    assert read_register(project) == [line]
    written = pq.read_table(path)
    assert written.schema.equals(TABLES["exposures"].schema, check_metadata=True)
    assert written["item_id"].to_pylist() == ["i0", "i1", "i2"]
    assert written["note"].null_count == 3
    assert pq.ParquetFile(path).metadata.row_group(0).column(0).compression == "ZSTD"


def test_sealed_tables_land_in_a_private_folder(project):
    options = pa.table(
        {"run_id": ["r"], "suite": ["s"], "item_id": ["i"], "position": [1], "option": ["yes"]}
    )
    (line,) = land(project, "r", {"item_options": options}, "test")
    assert line.path == "sealed/item_options/r.parquet"
    for folder in ("sealed", "sealed/item_options"):
        assert (project.warehouse / folder).stat().st_mode & 0o777 == 0o700


BAD = {
    "unknown column": (exposures("r", colour=["red"] * 3), ["field colour", "does not know"]),
    "absent required column": (exposures("r").drop_columns(["kind"]), ["field kind", "absent"]),
    "wrong type": (exposures("r", place=[1, 2, 3]), ["field place", "int64", "string"]),
    "time with a zone": (
        exposures("r", seen_at=pa.array([AT] * 3, pa.timestamp("us", "UTC"))),
        ["field seen_at", "UTC"],
    ),
    "empty required field": (exposures("r", place=["a", None, "c"]), ["row 2", "field place", "empty"]),
    "column of nothing": (exposures("r", place=pa.nulls(3)), ["row 1", "field place", "empty"]),
    "duplicate grain": (exposures("r", item_id=["a", "b", "a"]), ["row 3", "one grain", "seen_at"]),
    "another run's row": (exposures("r", run_id=["r", "r", "q"]), ["row 3", "field run_id", "another run"]),
}


@pytest.mark.parametrize(("rows", "words"), BAD.values(), ids=BAD)
def test_refuses_what_breaks_the_contract(project, rows, words):
    with pytest.raises(Refused) as refusal:
        land(project, "r", {"gpu_usage": usage("r", pa.array([1.0])), "exposures": rows}, "test")
    message = str(refusal.value)
    assert "\n" not in message
    for word in ["exposures", *words]:
        assert word in message
    assert files(project) == [] and read_register(project) == []


@pytest.mark.parametrize("value", [float("nan"), float("inf"), float("-inf")])
def test_refuses_numbers_that_are_not_finite(project, value):
    with pytest.raises(Refused, match=r"gpu_usage, row 2, field seconds: not a finite number"):
        land(project, "r", {"gpu_usage": usage("r", pa.array([1.0, value]))}, "test")
    assert files(project) == []


def test_refuses_a_value_outside_the_allowed_ones(project):
    rows = usage("r", pa.array([1.0, 2.0])).set_column(3, "interval_kind", [["inference", "lunch"]])
    with pytest.raises(Refused, match=r"row 2, field interval_kind.*inference, load"):
        land(project, "r", {"gpu_usage": rows}, "test")


def test_refuses_a_column_that_stands_twice(project):
    rows = exposures("r")
    with pytest.raises(Refused, match=r"field place: column stands twice"):
        land(project, "r", {"exposures": rows.append_column("place", rows["place"])}, "test")


def test_refuses_an_unknown_table(project):
    with pytest.raises(Refused, match="does not know the table moods"):
        land(project, "r", {"moods": exposures("r")}, "test")


@pytest.mark.parametrize("run_id", ["", "../r", "a b", ".r", "r" * 121, "r\n"])
def test_refuses_names_that_are_no_run_ids(project, run_id):
    with pytest.raises(Refused, match="cannot name a run"):
        land(project, run_id, {"exposures": exposures(run_id)}, "test")


def test_whole_numbers_and_dictionaries_fit(project):
    rows = usage("r", pa.array([1, 2], pa.int32()))
    rows = rows.set_column(2, "system", rows["system"].dictionary_encode())
    (line,) = land(project, "r", {"gpu_usage": rows}, "test")
    assert pq.read_table(project.warehouse / line.path)["seconds"].to_pylist() == [1.0, 2.0]


def test_refuses_a_run_that_has_landed(project):
    land(project, "r", {"exposures": exposures("r")}, "test")
    before = files(project), project.register.read_bytes()
    with pytest.raises(Refused, match="r has landed already"):
        land(project, "r", {"gpu_usage": usage("r", pa.array([1.0]))}, "test")
    assert (files(project), project.register.read_bytes()) == before


def test_views_show_exactly_the_registered_files(project):
    land(project, "r1", {"exposures": exposures("r1")}, "test")
    shutil.copy(
        project.warehouse / "evidence/exposures/r1.parquet",
        project.warehouse / "evidence/exposures/r2.parquet",
    )
    with duckdb.connect() as connection:
        for statement in evidence_views(project):
            connection.execute(statement)
        shown = connection.execute(
            "SELECT evidence_path, COUNT(*) FROM evidence.exposures GROUP BY 1"
        ).fetchall()
        assert shown == [("evidence/exposures/r1.parquet", 3)]
        for table in TABLES.values():
            columns = connection.execute(f"DESCRIBE evidence.{table.name}").fetchall()
            assert [c[0] for c in columns] == [*(f.name for f in table.fields), "evidence_path"]


def test_verify_names_each_finding(project):
    for run_id in ("kept", "lost", "altered"):
        land(project, run_id, {"exposures": exposures(run_id)}, "test")
    folder = project.warehouse / "evidence/exposures"
    done = run(project, "jevhouse", "ingest", "verify")
    assert "3 files registered, 0 findings" in done.stdout
    shutil.copy(folder / "kept.parquet", folder / "stray.parquet")
    (folder / "lost.parquet").unlink()
    data = bytearray((folder / "altered.parquet").read_bytes())
    data[len(data) // 2] ^= 1
    (folder / "altered.parquet").write_bytes(data)
    done = run(project, "jevhouse", "ingest", "verify", check=False)
    assert done.returncode == 1
    assert [line.split() for line in done.stdout.splitlines()[:-1]] == [
        ["missing", "warehouse/evidence/exposures/lost.parquet"],
        ["changed", "warehouse/evidence/exposures/altered.parquet"],
        ["unregistered", "warehouse/evidence/exposures/stray.parquet"],
    ]
    assert done.stdout.splitlines()[-1] == "3 files registered, 3 findings"
    with pytest.raises(Refused, match=r"lost\.parquet: registered evidence is missing"):
        evidence_views(project)


def test_a_damaged_register_is_refused(project):
    project.register.write_text(project.register.read_text() + "exposures,only,three\n")
    with pytest.raises(Refused, match=r"evidence\.csv, row 2: not a register line"):
        read_register(project)
    project.register.write_text("table,path\n")
    with pytest.raises(Refused, match=r"evidence\.csv, row 1: unknown header"):
        read_register(project)


LANDER = """
import sys, itertools
from pathlib import Path
from ingest.landing import land
from ingest.project import Project
from tests.test_landing import exposures, usage
import pyarrow as pa
project, name, count = Project(Path(sys.argv[1])), sys.argv[2], int(sys.argv[3])
print("ready", flush=True)
sys.stdin.readline()
for n in range(count) if count else itertools.count():
    run_id = f"{name}-{n}"
    rows = {"exposures": exposures(run_id, 50), "gpu_usage": usage(run_id, pa.array([1.0] * 50))}
    land(project, run_id, rows, "a lander")
"""


def lander(project: Project, name: str, count: int) -> subprocess.Popen:
    """A process that is ready to land ``count`` runs of two tables (0: until it is killed)."""
    process = subprocess.Popen(
        [sys.executable, "-c", LANDER, str(project.root), name, str(count)],
        cwd=REPOSITORY,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout.readline() == "ready\n"
    return process


def go(process: subprocess.Popen) -> None:
    process.stdin.write("\n")
    process.stdin.flush()


def test_two_processes_landing_at_once_lose_nothing(project):
    landers = [lander(project, name, 10) for name in ("a", "b")]
    for process in landers:
        go(process)
    for process in landers:
        _, errors = process.communicate()
        assert process.returncode == 0, errors
    landed = {(line.table_name, line.run_id) for line in read_register(project)}
    expected = {
        (table, f"{name}-{n}") for table in ("exposures", "gpu_usage") for name in "ab" for n in range(10)
    }
    assert landed == expected and len(read_register(project)) == 40
    assert verify(project) == []


def check_whole(project: Project) -> None:
    """Everything registered is on disk unchanged; a run is registered with both tables or not at all."""
    assert [f for f in verify(project) if f.kind != "unregistered"] == []
    tables: dict[str, set[str]] = {}
    for line in read_register(project):
        tables.setdefault(line.run_id, set()).add(line.table_name)
    assert all(names == {"exposures", "gpu_usage"} for names in tables.values())


def test_kill_at_random_points_leaves_nothing_half_registered(project):
    rng = random.Random(5)
    for attempt in range(12):
        process = lander(project, f"k{attempt}", 0)
        go(process)
        time.sleep(rng.uniform(0, 0.12))
        process.send_signal(signal.SIGKILL)
        process.communicate()
        assert process.returncode == -signal.SIGKILL
        check_whole(project)
    stray = {f.path for f in verify(project)}
    assert not stray & {line.path for line in read_register(project)}
    registered = {line.run_id for line in read_register(project)}
    assert registered
    for path in stray:  # what was renamed but not registered can land again
        run_id = path.rsplit("/", 1)[1].removesuffix(".parquet")
        if run_id not in registered:
            registered.add(run_id)
            rows = {"exposures": exposures(run_id), "gpu_usage": usage(run_id, pa.array([1.0]))}
            land(project, run_id, rows, "again")
    assert verify(project) == []


CRASHER = """
import os, shutil, sys
from pathlib import Path
from ingest.landing import land
from ingest.project import Project
from tests.test_landing import exposures, usage
import pyarrow as pa
import pyarrow.parquet

def crash(event, arguments):
    global left
    if event in ("open", "os.rename", "os.remove", "fcntl.flock", "os.mkdir", "os.chmod"):
        left -= 1
        if not left:
            os._exit(9)

template, place = map(Path, sys.argv[1:])
code, attempt = 9, 0
while code == 9:
    attempt += 1
    copy = Project(place / f"crash{attempt}")
    shutil.copytree(template / "seeds", copy.seeds)
    copy.warehouse.mkdir()
    child = os.fork()
    if not child:
        rows = {"exposures": exposures("r"), "gpu_usage": usage("r", pa.array([1.0]))}
        left = attempt
        sys.addaudithook(crash)
        land(copy, "r", rows, "crasher")
        os._exit(0)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
print(code, attempt)
"""


def test_every_crash_point_of_a_landing(tmp_path, project):
    """The process ends before its n-th file operation, for every n until a landing gets through."""
    done = subprocess.run(
        [sys.executable, "-c", CRASHER, str(project.root), str(tmp_path)],
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        check=True,
    )
    code, attempts = map(int, done.stdout.split())
    assert code == 0 and attempts > 10, done.stderr
    outcomes = []
    for attempt in range(1, attempts + 1):
        copy = Project(tmp_path / f"crash{attempt}")
        check_whole(copy)
        outcomes.append(len(read_register(copy)))
        if not outcomes[-1]:
            rows = {"exposures": exposures("r"), "gpu_usage": usage("r", pa.array([1.0]))}
            land(copy, "r", rows, "again")
        assert len(read_register(copy)) == 2 and verify(copy) == []
    # Nothing is evidence until one moment, from which on everything is.
    assert outcomes == sorted(outcomes) and set(outcomes) == {0, 2}
