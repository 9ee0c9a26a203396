"""The document metrics on random runs: scikit-learn agrees, and what must never change them does not."""

from __future__ import annotations

import contextlib
import random
from datetime import datetime

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import accuracy_score, confusion_matrix, precision_recall_fscore_support

from ingest.contract import SQL_TYPES, TABLES
from tests.support import REPOSITORY, make_project

CHAIN = (
    "frozen.document_methods",
    "documents.coverage",
    "documents.invocations",
    "documents.groups",
    "documents.first_passes",
    "documents.true_labels",
    "documents.predicted_segments",
    "documents.label_pairs",
    "documents.confusion",
    "documents.classes",
    "documents.label_quality",
    "documents.packet_matches",
    "documents.split_quality",
    "documents.results",
    "documents.quality",
    "documents.intervals",
)
LABELS = ("tax", "press", "other")
SYSTEMS = ("a", "b")


@pytest.fixture(scope="module")
def queries(tmp_path_factory):
    """The SQL of the models as SQLMesh renders it, in the order of the DAG."""
    from sqlmesh import Context

    project = make_project(tmp_path_factory.mktemp("metrics") / "project")
    with contextlib.chdir(project.root):  # the database is found from here, not in a developer's checkout
        context = Context(paths=str(project.root))
        return {name: context.render(name).sql(dialect="duckdb").replace('"jevhouse".', "") for name in CHAIN}


@pytest.fixture(scope="module")
def database():
    connection = duckdb.connect(":memory:")
    for schema in ("staging", "frozen", "documents"):
        connection.execute(f"CREATE SCHEMA {schema}")
    methods = REPOSITORY / "seeds" / "methods.csv"
    connection.execute(
        f"CREATE TABLE frozen.method_parameters AS FROM read_csv('{methods}', all_varchar = true)"
    )
    connection.execute("CREATE TABLE frozen.document_profiles (suite TEXT, dependent_sample BIGINT)")
    yield connection
    connection.close()


NEEDED = (
    "items",
    "item_segments",
    "runs",
    "systems",
    "observations",
    "dispatches",
    "calls",
    "page_predictions",
)


def compute(database, queries, rows, order=None):
    """Run the models on rows of the contract's tables (in a random order, if given); return a reader."""
    for name in NEEDED:
        columns = ", ".join(f'"{f.name}" {SQL_TYPES[f.type]}' for f in TABLES[name].fields)
        database.execute(f"CREATE OR REPLACE TABLE staging.{name} ({columns})")
        mine = list(rows.get(name, []))
        if order is not None:
            order.shuffle(mine)
        for row in mine:
            names = ", ".join(f'"{k}"' for k in row)
            marks = ", ".join("?" * len(row))
            database.execute(f"INSERT INTO staging.{name} ({names}) VALUES ({marks})", list(row.values()))
    for name, sql in queries.items():
        database.execute(f"CREATE OR REPLACE TABLE {name} AS {sql}")

    def read(table, system=None):
        query = f"SELECT * FROM documents.{table}"
        result = database.execute(query + (" WHERE system = ?" if system else ""), [system] if system else [])
        names = [c[0] for c in result.description]
        return [dict(zip(names, r, strict=True)) for r in result.fetchall()]

    return read


def cuts(pages):
    """Contiguous segments of ``pages`` pages: (category, first, last)."""
    inner = st.sets(st.integers(2, pages)) if pages > 1 else st.just(set())

    def build(pair):
        starts, labels = pair
        firsts = [1, *sorted(starts)]
        return [
            (labels[i % len(labels)], first, (firsts[i + 1] - 1 if i + 1 < len(firsts) else pages))
            for i, first in enumerate(firsts)
        ]

    return st.tuples(inner, st.lists(st.sampled_from(LABELS), min_size=1, max_size=6)).map(build)


@st.composite
def cases(draw):
    """Truth and answers: a label, an unknown label, or None (failed); a split, the true split, or None."""
    truth = draw(st.lists(st.sampled_from(LABELS), min_size=1, max_size=8))
    answers = {
        s: draw(st.lists(st.sampled_from([*LABELS, "memo", None]), min_size=len(truth), max_size=len(truth)))
        for s in SYSTEMS
    }
    packets = []
    for _ in range(draw(st.integers(1, 4))):
        pages = draw(st.integers(1, 7))
        true = draw(cuts(pages))
        packets.append((true, {s: draw(st.one_of(st.none(), st.just(true), cuts(pages))) for s in SYSTEMS}))
    return truth, answers, packets


def evidence(case, names=None):
    """The rows of one run; ``names`` renames the systems."""
    names = names or {s: s for s in SYSTEMS}
    truth, answers, packets = case
    base = {"run_id": "r", "suite": "s"}
    now = datetime(2026, 1, 1)
    rows = {
        "runs": [
            {
                **base,
                "started_at": now,
                "status": "complete",
                "scope": "decision",
                "concurrency": 1,
                "repeats": 1,
                "warmups": 0,
                "condition": "random",
                "dependent_sample": False,
            }
        ],
        "systems": [{**base, "system": names[s], "engine": names[s], "model": "m"} for s in SYSTEMS],
        **{name: [] for name in ("items", "item_segments", "observations", "calls", "page_predictions")},
    }

    def add(task, item_id, gold, pages, said):
        rows["items"].append(
            {**base, "item_id": item_id, "task": task, "gold": gold, "page_count": pages, "partition": "test"}
        )
        for system, answer in said.items():
            key = {"run_id": "r", "observation_id": f"{item_id}:{names[system]}"}
            identity = {
                **base,
                **key,
                "system": names[system],
                "item_id": item_id,
                "repeat": 0,
                "phase": "measured",
            }
            rows["observations"].append(identity)
            status = "error" if answer is None else "ok"
            rows["calls"].append(
                {
                    **identity,
                    "status": status,
                    "answer": answer if task == "classify" else None,
                    "dispatched": True,
                    "decision_ms": 1.0,
                }
            )
            for number, (category, first, last) in enumerate(answer or [] if task == "split" else [], 1):
                rows["page_predictions"] += [
                    {
                        **key,
                        "segment": number,
                        "page_position": p - first + 1,
                        "page": p,
                        "category": category,
                    }
                    for p in range(first, last + 1)
                ]

    for i, gold in enumerate(truth):
        add("classify", f"c{i}", gold, 1, {s: answers[s][i] for s in SYSTEMS})
    for i, (true, said) in enumerate(packets):
        add("split", f"p{i}", None, true[-1][2], said)
        rows["item_segments"] += [
            {**base, "item_id": f"p{i}", "segment": n, "category": c, "first_page": f, "last_page": last}
            for n, (c, f, last) in enumerate(true, 1)
        ]
    return rows


def pages_of(segments, pages):
    labels = {p: c for c, first, last in segments or [] for p in range(first, last + 1)}
    return [labels.get(p, "__missing__") for p in range(1, pages + 1)]


@settings(max_examples=25, deadline=None)
@given(cases())
def test_labels_agree_with_scikit_learn(queries, database, case):
    read = compute(database, queries, evidence(case))
    truth, answers, packets = case
    for system in SYSTEMS:
        true_pages = [c for true, _ in packets for c in pages_of(true, true[-1][2])]
        said_pages = [c for true, said in packets for c in pages_of(said[system], true[-1][2])]
        for task, true, said in (("classify", truth, answers[system]), ("split", true_pages, said_pages)):
            known = sorted(set(true))
            heard = [x if x in known else "__missing__" for x in said]
            precision, recall, f1, support = precision_recall_fscore_support(
                true, heard, labels=known, zero_division=0
            )
            classes = {r["category"]: r for r in read("classes", system) if r["task"] == task}
            assert sorted(classes) == known
            for i, label in enumerate(known):
                row = classes[label]
                assert [row["precision"], row["recall"], row["f1"]] == pytest.approx(
                    [precision[i], recall[i], f1[i]]
                )
                assert row["support"] == support[i]
            (quality,) = [r for r in read("label_quality", system) if r["task"] == task]
            assert quality["accuracy"] == pytest.approx(accuracy_score(true, heard), abs=1e-12)
            assert quality["macro_f1"] == pytest.approx(f1.mean(), abs=1e-12)
            matrix = confusion_matrix(true, heard, labels=[*known, "__missing__"])
            cells = {
                (r["true_category"], r["predicted_category"]): r["unit_count"]
                for r in read("confusion", system)
                if r["task"] == task
            }
            for i, label in enumerate(known):
                assert [cells[label, p] for p in [*known, "__missing__"]] == list(matrix[i])


@settings(max_examples=25, deadline=None)
@given(cases())
def test_boundaries_and_segments_agree_with_scikit_learn(queries, database, case):
    read = compute(database, queries, evidence(case))
    for system in SYSTEMS:
        (row,) = read("split_quality", system)
        for kind, units in (("boundary", boundaries), ("segment", spans)):
            true, said = [], []
            for truth, answers in case[2]:
                t, s = units(truth), units(answers[system] or [])
                for unit in sorted(t | s):
                    true.append(unit in t)
                    said.append(unit in s)
            name = {"boundary": "boundaries", "segment": "segments"}[kind]
            assert row[f"actual_{name}"] == sum(true)
            assert row[f"predicted_{name}"] == sum(said)
            if any(true) and any(said):
                scores = precision_recall_fscore_support(true, said, average="binary", zero_division=0)[:3]
            elif any(true) or any(said):
                scores = (0.0, 0.0 if any(true) else 1.0, 0.0)
            else:
                scores = (1.0, 1.0, 1.0)
            found = [row[f"{kind}_{m}"] for m in ("precision", "recall", "f1")]
            assert found == pytest.approx(list(scores), abs=1e-12)
        exact = [said[system] == true for true, said in case[2]]
        assert row["exact_packets"] == sum(exact)
        if all(exact):
            ones = [row[f"{k}_{m}"] for k in ("boundary", "segment") for m in ("precision", "recall", "f1")]
            assert ones == [1.0] * 6
            assert row["coverage_validity"] == 1.0
            assert row["same_category_boundary_recall"] in (1.0, None)
            (labels,) = [r for r in read("label_quality", system) if r["task"] == "split"]
            assert labels["accuracy"] == labels["macro_f1"] == 1.0


def boundaries(segments):
    return {first for _, first, _ in segments if first > 1}


def spans(segments):
    return set(segments)


@settings(max_examples=10, deadline=None)
@given(cases(), st.randoms(use_true_random=False))
def test_order_of_rows_and_names_of_engines_change_nothing(queries, database, case, order):
    tables = ("classes", "label_quality", "split_quality", "quality", "results", "intervals")

    def figures(read, rename):
        return {
            t: sorted(
                (sorted((k, str(rename.get(v, v))) for k, v in row.items()) for row in read(t)),
            )
            for t in tables
        }

    straight = figures(compute(database, queries, evidence(case)), {})
    swapped = {"a": "b", "b": "a"}
    read = compute(database, queries, evidence(case, swapped), random.Random(order.random()))
    assert figures(read, swapped) == straight


def test_interval_is_the_binomial_one_and_the_same_on_every_run(queries, database):
    """Resampled counts of right sources are binomial; 2,000 resamples place a quantile within a source."""
    from scipy.stats import binom

    truth = ["tax"] * 48
    said = {"a": ["tax"] * 40 + ["press"] * 8, "b": ["tax"] * 24 + ["press"] * 24}
    case = (truth, said, [([("tax", 1, 1)], {"a": None, "b": None})])
    runs_ = []
    for threads in (1, 4):
        database.execute(f"SET threads = {threads}")
        rows = compute(database, queries, evidence(case), random.Random(threads))("intervals")
        runs_.append(sorted((r["right_count"], r["interval_low"], r["interval_high"]) for r in rows))
    assert runs_[0] == runs_[1]
    assert [r[0] for r in runs_[0]] == [24, 40]
    for right, low, high in runs_[0]:
        exact = binom(48, right / 48)
        assert low * 48 == pytest.approx(exact.ppf(0.025), abs=1)
        assert high * 48 == pytest.approx(exact.ppf(0.975), abs=1)
