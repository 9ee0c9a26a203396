"""Suites from file to freeze: rules of the import, exposure records, draw, commitments, inclusion proofs."""

from __future__ import annotations

import csv
import json
import stat
from collections import Counter
from datetime import UTC, datetime, timedelta

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from PIL import Image

from ingest import merkle
from ingest.draw import allocate, order, shares
from ingest.errors import Refused
from ingest.exposures import add_exposures
from ingest.freeze import FrozenItem, freeze_rows, merkle_leaves, read_freezes
from ingest.items import content_sha256
from ingest.landing import read_register
from ingest.suites import altered, import_suite, landed_items
from tests.imagesuite import land_rows
from tests.support import make_project, plan, query, run

SECRET = "the secret 7f3a"


def record(number: int, **changes) -> dict:
    return {
        "item_id": f"i{number}", "track": "core", "family": "f", "difficulty": "easy",
        "question": f"{SECRET} question {number}?", "options": [f"{SECRET} yes", "no"], "gold": "no",
    } | changes  # fmt: skip


def write(path, records) -> object:
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.suffix == ".parquet":
        pq.write_table(pa.Table.from_pylist(records), path)
    else:
        path.write_text("\n".join(json.dumps(r) for r in records) + "\n")
    return path


def draw_picture(path, colour: int) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    Image.new("RGB", (4, 3), (colour, 0, 0)).save(path, "PNG")


@pytest.mark.parametrize("form", ["jsonl", "parquet"])
def test_items_land_hashed_in_the_sealed_store(project, tmp_path, form):
    draw_picture(tmp_path / "in" / "pics" / "a.png", 1)
    records = [record(1, image="pics/a.png"), record(2, image=None)]
    file = write(tmp_path / "in" / f"items.{form}", records)
    assert import_suite(project, file, "mine-v1") is not None
    assert import_suite(project, file, "mine-v1") is None  # the same file again
    items = landed_items(project, "mine-v1")
    first = items["i1"]
    assert first.options == tuple(records[0]["options"])
    image = (tmp_path / "in" / "pics" / "a.png").read_bytes()
    assert (project.warehouse / first.row["image_path"]).read_bytes() == image
    assert first.row["content_sha256"] == content_sha256(
        records[0]["question"], records[0]["options"], "no", first.row["image_sha256"]
    )
    assert not any(altered(project, item) for item in items.values())
    assert not list((project.warehouse / "evidence").glob("*/*"))
    for folder in (project.warehouse / "sealed", *(project.warehouse / "sealed").glob("**/")):
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert SECRET not in project.register.read_text()


FAULTS = {
    "twice": ([record(1), record(1, question="else")], "row 2, field item_id"),
    "repeats": ([record(1), record(2, question=record(1)["question"])], "asks what item i1 in row 1 asks"),
    "reordered": (
        [record(1), record(2, question=record(1)["question"], options=record(1)["options"][::-1])],
        "asks what item i1",
    ),
    "one option": ([record(1, options=["no"])], "field options: holds 1 options"),
    "27 options": ([record(1, options=[*map(str, range(26)), "no"])], "holds 27 options"),
    "option twice": ([record(1, options=["no", "no"])], "names an option twice"),
    "no gold": ([record(1, gold=f"{SECRET} maybe")], "field gold: is none of the options"),
    "no text": ([record(1, question="  ")], "field question"),
    "number": ([record(1, family=3)], "field family"),
    "other field": ([record(1) | {"answer": SECRET}], "has no such field"),
    "id": ([record(1, item_id=f"../{SECRET}")], "cannot name an item"),
    "track": ([record(1, track="all")], "field track"),
    "no image": ([record(1, image="none.png")], "not a readable image"),
    "outside": ([record(1, image="../../other.png")], "leads out of the folder"),
    "object": ([["list"]], "is not an object"),
    "empty": ([], "holds no item"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_bad_item_is_refused_whole_without_its_content(project, tmp_path, fault):
    records, said = FAULTS[fault]
    file = tmp_path / "items.jsonl"
    file.write_text("\n".join(json.dumps(r) for r in records))
    with pytest.raises(Refused) as refused:
        import_suite(project, file, "mine-v1")
    assert said in str(refused.value) and SECRET not in str(refused.value)
    assert refused.value.__cause__ is None and refused.value.__suppress_context__ in (True, False)
    assert read_register(project) == []


def test_broken_files_are_one_line(project, tmp_path):
    for name, data in (("a.jsonl", f'{{"item_id": "{SECRET}'), ("b.parquet", SECRET)):
        (tmp_path / name).write_text(data)
        done = run(project, "jevhouse", "suite", "import", str(tmp_path / name), "--suite", "s", check=False)
        assert done.returncode == 1 and done.stderr.count("\n") == 1
        assert SECRET not in done.stdout + done.stderr


def test_a_second_file_joins_and_may_not_repeat(project, tmp_path):
    import_suite(project, write(tmp_path / "a.jsonl", [record(1)]), "mine-v1")
    import_suite(project, write(tmp_path / "b.jsonl", [record(2)]), "mine-v1")
    assert set(landed_items(project, "mine-v1")) == {"i1", "i2"}
    for again in (record(2, question="else"), record(3, question=record(1)["question"])):
        with pytest.raises(Refused):
            import_suite(project, write(tmp_path / "c.jsonl", [again]), "mine-v1")


def exposure(item: str = "i1", **changes) -> dict:
    return {
        "item_id": item, "kind": "shown_publicly", "place": "page", "seen_at": "2026-01-02T03:04:05Z"
    } | changes  # fmt: skip


def test_exposures_are_checked_and_recorded_once(project, tmp_path):
    import_suite(project, write(tmp_path / "a.jsonl", [record(1), record(2)]), "mine-v1")
    future = (datetime.now(UTC) + timedelta(days=1)).isoformat()
    for bad, said in (
        (exposure("nobody"), "no such item"),
        (exposure(kind="hearsay"), "one of training_overlap"),
        (exposure(seen_at="yesterday"), "not a time"),
        (exposure(seen_at=future), "lies in the future"),
        (exposure(place=" "), "field place"),
        (exposure() | {"part": "sealed"}, "another field"),  # no part is set by hand
    ):
        with pytest.raises(Refused, match=said):
            add_exposures(project, "mine-v1", [bad], "exposure")
    assert add_exposures(project, "mine-v1", [exposure()], "exposure")
    assert add_exposures(project, "mine-v1", [exposure()], "exposure") is None
    with pytest.raises(Refused, match="on record already"):
        add_exposures(project, "mine-v1", [exposure("i2"), exposure()], "exposure")
    with pytest.raises(Refused, match="on record already"):
        add_exposures(project, "mine-v1", [exposure("i2"), exposure("i2", note="again")], "exposure")


# RFC 6962's reference data of Certificate Transparency: roots over the first 1 to 8 of these leaves.
LEAVES = [
    "", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f"
]  # fmt: skip
ROOTS = [
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
]


def test_merkle_roots_are_the_published_ones():
    leaves = [merkle.leaf_hash(bytes.fromhex(leaf)) for leaf in LEAVES]
    assert [merkle.root(leaves[: n + 1]).hex() for n in range(8)] == ROOTS


@given(st.integers(1, 40), st.data())
def test_a_path_proves_its_leaf_and_no_other(size, data):
    leaves = [merkle.leaf_hash(bytes([n])) for n in range(size)]
    index = data.draw(st.integers(0, size - 1))
    path, root = merkle.path(leaves, index), merkle.root(leaves)
    assert merkle.root_from_path(leaves[index], index, size, path) == root
    other = data.draw(st.integers(0, size - 1))
    assume(other != index)
    assert merkle.root_from_path(leaves[other], index, size, path) != root
    assert merkle.root_from_path(leaves[index], other, size, path) != root
    assert merkle.root_from_path(leaves[index], index, size, path[:-1]) != root
    assert merkle.root_from_path(leaves[index], index, size, [*path, root]) != root
    flipped = bytes([path[0][0] ^ 1]) + path[0][1:]
    assert merkle.root_from_path(leaves[index], index, size, [flipped, *path[1:]]) != root


items_of_a_suite = st.lists(
    st.builds(
        FrozenItem,
        item_id=st.text("ab0", min_size=1, max_size=3),
        part=st.sampled_from(["public", "sealed", "retired"]),
        track=st.sampled_from(["core", "photo"]),
        family=st.sampled_from(["f", "g"]),
        difficulty=st.sampled_from(["easy", "hard"]),
        content_sha256=st.binary(min_size=32, max_size=32).map(bytes.hex),
    ),
    min_size=1, max_size=12, unique_by=lambda item: item.item_id,
)  # fmt: skip
AT = datetime(2026, 9, 1)


def committed(rows, commitment: str) -> set[tuple]:
    return {(r.track, r.part, r.family, r.difficulty, r.item_count, getattr(r, commitment)) for r in rows}


@given(items_of_a_suite, st.data())
def test_one_changed_bit_of_one_item_changes_the_freeze(items, data):
    rows = freeze_rows("s", items, AT)
    assert freeze_rows("s", data.draw(st.permutations(items)), AT) == rows
    place = data.draw(st.integers(0, len(items) - 1))
    item = items[place]
    field = data.draw(st.sampled_from([*FrozenItem.__dataclass_fields__]))
    bits = bytearray(getattr(item, field).encode())
    position = data.draw(st.integers(0, len(bits) - 1))
    bits[position] ^= 1 << data.draw(st.integers(0, 6))
    value = bits.decode()
    assume(field != "item_id" or value not in {i.item_id for i in items})
    changed = FrozenItem(**(vars(item) | {field: value}))
    other = freeze_rows("s", [*items[:place], changed, *items[place + 1 :]], AT)
    for commitment in ("items_sha256", "merkle_root"):
        assert committed(other, commitment) != committed(rows, commitment)


@given(st.binary(min_size=1, max_size=40), st.data())
def test_one_changed_bit_of_the_content_changes_its_hash(image, data):
    import hashlib

    digest = lambda b: hashlib.sha256(b).hexdigest()  # noqa: E731
    content = ["Which one?", ["left", "right"], "left", digest(image)]
    flipped = bytearray(image)
    flipped[data.draw(st.integers(0, len(image) - 1))] ^= 1 << data.draw(st.integers(0, 7))
    before = content_sha256(*content)
    assert content_sha256(*content[:3], digest(bytes(flipped))) != before
    assert content_sha256("Which one!", *content[1:]) != before
    assert content_sha256("Which one?", ["right", "left"], *content[2:]) != before
    assert content_sha256(*content[:2], "right", content[3]) != before


pools = st.dictionaries(st.text("abc", min_size=1, max_size=2), st.integers(0, 30), min_size=1, max_size=8)


@given(pools, st.integers(0, 200), st.text(max_size=3))
def test_shares_are_by_largest_remainder(pool, size, seed):
    total = sum(pool.values())
    got = shares(size, pool, seed)
    if not total:
        assert set(got.values()) <= {0}
        return
    assert sum(got.values()) == size
    for key, weight in pool.items():
        quota = size * weight / total
        assert int(quota) <= got[key] <= int(quota) + 1 and (weight or not got[key])
    # Whoever was rounded up had no smaller remainder than whoever was not.
    up = [size * w % total for k, w in pool.items() if got[k] > size * w // total]
    down = [size * w % total for k, w in pool.items() if got[k] == size * w // total]
    assert not up or not down or min(up) >= max(down)


@given(pools, st.data(), st.text(max_size=3))
def test_an_allocation_fills_what_strata_lack_and_takes_no_more_than_there_is(pool, data, seed):
    available = {key: data.draw(st.integers(0, count)) for key, count in pool.items()}
    size = data.draw(st.integers(0, sum(available.values())))
    got = allocate(size, pool, available, seed)
    assert sum(got.values()) == size
    assert all(0 <= got[key] <= available[key] for key in pool)
    wanted = shares(size, pool, seed)
    if all(wanted[key] <= available[key] for key in pool):
        assert got == wanted


def test_order_is_fixed_for_all_machines():
    """printf 'seed\\nitem' | sha256sum, and ties between equal strata that depend on the seed alone."""
    assert order("seed", "item") == "be684b7e1733fde8f20129d79f3458f3830c0bf045ecbd5ca57821835966fb10"
    pool = dict.fromkeys("abcd", 5)
    assert shares(2, pool, "x") == shares(2, dict(reversed(pool.items())), "x")
    assert len({tuple(shares(2, pool, str(seed)).items()) for seed in range(30)}) > 1


# The composition of a real board: what was exposed, lay outside, was kept, and the pool for the rest.
PUBLIC = {("core", "Mind2Web"): 79, ("core", "ScreenSpot"): 20, ("core", "FinQA"): 25,
          ("core", "Geometry"): 15, ("everyday_photo", "Everyday photo"): 89}  # fmt: skip
RETIRED = {("core", "ScreenSpot"): 45, ("core", "ScreenSpot-Pro"): 31, ("core", "Android-in-the-Wild"): 17}
KEPT = {("core", "ScreenSpot"): 29, ("core", "ScreenSpot-Pro"): 20, ("core", "Android-in-the-Wild"): 14,
        ("everyday_photo", "Everyday photo"): 60}  # fmt: skip
POOL = {("core", "Documents"): (50, 50, 50), ("core", "Charts"): (50, 50, 50),
        ("core", "Inventory"): (50, 50, 46), ("core", "Safety"): (50, 50, 50),
        ("everyday_photo", "Everyday photo"): (24, 24, 22),
        ("computer_use", "Computer Use"): (10, 10, 10),
        ("browser_use", "Browser Use"): (10, 10, 0)}  # fmt: skip
LEVELS = ("easy", "medium", "hard")
DRAW = ("jevhouse", "suite", "draw", "board-v1", "--pool", "pool-v1", "--size", "333", "--seed", "autumn",
        "--exclude-track", "computer_use", "--exclude-track", "browser_use")  # fmt: skip


def made_up(name: str, counts: dict) -> list[dict]:
    return [
        record(0, item_id=f"{name}-{family.replace(' ', '-')}-{n}", track=track, family=family,
               difficulty=LEVELS[n % 3], question=f"{SECRET} {name} {family} {n}",
               options=["a", "b", "c"], gold="a")
        for (track, family), count in counts.items()
        for n in range(count)
    ]  # fmt: skip


@pytest.fixture(scope="module")
def drawn(tmp_path_factory):
    """The real board's counts: suite and pool imported, exposures recorded, 333 items drawn, planned."""
    root = tmp_path_factory.mktemp("suites")
    project = make_project(root / "project")
    files = root / "files"
    suite = [*made_up("public", PUBLIC), *made_up("retired", RETIRED), *made_up("kept", KEPT)]
    pool = [
        record(0, item_id=f"pool-{family.replace(' ', '-')}-{level}-{n}", track=track, family=family,
               difficulty=level, question=f"{SECRET} pool {family} {level} {n}", options=["a", "b"], gold="b")
        for (track, family), counts in POOL.items()
        for level, count in zip(LEVELS, counts, strict=True)
        for n in range(count)
    ]  # fmt: skip
    # A pool item that was shown once, and an item called before any freeze.
    pool.append(pool[0] | {"item_id": "pool-shown", "question": "shown"})
    command = ("jevhouse", "suite", "import")
    run(project, *command, str(write(files / "suite.parquet", suite)), "--suite", "board-v1")
    run(project, *command, str(write(files / "pool.jsonl", pool)), "--suite", "pool-v1")
    run(project, *command, str(write(files / "early.jsonl", [record(1), record(2)])), "--suite", "early-v1")
    kinds = {"public": ("shown_publicly", "a page"), "retired": ("outside_sealed_store", "a scratch folder")}
    with (files / "seen.csv").open("w", newline="") as handle:
        writer = csv.writer(handle)
        writer.writerow(["item_id", "kind", "place", "seen_at", "note"])
        for item in suite:
            name = item["item_id"].split("-")[0]
            if name in kinds:
                writer.writerow([item["item_id"], *kinds[name], "2026-09-20T12:00:00Z", ""])
    run(project, "jevhouse", "exposure", "add", "--suite", "board-v1", "--file", str(files / "seen.csv"))
    run(project, "jevhouse", "exposure", "add", "--suite", "pool-v1", "--item", "pool-shown", "--kind",
        "shown_publicly", "--place", "a talk", "--seen-at", "2026-09-01")  # fmt: skip
    key = {"run_id": "early", "observation_id": "o1", "suite": "early-v1", "system": "s", "item_id": "i1",
           "repeat": 0, "phase": "measured"}  # fmt: skip
    land_rows(project, {
        "observations": [key | {"sequence": 1}],
        "calls": [key | {"terminal_sequence": 1, "status": "ok", "answer": "no", "started_at": AT}],
    })  # fmt: skip
    refused = run(project, *DRAW, check=False)
    assert refused.returncode == 1 and "sqlmesh plan" in refused.stderr  # parts come from a plan alone
    plan(project)
    report = run(project, *DRAW).stdout
    plan(project)
    return project, files, report


def parts(project, suite: str, *columns: str) -> dict:
    names = ", ".join(columns)
    rows = query(
        project, f"SELECT {names}, COUNT(*) AS n FROM splits.item_parts WHERE suite = ? GROUP BY ALL", [suite]
    )
    return {tuple(row[c] for c in columns): row["n"] for row in rows}


def test_composition_of_the_real_board(drawn):
    project, _, report = drawn
    assert parts(project, "board-v1", "part") == {("public",): 228, ("sealed",): 456, ("retired",): 93}
    by_track = parts(project, "board-v1", "track", "part")
    assert (by_track["core", "public"], by_track["core", "sealed"]) == (139, 361)
    assert (by_track["everyday_photo", "public"], by_track["everyday_photo", "sealed"]) == (89, 95)
    families = parts(project, "board-v1", "family", "part")
    assert {f: n for (f, part), n in families.items() if part == "retired"} == {
        "ScreenSpot": 45, "ScreenSpot-Pro": 31, "Android-in-the-Wild": 17
    }  # fmt: skip
    both = {f for f, part in families if part == "public"} & {f for f, part in families if part == "sealed"}
    sides = {f: (families[f, "public"], families[f, "sealed"]) for f in both}
    assert sides == {"ScreenSpot": (20, 29), "Everyday photo": (89, 95)}
    assert "in all" in report and "667" in report and "333" in report
    assert SECRET not in report and "computer" not in report.lower()


def test_the_draw_is_stratified_seeded_and_of_unexposed_items(drawn):
    project, _, _ = drawn
    rows = query(
        project,
        "SELECT item_id, family, difficulty FROM splits.item_parts "
        "WHERE suite = 'board-v1' AND item_id LIKE 'pool%'",
    )
    assert "pool-shown" not in {row["item_id"] for row in rows}
    counts = Counter((row["family"], row["difficulty"]) for row in rows)
    half = {
        (family, level): count // 2
        for (track, family), sizes in POOL.items() if not track.endswith("_use")
        for level, count in zip(LEVELS, sizes, strict=True)
    }  # fmt: skip
    assert counts == half and sum(half.values()) == 333
    # Recomputed by hand: the first of each stratum by SHA-256 over seed, id and content.
    pool = query(project, "FROM splits.item_parts WHERE suite = 'pool-v1' AND part = 'sealed'")
    for cell, count in counts.items():
        members = [r for r in pool if (r["family"], r["difficulty"]) == cell]
        members.sort(key=lambda r: order("autumn", r["item_id"], r["content_sha256"]))
        drawn_ids = {r["item_id"] for r in rows if (r["family"], r["difficulty"]) == cell}
        assert drawn_ids == {r["item_id"] for r in members[:count]}
    again = run(project, *DRAW, check=False)
    assert again.returncode == 1 and "landed already" in again.stderr


def test_freeze_verify_and_prove(drawn, tmp_path):
    project, _, _ = drawn
    early = run(project, "jevhouse", "suite", "freeze", "early-v1", check=False)
    assert early.returncode == 1 and "1 sealed items of early-v1 were called" in early.stderr
    absent = run(project, "jevhouse", "suite", "freeze", "nowhere", check=False)
    assert absent.returncode == 1 and absent.stderr.count("\n") == 1
    run(project, "jevhouse", "suite", "freeze", "board-v1")
    frozen = (project.seeds / "freezes.csv").read_bytes()
    rows = [row for row in read_freezes(project) if row.suite == "board-v1"]
    assert sum(row.item_count for row in rows) == 777 and all(len(row.merkle_root) == 64 for row in rows)
    assert "nothing to do" in run(project, "jevhouse", "suite", "freeze", "board-v1").stdout
    assert (project.seeds / "freezes.csv").read_bytes() == frozen
    assert "are the frozen ones" in run(project, "jevhouse", "suite", "verify", "board-v1").stdout
    late = write(tmp_path / "late.jsonl", [record(9)])
    done = run(project, "jevhouse", "suite", "import", str(late), "--suite", "board-v1", check=False)
    assert done.returncode == 1 and "is frozen" in done.stderr

    proof = tmp_path / "proof.json"
    run(project, "jevhouse", "suite", "prove", "board-v1", "kept-ScreenSpot-3", "--out", str(proof))
    assert SECRET not in proof.read_text() and proof.read_text().count("kept-") == 1
    item = next(r for r in made_up("kept", KEPT) if r["item_id"] == "kept-ScreenSpot-3")
    revealed = write(tmp_path / "revealed.jsonl", [item])
    verify = ("jevhouse", "suite", "verify", "--proof", str(proof), "--item", str(revealed))
    assert "is in the freeze of board-v1, part sealed" in run(project, *verify).stdout
    changes = ({"gold": "b"}, {"options": ["b", "a", "c"]}, {"question": item["question"] + " "},
               {"item_id": "kept-ScreenSpot-0"})  # fmt: skip
    for change in changes:
        write(revealed, [item | change])
        refused = run(project, *verify, check=False)
        assert refused.returncode == 1 and refused.stderr.count("\n") == 1 and SECRET not in refused.stderr
    write(revealed, [item])
    stated = json.loads(proof.read_text())
    for change in ({"leaf_index": stated["leaf_index"] + 1}, {"siblings": stated["siblings"][1:]},
                   {"merkle_root": "0" * 64}, {"part": "public"}, {"siblings": ["zz"]}):  # fmt: skip
        proof.write_text(json.dumps(stated | change))
        assert run(project, *verify, check=False).returncode == 1


def test_a_version_one_item_apart_is_not_frozen(drawn, tmp_path):
    """With v1 frozen, v2 of the same sealed items and one more would show how that one went."""
    project, _, _ = drawn
    run(project, "jevhouse", "suite", "freeze", "board-v1")
    kept = made_up("kept", {("core", "ScreenSpot"): 29})
    for suite, fresh in (("close-v2", 1), ("apart-v2", 5)):
        file = write(tmp_path / f"{suite}.jsonl", kept + made_up(suite, {("core", "ScreenSpot"): fresh}))
        run(project, "jevhouse", "suite", "import", str(file), "--suite", suite)
    with (project.seeds / "boards.csv").open("a") as boards:
        boards.write("board-v1,image-v0.1\n")
    plan(project)  # the frozen suite is on a board and equals its freeze; the new ones wait
    close = run(project, "jevhouse", "suite", "freeze", "close-v2", check=False)
    assert close.returncode == 1 and "differ by 1 sealed items in family ScreenSpot" in close.stderr
    run(project, "jevhouse", "suite", "freeze", "apart-v2")
    assert sum(r.item_count for r in read_freezes(project) if r.suite == "apart-v2") == 34
    matched = query(
        project,
        "SELECT family, SUM((part = 'public')::INT) AS public, SUM((part = 'sealed')::INT) AS sealed "
        "FROM splits.board_items WHERE suite = 'board-v1' AND track = 'all' GROUP BY family "
        "HAVING LEAST(public, sealed) >= "
        "(SELECT matched_family_min_items FROM frozen.methods WHERE method = 'image-v0.1')",
    )
    assert {m["family"]: (m["public"], m["sealed"]) for m in matched} == {
        "ScreenSpot": (20, 29), "Everyday photo": (89, 95)
    }  # fmt: skip
    mix = query(project, "FROM board.composition WHERE suite = 'board-v1' AND part = 'retired'")
    assert sum(row["item_count"] for row in mix) == 93 and not any(row["suppressed"] for row in mix)


def test_leaves_are_lines_of_the_items_hash():
    assert merkle_leaves({"b": "2", "a": "1"}) == [merkle.leaf_hash(b"a:1"), merkle.leaf_hash(b"b:2")]
