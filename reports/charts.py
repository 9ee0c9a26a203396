"""Charts of the board, as SVG and PNG. They draw cells of ``board.*``; no score is computed here."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import altair as alt
import pyarrow as pa
import vl_convert

from ingest.errors import Refused
from ingest.project import Project
from reports import formats
from reports.leaderboard import WATERMARK
from reports.warehouse import Published, read_published

Records = list[dict[str, Any]]

AXES = ("composite", "intelligence", "calibration", "speed", "cost")


def axes_chart(rows: pa.Table, title: str) -> alt.TopLevelMixin:
    """Bars of the composite and the four axes, one panel each, systems in order of rank.

    Args:
        rows: ``board.leaderboard`` of one method, suite and track, best first.
        title: heading.
    """
    records = rows.select(["display_name", *AXES]).to_pylist()
    order = [r["display_name"] for r in records]
    points = [
        {
            "system": r["display_name"],
            "axis": axis.capitalize(),
            "points": r[axis],
            "label": "n/a" if r[axis] is None else f"{r[axis]:.1f}",
        }
        for r in records
        for axis in AXES
    ]
    base = alt.Chart(alt.InlineData(values=points)).encode(
        y=alt.Y("system:N", sort=order, title=None, axis=alt.Axis(labelLimit=220, ticks=False, domain=False)),
    )
    bars = base.mark_bar(height={"band": 0.7}).encode(
        x=alt.X(
            "points:Q",
            scale=alt.Scale(domain=[0, 100]),
            title=None,
            axis=alt.Axis(values=[0, 50, 100], grid=True),
        ),
        color=alt.Color(
            "axis:N",
            legend=None,
            sort=[a.capitalize() for a in AXES],
            scale=alt.Scale(range=["#1f2937", "#2563eb", "#0d9488", "#d97706", "#7c3aed"]),
        ),
    )
    labels = base.mark_text(align="left", dx=4, fontSize=10, color="#374151").encode(
        x=alt.X("points:Q"), text="label:N"
    )
    return (
        alt.layer(bars, labels)
        .properties(width=132, height={"step": 22})
        .facet(
            column=alt.Column(
                "axis:N",
                sort=[a.capitalize() for a in AXES],
                title=None,
                header=alt.Header(labelFontSize=12, labelFontWeight="bold"),
            ),
            spacing=44,
        )
        .properties(
            title=alt.Title(
                title,
                anchor="start",
                fontSize=14,
                subtitle="points, 0 to 100; an axis below 50 (but Calibration) gates the composite",
                subtitleColor="#6b7280",
            )
        )
        .configure_view(stroke=None)
        .configure(background="white", padding={"left": 12, "right": 44, "top": 12, "bottom": 12})
    )


def _framed(chart: alt.TopLevelMixin, title: str, subtitle: str) -> alt.TopLevelMixin:
    return (
        chart.properties(
            title=alt.Title(title, anchor="start", fontSize=14, subtitle=subtitle, subtitleColor="#6b7280")
        )
        .configure_view(stroke="#e5e7eb")
        .configure(background="white", padding=12)
    )


def _inline(records: Records) -> alt.InlineData:
    return alt.InlineData(values=records)


KINDS = alt.Color(
    "endpoint_kind:N",
    title="endpoint",
    scale=alt.Scale(domain=["self_hosted", "hosted", "demo"], range=["#2563eb", "#7c3aed", "#d97706"]),
)


def _named_points(base: alt.Chart) -> alt.LayerChart:
    return alt.layer(
        base.mark_point(filled=True, size=70, opacity=0.9).encode(color=KINDS),
        base.mark_text(align="left", dx=8, fontSize=10, color="#374151").encode(text="display_name:N"),
    )


def parts_chart(board: Records, allowance_pp: float, title: str) -> alt.TopLevelMixin:
    """Public against sealed accuracy in percent, with the diagonal and the line of the gap allowance."""
    shown = [
        {k: r[k] for k in ("display_name", "endpoint_kind")}
        | {part: 100 * r[f"{part}_correct"] / r[f"{part}_n"] for part in ("public", "sealed")}
        for r in board
        if r["public_correct"] is not None and r["sealed_correct"] is not None
    ]
    axis = alt.Scale(domain=[0, 100])
    lines = [
        alt.Chart(_inline([{"public": start, "sealed": 0}, {"public": 100, "sealed": 100 - start}]))
        .mark_line(color=colour, strokeDash=dash, strokeWidth=1)
        .encode(x="public:Q", y="sealed:Q")
        for start, colour, dash in ((0, "#6b7280", [1, 0]), (allowance_pp, "#b91c1c", [5, 4]))
    ]
    points = _named_points(
        alt.Chart(_inline(shown)).encode(
            x=alt.X("public:Q", title="public accuracy, %", scale=axis),
            y=alt.Y("sealed:Q", title="sealed accuracy, %", scale=axis),
        )
    )
    return _framed(
        alt.layer(*lines, points).properties(width=520, height=520),
        title,
        f"dashed: {allowance_pp:g} pp below the diagonal; the penalty goes by the gap over matched families",
    )


def cost_chart(board: Records, threshold: float, title: str) -> alt.TopLevelMixin:
    """Unit cost (log) against Intelligence, with the gate."""
    names = ("display_name", "endpoint_kind", "usd_per_1000", "intelligence")
    shown = [
        {k: r[k] for k in names}
        for r in board
        if (r["usd_per_1000"] or 0) > 0 and r["intelligence"] is not None
    ]
    gate = alt.Chart(_inline([{"intelligence": threshold}])).mark_rule(color="#b91c1c", strokeDash=[5, 4])
    points = _named_points(
        alt.Chart(_inline(shown)).encode(
            x=alt.X(
                "usd_per_1000:Q",
                title="USD per 1,000 decisions",
                scale=alt.Scale(type="log"),
                axis=alt.Axis(tickCount=5, format="~g"),
            ),
            y=alt.Y("intelligence:Q", title="Intelligence, points", scale=alt.Scale(domain=[0, 100])),
        )
    )
    return _framed(
        alt.layer(gate.encode(y="intelligence:Q"), points).properties(width=620, height=420),
        title,
        f"below {threshold:g} points the gate bites",
    )


def latency_chart(distribution: Records, title: str) -> alt.TopLevelMixin:
    """Share of calls that took at most so long, raw beside adjusted, a line for each system."""
    points = [
        {"system": r["display_name"], "seconds": r[column], "share": r["share"], "latency": name}
        for r in distribution
        for column, name in (("latency_s", "as measured"), ("adjusted_latency_s", "adjusted"))
        if r[column] > 0
    ]
    chart = (
        alt.Chart(_inline(points))
        .mark_line(interpolate="step-after")
        .encode(
            x=alt.X(
                "seconds:Q",
                title="seconds per call",
                scale=alt.Scale(type="log"),
                axis=alt.Axis(tickCount=5, format="~g"),
            ),
            y=alt.Y("share:Q", title="share of calls", scale=alt.Scale(domain=[0, 1])),
            color=alt.Color("system:N", title=None),
            order="share:Q",
        )
        .properties(width=360, height=280)
        .facet(column=alt.Column("latency:N", title=None, sort=["as measured", "adjusted"]))
    )
    return _framed(chart, title, "whole calls that were answered, all measured passes")


def reliability_chart(bins: Records, title: str) -> alt.TopLevelMixin:
    """Confidence against accuracy in bins, a row for each system, a column for each part; area: answers."""
    data = _inline(bins)
    diagonal = (
        alt.Chart(data)
        .mark_line(color="#9ca3af", strokeWidth=1)
        .encode(
            x=alt.X("low_confidence:Q", title="mean confidence", scale=alt.Scale(domain=[0, 1])),
            y=alt.Y("low_confidence:Q", title="accuracy", scale=alt.Scale(domain=[0, 1])),
        )
    )
    dots = (
        alt.Chart(data)
        .mark_point(filled=True, color="#0d9488")
        .encode(
            x="mean_confidence:Q",
            y="accuracy:Q",
            size=alt.Size("answer_count:Q", title="answers in bin"),
        )
    )
    counts = (
        alt.Chart(data)
        .mark_text(dy=-12, fontSize=9, color="#374151")
        .encode(x="mean_confidence:Q", y="accuracy:Q", text="answer_count:Q")
    )
    chart = (
        alt.layer(diagonal, dots, counts)
        .properties(width=220, height=220)
        .facet(row=alt.Row("display_name:N", title=None), column=alt.Column("part:N", title=None))
    )
    return _framed(chart, title, "valid probability answers; on the line confidence is honest")


def sensitivity_chart(variants: Records, title: str) -> alt.TopLevelMixin:
    """Rank of every system under every variant of the method, coloured by places gained."""
    order = [
        r["display_name"] for r in sorted(variants, key=lambda r: r["rank"]) if r["variant"] == "as_scored"
    ]
    first = sorted({r["variant"] for r in variants} - {"as_scored"})
    base = alt.Chart(_inline(variants)).encode(
        x=alt.X(
            "variant:N", title=None, sort=["as_scored", *first], axis=alt.Axis(labelAngle=-40, orient="top")
        ),
        y=alt.Y("display_name:N", title=None, sort=order, axis=alt.Axis(labelLimit=220)),
    )
    cells = base.mark_rect().encode(
        color=alt.Color(
            "rank_change:Q",
            title="places gained",
            scale=alt.Scale(domain=[-5, 0, 5], range=["#d98880", "#ffffff", "#7dbb9b"], clamp=True),
        )
    )
    chart = alt.layer(cells, base.mark_text(fontSize=10).encode(text="rank:Q"))
    return _framed(
        chart.properties(width={"step": 46}, height={"step": 22}),
        title,
        "rank when one thing of the method changes",
    )


def confusion_chart(cells: Records, title: str) -> alt.TopLevelMixin:
    """Confusion matrices of documents, one for each system and task."""
    base = alt.Chart(_inline(cells)).encode(
        x=alt.X("predicted_category:N", title="predicted"), y=alt.Y("true_category:N", title="true")
    )
    chart = (
        alt.layer(
            base.mark_rect().encode(
                color=alt.Color("unit_count:Q", title=None, scale=alt.Scale(scheme="blues"), legend=None)
            ),
            base.mark_text(fontSize=10).encode(text="unit_count:Q"),
        )
        .properties(width={"step": 44}, height={"step": 30})
        .facet(row=alt.Row("system:N", title=None), column=alt.Column("task:N", title="sources or pages"))
        .resolve_scale(x="independent", y="independent")
    )
    return _framed(chart, title, "sources (classify) and pages (split)")


def export_charts(
    project: Project, out: Path, suite: str, method: str, track: str, unaudited: bool = False
) -> list[Path]:
    """Write every chart that the suite has rows for, as SVG and PNG, to the folder ``out``.

    Raises:
        Refused: no fresh audit (unless ``unaudited``: then every title is watermarked), or no rows at all.
    """
    published = read_published(project, unaudited)
    title = f"{WATERMARK} · " * unaudited + f"{suite} · track {track} · method {method}"
    charts = _board_charts(published, {"suite": suite, "method": method, "track": track}, title)
    runs = {r["run_id"] for r in _rows(published, "documents", {"suite": suite})}
    for run_id in sorted(runs):
        cells = _rows(published, "documents_confusion", {"run_id": run_id})
        name = f"{WATERMARK} · " * unaudited + run_id
        charts[f"confusion-{run_id}"] = confusion_chart(cells, name)
    if not charts:
        raise Refused(
            f"no board row for suite {suite}, method {method}, track {track}",
            mend="see: jevhouse sql 'SELECT DISTINCT method, suite, track FROM board.leaderboard'",
        )
    written = []
    for name, chart in charts.items():
        for form, draw in (("svg", svg), ("png", png)):
            path = out / f"{name}.{form}"
            formats.write(path, draw(chart))
            written.append(path)
    return written


def _rows(published: Published, table: str, key: dict[str, str]) -> Records:
    rows = published.boards.get(table)
    return [r for r in rows.to_pylist() if all(r[c] == v for c, v in key.items())] if rows else []


def _board_charts(published: Published, key: dict[str, str], title: str) -> dict[str, alt.TopLevelMixin]:
    board = _rows(published, "leaderboard", key)
    if not board:
        return {}
    board.sort(key=lambda r: (r["rank"] is None, r["rank"], r["system"]))
    names = {r["system"]: r["display_name"] for r in board}
    parameters = {
        p["parameter"]: p["value"]
        for p in published.boards["methods"].to_pylist()
        if p["method"] == key["method"] and p["applies_to"] is None
    }
    charts = {
        "axes": axes_chart(pa.Table.from_pylist(board), title),
        "public-sealed": parts_chart(board, float(parameters["gap_allowance_pp"]), title),
        "cost-intelligence": cost_chart(board, float(parameters["gate_threshold"]), title),
    }
    for table, name, draw in (
        ("latency_distribution", "latency", latency_chart),
        ("reliability", "reliability", reliability_chart),
        ("sensitivity", "sensitivity", sensitivity_chart),
    ):
        rows = [r | {"display_name": names[r["system"]]} for r in _rows(published, table, key)]
        if rows:
            charts[name] = draw(rows, title)
    return charts


def svg(chart: alt.TopLevelMixin) -> bytes:
    return vl_convert.vegalite_to_svg(chart.to_dict()).encode()


def png(chart: alt.TopLevelMixin) -> bytes:
    return vl_convert.vegalite_to_png(chart.to_dict(), scale=2)
