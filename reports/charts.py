"""Charts of the board."""

from __future__ import annotations

import altair as alt
import pyarrow as pa
import vl_convert

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


def svg(chart: alt.TopLevelMixin) -> bytes:
    return vl_convert.vegalite_to_svg(chart.to_dict()).encode()


def png(chart: alt.TopLevelMixin) -> bytes:
    return vl_convert.vegalite_to_png(chart.to_dict(), scale=2)
