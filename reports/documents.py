"""A document run as files: summary.json, metrics.csv, report.md, latency.svg. Reads the board alone."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import altair as alt
import pyarrow as pa

from ingest.errors import Refused
from ingest.project import Project
from reports import charts, formats
from reports.leaderboard import WATERMARK
from reports.warehouse import read_board

Row = dict[str, Any]

COUNTS = (
    "planned_unique",
    "completed_unique",
    "completion_rate",
    "first_pass_missing",
    "planned_calls",
    "measured_calls",
    "dispatched_calls",
    "successful_calls",
    "failed_calls",
    "invalid_calls",
    "skipped_calls",
    "missing_terminal_calls",
    "unclosed_dispatches",
    "unclosed_dispatch_reservations_usd",
    "latency_samples",
    "wall_latency_samples",
    "decision_p50_ms",
    "decision_p95_ms",
    "wall_p50_ms",
    "wall_p95_ms",
    "decision_cost_usd_known",
    "decision_cost_usd_recorded",
    "unknown_cost_calls",
    "ocr_cost_usd_known",
    "request_count",
    "request_count_complete",
    "input_tokens_known",
    "output_tokens_known",
    "cached_input_tokens_known",
    "cache_write_tokens_known",
    "repeat_disagreement_documents",
    "repeat_disagreement_status",
)
SPLIT_QUALITY = (
    "packet_exact_match",
    "coverage_valid_packets",
    "coverage_validity",
    "page_correct_count",
    "page_total_count",
    "page_accuracy",
    "page_macro_f1",
    "same_category_boundary_recall",
)
IDENTITY = ("task", "engine", "model", "scope", "concurrency")


def export(project: Project, run_id: str, out: Path, unaudited: bool = False) -> list[Path]:
    """Write the four files of a run; return their paths.

    Raises:
        Refused: no such run on the board, or no passing audit of this state (unless ``unaudited``).
    """
    board = _read(project, run_id, unaudited)
    report = summary(board)
    mark = WATERMARK if unaudited else None
    if mark:
        report = {"watermark": mark, **report}
    files = {
        "summary.json": (json.dumps(report, indent=1, ensure_ascii=False, default=str) + "\n").encode(),
        "metrics.csv": formats.encode(metrics(report["groups"]), "csv"),
        "report.md": markdown(report, board, mark).encode(),
        "latency.svg": charts.svg(latency_chart(report["groups"], f"{mark} · {run_id}" if mark else run_id)),
    }
    for name, data in files.items():
        formats.write(out / name, data)
    return [out / name for name in files]


def _read(project: Project, run_id: str, unaudited: bool) -> dict[str, list[Row]]:
    def rows(table: str, order: str) -> list[Row]:
        query = f"SELECT * FROM board.{table} WHERE run_id = ? ORDER BY {order}"
        return read_board(project, query, [run_id], unaudited).to_pylist()

    runs = read_board(project, "SELECT run_id FROM board.documents_runs ORDER BY 1", unaudited=unaudited)
    board = {
        "runs": rows("documents_runs", "run_id"),
        "groups": rows("documents", "task, engine, model"),
        "classes": rows("documents_classes", "task, system, category"),
        "confusion": rows(
            "documents_confusion",
            "task, system, true_category, predicted_category = '__missing__', predicted_category",
        ),
        "failures": rows("documents_failures", "task, system, kind, reason"),
        "ledgers": rows("documents_ledgers", "ledger DESC"),
        "preparations": rows("documents_preparations", "run_id"),
    }
    if not board["groups"]:
        known = ", ".join(runs["run_id"].to_pylist()) or "none"
        raise Refused(f"there is no current document run {run_id} on the board", mend=f"runs: {known}")
    return board


def summary(board: dict[str, list[Row]]) -> Row:
    """Return the run as nested objects, with the field names that the benchmark publishes."""
    (run,), (preparation,) = board["runs"], board["preparations"]
    ledgers = {
        row["ledger"]: {k: v for k, v in row.items() if k not in ("run_id", "ledger")}
        for row in board["ledgers"]
    }
    recorded = run["budget_committed_usd"] is not None
    guard = "budget" if recorded else "guard"
    return {
        "run_id": run["run_id"],
        "suite": run["suite"],
        "experiment_kind": run["condition"],
        "demo_set": run["demo_set"],
        "ocr_identity": run["ocr_identity"],
        "started_at": run["started_at"].isoformat() + "+00:00",
        "run_status": run["run_status"],
        "recorded_run_status": run["recorded_run_status"],
        "stop_code": run["stop_code"],
        "execution_matrix": "recorded" if run["matrix_recorded"] else "inferred",
        "configured_warmups_per_engine_task": run["warmups"],
        "repeats": run["repeats"],
        "pricing_snapshot": run["price_snapshot"],
        "quality_pass": 0,
        "cost_includes_warmups": False,
        "uncertainty_method": "omitted_curated_pilot"
        if any(g["is_dependent_sample"] for g in board["groups"])
        else "source_bootstrap",
        "truncated_final_records": {"raw": run["raw_truncated"], "events": run["events_truncated"]},
        "missing_terminal_calls": run["missing_terminal_calls"],
        "unclosed_dispatches": run["unclosed_dispatches"],
        "groups": [_group(g, board) for g in board["groups"]],
        "components": {
            "preparation": {k: v for k, v in preparation.items() if k != "run_id"}
            | {"local_compute_cost": "not_estimated"},
            **ledgers,
            "task_ocr": {
                "cost_usd_known": run["task_ocr_cost_usd_known"],
                "unknown_cost_requests": run["task_ocr_unknown_cost_requests"],
                "request_count": run["task_ocr_request_count"],
            },
        },
        "budget": {
            "limit_usd": run["budget_limit_usd"],
            "known_cost_usd": run[f"{guard}_known_usd"],
            "unknown_cost_reservations_usd": run[f"{guard}_unknown_reserved_usd"],
            "committed_usd": run[f"{guard}_committed_usd"],
            "is_provider_billing_cap": False,
            "basis": "recorded" if recorded else "replayed",
        },
        "accounting": {
            "full_run_cost_usd_known": run["full_run_cost_usd_known"],
            "unknown_cost_observations": run["unknown_cost_observations"],
            "known_cost_is_lower_bound": run["known_cost_is_lower_bound"],
            "includes_warmups_and_preparation": True,
        },
    }


def _group(row: Row, board: dict[str, list[Row]]) -> Row:
    def mine(name: str) -> list[Row]:
        return [r for r in board[name] if r["task"] == row["task"] and r["system"] == row["system"]]

    def overlap(kind: str, segments: str) -> Row:
        return {
            "precision": row[f"{kind}_precision"],
            "recall": row[f"{kind}_recall"],
            "f1": row[f"{kind}_f1"],
            "true_positive": row[f"matched_{segments}"],
            "predicted": row[f"predicted_{segments}"],
            "actual": row[f"actual_{segments}"],
        }

    classes = {
        c["category"]: {
            "precision": c["precision"],
            "recall": c["recall"],
            "f1": c["f1"],
            "true_positive": c["true_positive"],
            "predicted": c["predicted"],
            "actual": c["support"],
            "support": c["support"],
        }
        for c in mine("classes")
    }
    confusion: dict[str, dict[str, int]] = {}
    for cell in mine("confusion"):
        confusion.setdefault(cell["true_category"], {})[cell["predicted_category"]] = cell["unit_count"]
    interval = None if row["interval_low"] is None else [row["interval_low"], row["interval_high"]]
    group = {k: row[k] for k in (*IDENTITY, *COUNTS)}
    for name, kind in (("error_types", "error"), ("skip_reasons", "skip")):
        group[name] = {f["reason"]: f["calls"] for f in mine("failures") if f["kind"] == kind}
    if row["task"] == "classify":
        group |= {
            "correct_count": row["right_count"],
            "total_count": row["planned_unique"],
            "accuracy": row["accuracy"],
            "macro_f1": row["macro_f1"],
            "per_class": classes,
            "confusion_matrix": confusion,
            "accuracy_95pct_bootstrap": interval,
            "needs_review_rate": row["needs_review_rate"],
        }
    else:
        group |= {
            "exact_packets": row["right_count"],
            "total_packets": row["planned_unique"],
            **{k: row[k] for k in SPLIT_QUALITY},
            "page_per_class": classes,
            "page_confusion_matrix": confusion,
            "same_category_boundaries_found": row["same_category_found"],
            "same_category_boundaries_actual": row["same_category_actual"],
            "packet_exact_match_95pct_bootstrap": interval,
            "boundary": overlap("boundary", "boundaries"),
            "segment": overlap("segment", "segments"),
        }
    return group | {"failures_or_incorrect_ids": row["missed_items"].split()}


def metrics(groups: list[Row]) -> pa.Table:
    """Return one flat row a group; a figure of the other task is empty."""
    rows = []
    for group in groups:
        flat = {}
        for name, value in group.items():
            if name in ("boundary", "segment"):
                flat |= {f"{name}_{k}": v for k, v in value.items()}
            elif name.endswith("_bootstrap"):
                flat[f"{name}_low"], flat[f"{name}_high"] = value or (None, None)
            elif not isinstance(value, dict | list):
                flat[name] = value
        rows.append(flat)
    names = list(dict.fromkeys(name for row in rows for name in row))
    return pa.Table.from_pylist([{name: row.get(name) for name in names} for row in rows])


def latency_chart(groups: list[Row], title: str) -> alt.TopLevelMixin:
    """Median decision time as a bar and p95 as a tick, one panel a task; n/a for a group without a sample."""
    order = sorted({_system(g) for g in groups})
    points = [
        {
            "task": g["task"],
            "system": _system(g),
            "p50": g["decision_p50_ms"],
            "p95": g["decision_p95_ms"],
            "place": g["decision_p95_ms"] or 0,
            "label": "n/a"
            if g["decision_p50_ms"] is None
            else f"p50 {g['decision_p50_ms']:.1f} · p95 {g['decision_p95_ms']:.1f}"
            f" · n = {g['latency_samples']}",
        }
        for g in groups
    ]
    longest = max([p["place"] for p in points] + [1])
    x = alt.Scale(domain=[0, longest * 1.6])
    base = alt.Chart(alt.InlineData(values=points)).encode(
        y=alt.Y("system:N", sort=order, title=None, axis=alt.Axis(ticks=False, domain=False, labelLimit=240))
    )
    bars = base.mark_bar(height={"band": 0.6}).encode(
        x=alt.X("p50:Q", scale=x, title="decision time, ms"),
        color=alt.Color(
            "system:N",
            sort=order,
            legend=None,
            scale=alt.Scale(range=["#2563eb", "#d97706", "#0d9488", "#7c3aed"]),
        ),
    )
    ticks = base.mark_tick(thickness=2, color="#1f2937", size=22).encode(x=alt.X("p95:Q", scale=x))
    labels = base.mark_text(align="left", dx=8, fontSize=11, color="#374151").encode(
        x=alt.X("place:Q", scale=x), text="label:N"
    )
    return (
        alt.layer(bars, ticks, labels)
        .properties(width=620, height={"step": 36})
        .facet(
            row=alt.Row(
                "task:N",
                title=None,
                header=alt.Header(
                    labelAngle=0,
                    labelAnchor="start",
                    labelFontSize=12,
                    labelFontWeight="bold",
                    labelOrient="top",
                ),
            ),
            spacing=16,
        )
        .properties(
            title=alt.Title(
                f"Decision time of successful calls · {title}",
                anchor="start",
                fontSize=14,
                subtitle="bar: median; tick: p95; measured passes only, failures apart",
                subtitleColor="#6b7280",
            )
        )
        .configure_view(stroke=None)
        .configure(background="white", padding={"left": 12, "right": 24, "top": 12, "bottom": 12})
    )


def _system(group: Row) -> str:
    return f"{group['engine']} {group['model']}"


def _cost(value: float | None, is_lower_bound: bool) -> str:
    return ("≥ " if is_lower_bound and value is not None else "") + formats.rounded(value, 6)


def _share(part: int, whole: int, share: float | None) -> str:
    return f"{part}/{whole} ({'n/a' if share is None else f'{100 * share:.1f}%'})"


def _table(header: list[str], rows: list[list[Any]]) -> list[str]:
    def line(cells: list[Any]) -> str:
        return "| " + " | ".join("n/a" if c is None else str(c) for c in cells) + " |"

    return [line(header), line(["---"] * len(header)), *map(line, rows), ""]


def markdown(report: Row, board: dict[str, list[Row]], mark: str | None = None) -> str:
    """Return the report for people; a missing value is n/a."""
    groups, components = report["groups"], report["components"]
    comparison = board["groups"][0]["comparison"]
    lines = [f"# Document run {report['run_id']}", ""]
    if mark:
        lines += [f"**{mark}**: no passing audit stands behind these figures.", ""]
    lines += [
        f"Suite `{report['suite']}`. Condition: {comparison}. Run status: {report['run_status']}; execution "
        f"matrix {report['execution_matrix']}; {report['repeats']} measured pass(es), "
        f"{report['configured_warmups_per_engine_task']} excluded warm-up(s) per engine and task.",
        "",
    ]
    for file, cut in report["truncated_final_records"].items():
        if cut:
            lines += [f"The last record of `{file}.jsonl` is cut off: this evidence is incomplete.", ""]
    lines += ["## Quality", ""]
    sizes = {g["task"]: g["planned_unique"] for g in groups}
    for task, size in sizes.items():
        lines.append(
            f"- {task}: {size} frozen {'sources' if task == 'classify' else 'packets'}; one error is "
            f"{formats.rounded(100 / size, 2)} percentage points."
        )
    lines += [
        "- Quality is the first measured pass over every frozen test item: missing, failed, skipped and "
        "invalid are wrong. The tasks are never pooled.",
        "",
    ]
    if classify := [g for g in groups if g["task"] == "classify"]:
        lines += _table(
            ["classify", "correct", "macro-F1", "95% interval", "needs review", "not right"],
            [
                [
                    _system(g),
                    _share(g["correct_count"], g["total_count"], g["accuracy"]),
                    formats.rounded(g["macro_f1"], 4),
                    _interval(g["accuracy_95pct_bootstrap"]),
                    formats.rounded(g["needs_review_rate"], 3),
                    ", ".join(g["failures_or_incorrect_ids"]) or "none",
                ]
                for g in classify
            ],
        )
    if split := [g for g in groups if g["task"] == "split"]:
        lines += _table(
            [
                "split",
                "exact",
                "covered",
                "95% interval",
                "pages",
                "page macro-F1",
                "same-category recall",
                "not right",
            ],
            [
                [
                    _system(g),
                    _share(g["exact_packets"], g["total_packets"], g["packet_exact_match"]),
                    _share(g["coverage_valid_packets"], g["total_packets"], g["coverage_validity"]),
                    _interval(g["packet_exact_match_95pct_bootstrap"]),
                    _share(g["page_correct_count"], g["page_total_count"], g["page_accuracy"]),
                    formats.rounded(g["page_macro_f1"], 4),
                    formats.rounded(g["same_category_boundary_recall"], 4),
                    ", ".join(g["failures_or_incorrect_ids"]) or "none",
                ]
                for g in split
            ],
        )
        lines += _table(
            ["split", "of", "precision", "recall", "F1", "matched", "predicted", "true"],
            [
                [_system(g), kind, *(formats.rounded(g[kind][k], 4) for k in ("precision", "recall", "f1"))]
                + [g[kind][k] for k in ("true_positive", "predicted", "actual")]
                for g in split
                for kind in ("boundary", "segment")
            ],
        )
    if report["uncertainty_method"] == "omitted_curated_pilot":
        lines += ["Intervals are withheld: the items are a dependent convenience sample.", ""]
    lines += ["## Latency of successful calls", ""]
    lines += _table(
        [
            "task",
            "system",
            "decision p50 ms",
            "decision p95 ms",
            "wall p50 ms",
            "wall p95 ms",
            "samples",
            "failed",
            "skipped",
        ],
        [
            [g["task"], _system(g)]
            + [
                formats.rounded(g[k], 1)
                for k in ("decision_p50_ms", "decision_p95_ms", "wall_p50_ms", "wall_p95_ms")
            ]
            + [g["latency_samples"], g["failed_calls"], g["skipped_calls"]]
            for g in groups
        ],
    )
    lines += ["![decision times](latency.svg)", "", "## Completion and failures", ""]
    lines += _table(
        [
            "task",
            "system",
            "planned",
            "dispatched",
            "successful",
            "failed or invalid",
            "skipped",
            "no terminal",
            "unclosed",
            "requests",
            "reasons",
        ],
        [
            [
                g["task"],
                _system(g),
                g["planned_calls"],
                g["dispatched_calls"],
                g["successful_calls"],
                g["failed_calls"],
                g["skipped_calls"],
                g["missing_terminal_calls"],
                g["unclosed_dispatches"],
                f"{g['request_count']}{'' if g['request_count_complete'] else ' or more'}",
                ", ".join(f"{k} × {v}" for k, v in (g["error_types"] | g["skip_reasons"]).items()) or "none",
            ]
            for g in groups
        ],
    )
    disagreements = [
        f"{g['task']} {_system(g)} {g['repeat_disagreement_documents']}"
        for g in groups
        if g["repeat_disagreement_status"] == "measured"
    ]
    lines += [
        f"Items whose repeats disagree: {', '.join(disagreements) or 'not measured in a run of one pass'}.",
        "",
        "## Costs",
        "",
        "Tokens at the run's frozen prices, in USD. ≥ marks a lower bound: some charge is unknown. The "
        "ledgers do not mix.",
        "",
    ]
    lines += _table(
        [
            "task",
            "system",
            "measured cost",
            "as recorded",
            "unknown calls",
            "input",
            "cached",
            "cache writes",
            "output",
        ],
        [
            [
                g["task"],
                _system(g),
                _cost(g["decision_cost_usd_known"], g["unknown_cost_calls"] > 0),
                formats.rounded(g["decision_cost_usd_recorded"], 6),
                g["unknown_cost_calls"],
                g["input_tokens_known"],
                g["cached_input_tokens_known"],
                g["cache_write_tokens_known"],
                g["output_tokens_known"],
            ]
            for g in groups
        ],
    )
    preparation, ocr = components["preparation"], components["task_ocr"]
    accounting, budget = report["accounting"], report["budget"]
    lines += _table(
        ["ledger", "units", "wall ms", "known cost", "unknown"],
        [
            [
                "preparation, once per task input",
                f"{preparation['items']} items ({preparation['cache_hits']} from an earlier parse)",
                formats.rounded(preparation["wall_ms_known"], 1),
                _cost(preparation["cost_usd_known"], preparation["unknown_cost_items"] > 0),
                preparation["unknown_cost_items"],
            ],
            *(
                [
                    label,
                    f"{components[k]['recorded_calls']} of {components[k]['planned_calls']} calls",
                    formats.rounded(components[k]["wall_ms_known"], 1),
                    _cost(components[k]["decision_cost_usd_known"], components[k]["unknown_cost_calls"] > 0),
                    components[k]["unknown_cost_calls"],
                ]
                for k, label in (("warmup", "warm-ups, excluded"), ("measured", "measured decisions"))
            ),
            [
                "OCR inside tasks",
                f"{ocr['request_count']} requests",
                None,
                _cost(ocr["cost_usd_known"], ocr["unknown_cost_requests"] > 0),
                ocr["unknown_cost_requests"],
            ],
            [
                "full run",
                "",
                "",
                _cost(accounting["full_run_cost_usd_known"], accounting["known_cost_is_lower_bound"]),
                accounting["unknown_cost_observations"],
            ],
        ],
    )
    lines += [
        f"Preparation: conversion {formats.rounded(preparation['conversion_ms_known'], 1)} ms, parsing and "
        f"OCR {formats.rounded(preparation['ocr_ms_known'], 1)} ms; earlier parses are not charged again.",
        "",
    ]
    unclosed = sum(components[k]["unclosed_dispatch_reservations_usd"] for k in ("warmup", "measured"))
    lines += [
        f"Local guard ({budget['basis']}): limit {formats.rounded(budget['limit_usd'], 2)}, committed "
        f"{formats.rounded(budget['committed_usd'], 6)}, kept for unknown charges "
        f"{formats.rounded(budget['unknown_cost_reservations_usd'], 6)}; reservations of unclosed dispatches "
        f"{formats.rounded(unclosed, 6)}, shown beside the balance. It is an estimate, no billing cap.",
        "",
        "## Categories",
        "",
    ]
    for g in groups:
        classes = g.get("per_class", g.get("page_per_class"))
        confusion = g.get("confusion_matrix", g.get("page_confusion_matrix"))
        columns = list(next(iter(confusion.values()), {}))
        lines += [f"### {g['task']}, {_system(g)}: {'sources' if g['task'] == 'classify' else 'pages'}", ""]
        lines += _table(
            ["category", "support", "precision", "recall", "F1", *(f"as {c}" for c in columns)],
            [
                [category, c["support"], *(formats.rounded(c[k], 4) for k in ("precision", "recall", "f1"))]
                + [confusion[category][column] for column in columns]
                for category, c in classes.items()
            ],
        )
    lines += [
        "## What this does not establish",
        "",
        "- Accuracy in production, on unseen templates, on scans office files, or packets found in the wild.",
        "- A speed-up in general: latency is of these documents, this client, network and day; provider "
        "caches are not controlled.",
        "- More independent examples than the sources above: repeats and packets of them add none.",
        "- What a provider will bill: costs are list prices; no discounts, infrastructure, local compute.",
        "",
    ]
    return "\n".join(lines)


def _interval(interval: list[float] | None) -> str:
    return "n/a" if interval is None else f"{100 * interval[0]:.1f} to {100 * interval[1]:.1f}%"
