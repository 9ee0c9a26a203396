"""What a difference of composites is put down to, against the formulas written out here."""

from __future__ import annotations

import math

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reports.diff import AXES, GATED, compare

EQUAL = (0.25, 0.25, 0.25, 0.25)


def state(axes: tuple, weights: tuple = EQUAL, threshold: float = 50.0) -> dict[str, pa.Table]:
    """The board of one system; composite and gates as docs/method.md states them."""
    known = dict(zip(AXES, axes, strict=True))
    gates = {a: min(1.0, (known[a] / threshold) ** 2) for a in GATED}
    composite = 0.0
    if all(axes):
        composite = math.prod(gates.values()) / sum(w / x for w, x in zip(weights, axes, strict=True))
    board = {"method": "m", "suite": "s", "track": "all", "system": "x", "display_name": "X", "rank": 1}
    evidence = {"evidence_fingerprint": str(axes), "freeze_fingerprint": "f"}
    row = board | evidence | known | {"composite": composite}
    row |= {f"gate_{axis}": gate for axis, gate in gates.items()}
    parameters = [
        {"method": "m", "parameter": f"{axis}_weight", "applies_to": None, "value": str(weight)}
        for axis, weight in zip(AXES, weights, strict=True)
    ]
    part = {"suite": "s", "track": "all", "part": "public", "item_count": 1, "chance_rate": 0.5}
    methods = pa.Table.from_pylist(
        parameters, schema=pa.schema([(name, pa.string()) for name in parameters[0]])
    )
    return {
        "leaderboard": pa.Table.from_pylist([row]),
        "parts": pa.Table.from_pylist([part]),
        "methods": methods,
    }


def moved(old: dict, new: dict) -> dict:
    (row,) = compare(old, new)[0].to_pylist()
    return row


points = st.tuples(*[st.floats(1, 100)] * 4)
weights = st.sampled_from([EQUAL, (0.4, 0.2, 0.2, 0.2), (0.1, 0.2, 0.3, 0.4)])


@settings(deadline=None)  # a busy machine must not fail a property
@given(points, points, weights, weights, st.sampled_from([40.0, 50.0, 60.0]))
def test_shares_of_the_axes_sum_to_the_change(old, new, old_weights, new_weights, threshold):
    rows = compare(state(old, old_weights), state(new, new_weights, threshold))[0].to_pylist()
    for row in rows:
        shares = sum(row[f"{axis}_share"] for axis in AXES)
        assert shares == pytest.approx(row["composite_change"], abs=1e-6)


@settings(deadline=None)
@given(points, st.integers(0, 3), st.floats(1, 100))
def test_one_axis_that_moved_explains_all_of_it(old, place, value):
    new = tuple(value if n == place else x for n, x in enumerate(old))
    for row in compare(state(old), state(new))[0].to_pylist():
        for n, axis in enumerate(AXES):
            expected = row["composite_change"] if n == place else 0
            assert row[f"{axis}_share"] == pytest.approx(expected, abs=1e-6)


def test_opposite_moves_by_hand():
    """100, 50, 50, 50 and 50, 100, 50, 50: each axis moves H by 1 / 0.0175 ** 2 x 0.25 x (1/50 - 1/100)."""
    row = moved(state((100.0, 50.0, 50.0, 50.0)), state((50.0, 100.0, 50.0, 50.0)))
    assert row["composite_change"] == pytest.approx(0)
    assert row["calibration_share"] == pytest.approx(0.0025 / 0.0175**2)
    assert row["intelligence_share"] == pytest.approx(-0.0025 / 0.0175**2)
    assert row["speed_share"] == row["cost_share"] == 0


def test_a_composite_of_zero_is_put_down_to_nothing():
    row = moved(state((100.0, 50.0, 50.0, 0.0)), state((100.0, 50.0, 50.0, 50.0)))
    assert row["composite_change"] > 0 and row["axes"] == "cost"
    assert all(row[f"{axis}_share"] is None for axis in AXES)
