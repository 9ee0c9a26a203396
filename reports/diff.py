"""Which systems moved between two states of a board, by how much, and why."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
from rich.console import Console
from rich.table import Table

from audits.suites import open_warehouse
from ingest.errors import Refused
from ingest.project import Project
from reports.formats import rounded

State = dict[str, pa.Table]
TABLES = ("leaderboard", "parts", "methods")
AXES = ("intelligence", "calibration", "speed", "cost")
GATED = ("intelligence", "speed", "cost")


def state_of_environment(project: Project, environment: str) -> State:
    """The board of a SQLMesh environment.

    What an environment changed lies in ``<schema>__<environment>``; the rest it shares with prod.
    """
    with closing(open_warehouse(project)) as connection:
        views = {
            tuple(view)
            for view in connection.execute("SELECT schema_name, view_name FROM duckdb_views()").fetchall()
        }
        names = sorted(
            {"prod"}
            | {
                schema.split("__")[1]
                for schema, _ in views
                if "__" in schema and not schema.startswith("sqlmesh__")
            }
        )
        if environment not in names:
            raise Refused(
                f"there is no environment {environment}",
                mend=f"there is {', '.join(names)}; make one with: sqlmesh plan {environment}",
            )
        state = {}
        for name in TABLES:
            own = f"board__{environment}"
            schema = own if (own, name) in views else "board"
            state[name] = connection.execute(f'FROM "{schema}"."{name}"').to_arrow_table()
        return state


def state_of_export(folder: Path) -> State:
    """The board that ``jevhouse export site`` wrote to ``folder``."""
    state = {}
    for name in TABLES:
        path = folder / "data" / f"{name}.parquet"
        if not path.is_file():
            raise Refused("is not there", file=path, mend="name a folder that jevhouse export site wrote")
        state[name] = pq.read_table(path)
    return state


def compare(old: State, new: State, suite: str | None = None) -> tuple[pa.Table, pa.Table]:
    """Return the rows that moved, and the parameters that changed, each with old and new side by side.

    ``<axis>_share`` is what an axis, with its weight and its gate, contributed to ``composite_change``,
    in points; the four sum to it. With C = H x gates and 1/H = sum of weight / axis, the change of C is
    split over its factors by the logarithmic mean L (Ang 2005,
    https://doi.org/10.1016/j.enpol.2003.10.010) and that of H exactly: ``L(C) / L(H) x H_old x H_new x
    (w_old / x_old - w_new / x_new) + L(C) x ln(gate_new / gate_old)``. NULL where a composite is unknown
    or 0.

    Raises:
        Refused: the states have no board in common, or a board in common stands on another freeze.
    """
    with closing(duckdb.connect(":memory:")) as connection:
        for side, state in (("old", old), ("new", new)):
            for name, rows in state.items():
                connection.register(f"{side}_{name}", rows)
        connection.execute(LOG_MEAN)
        _refuse_incomparable(connection, suite)
        parameters = connection.execute(PARAMETERS, {"suite": suite}).to_arrow_table()
        connection.register("parameters", parameters)
        return connection.execute(MOVED, {"suite": suite}).to_arrow_table(), parameters


def _refuse_incomparable(connection: duckdb.DuckDBPyConnection, suite: str | None) -> None:
    both = connection.execute(
        "SELECT suite, method FROM old_leaderboard WHERE suite = COALESCE($suite, suite) "
        "INTERSECT SELECT suite, method FROM new_leaderboard",
        {"suite": suite},
    ).fetchall()
    if not both:
        raise Refused(
            "the two states have no board in common" + (f" for suite {suite}" if suite else ""),
            mend="boards of different suites or methods are never compared",
        )
    other = connection.execute(
        "SELECT DISTINCT suite, track, part, o.item_count, n.item_count FROM old_parts AS o "
        "JOIN new_parts AS n USING (suite, track, part) WHERE suite IN (SELECT UNNEST($suites)) "
        "AND (o.item_count <> n.item_count OR ABS(o.chance_rate - n.chance_rate) > 1e-12) "
        "ORDER BY ALL LIMIT 1",
        {"suites": [name for name, _ in both]},
    ).fetchone()
    if other:
        name, track, part, before, after = other
        raise Refused(
            f"{name} stands on another freeze: track {track}, part {part} had {before} items and has {after}",
            mend="scores of different freezes are never compared; name another suite with --suite",
        )
    other = connection.execute(
        "SELECT suite FROM old_leaderboard AS o JOIN new_leaderboard AS n USING (suite, method, track) "
        "WHERE o.freeze_fingerprint IS DISTINCT FROM n.freeze_fingerprint "
        "AND suite = COALESCE($suite, suite) ORDER BY suite LIMIT 1",
        {"suite": suite},
    ).fetchone()
    if other:
        raise Refused(
            f"{other[0]} stands on another freeze: as many items, but not the same",
            mend="scores of different freezes are never compared; name another suite with --suite",
        )


PARAMETERS = """
WITH changed AS (
  SELECT
    COALESCE(o.method, n.method) AS method,
    COALESCE(o.parameter, n.parameter) AS parameter,
    COALESCE(o.applies_to, n.applies_to) AS applies_to,
    o.value AS old_value,
    n.value AS new_value
  FROM old_methods AS o
  FULL JOIN new_methods AS n
    ON o.method = n.method AND o.parameter = n.parameter AND o.applies_to IS NOT DISTINCT FROM n.applies_to
  WHERE o.value IS DISTINCT FROM n.value
)
SELECT * FROM changed
WHERE method IN (SELECT method FROM new_leaderboard WHERE suite = COALESCE($suite, suite))
ORDER BY ALL
"""

LOG_MEAN = (
    "CREATE MACRO log_mean(a, b) AS "
    "CASE WHEN ABS(a - b) <= 1e-9 * a THEN (a + b) / 2 ELSE (a - b) / LN(a / b) END"
)


def _weights(side: str) -> str:
    columns = ", ".join(
        f"MAX(CASE WHEN parameter = '{axis}_weight' THEN TRY_CAST(value AS DOUBLE) END) AS {axis}"
        for axis in AXES
    )
    return f"(SELECT method, {columns} FROM {side}_methods GROUP BY method)"


def _share(axis: str) -> str:
    part = f"h.old * h.new * (ow.{axis} / o.{axis} - nw.{axis} / n.{axis}) / log_mean(h.new, h.old)"
    if axis in GATED:
        part += f" + LN(n.gate_{axis} / o.gate_{axis})"
    return f"CASE WHEN h.old IS NOT NULL THEN log_mean(n.composite, o.composite) * ({part}) END"


def _mean(side: str) -> str:
    return f"{side}.composite / ({' * '.join(f'{side}.gate_{axis}' for axis in GATED)})"


MOVED = f"""
WITH harmonic_means AS (
  SELECT method, suite, track, system, {_mean("o")} AS old, {_mean("n")} AS new
  FROM old_leaderboard AS o
  INNER JOIN new_leaderboard AS n USING (method, suite, track, system)
  WHERE o.composite > 0 AND n.composite > 0
), pairs AS (
  SELECT
    method, suite, track, system,
    COALESCE(n.display_name, o.display_name) AS display_name,
    o.rank AS old_rank, n.rank AS new_rank,
    o.composite AS old_composite, n.composite AS new_composite,
    n.composite - o.composite AS composite_change,
    {", ".join(f"n.{axis} - o.{axis} AS {axis}_change" for axis in AXES)},
    {", ".join(f"{_share(axis)} AS {axis}_share" for axis in AXES)},
    {", ".join(f"n.{axis} IS DISTINCT FROM o.{axis} AS {axis}_differs" for axis in AXES)},
    o.display_name IS NULL AS is_new, n.display_name IS NULL AS is_gone,
    o.evidence_fingerprint IS DISTINCT FROM n.evidence_fingerprint AS is_other_evidence,
    method IN (SELECT method FROM parameters) AS is_other_method
  FROM old_leaderboard AS o
  FULL JOIN new_leaderboard AS n USING (method, suite, track, system)
  LEFT JOIN harmonic_means AS h USING (method, suite, track, system)
  LEFT JOIN {_weights("old")} AS ow USING (method)
  LEFT JOIN {_weights("new")} AS nw USING (method)
  WHERE suite = COALESCE($suite, suite)
    AND (suite, method) IN (SELECT (suite, method) FROM old_leaderboard)
    AND (suite, method) IN (SELECT (suite, method) FROM new_leaderboard)
)
SELECT
  * EXCLUDE ({", ".join(f"{axis}_differs" for axis in AXES)}),
  CONCAT_WS(', ', {", ".join(f"CASE WHEN {axis}_differs THEN '{axis}' END" for axis in AXES)}) AS axes,
  CASE
    WHEN is_new THEN 'entered'
    WHEN is_gone THEN 'left'
    WHEN is_other_evidence AND is_other_method THEN 'evidence and method'
    WHEN is_other_evidence THEN 'evidence'
    WHEN old_composite IS NOT DISTINCT FROM new_composite
      AND NOT ({" OR ".join(f"{axis}_differs" for axis in AXES)})
      THEN 'others moved'
    WHEN is_other_method THEN 'method'
    ELSE 'models, prices or other frozen facts'
  END AS because
FROM pairs
WHERE is_new OR is_gone OR old_rank IS DISTINCT FROM new_rank OR old_composite IS DISTINCT FROM new_composite
  OR {" OR ".join(f"{axis}_differs" for axis in AXES)}
ORDER BY method, suite, track, COALESCE(new_rank, old_rank) NULLS LAST, system
"""


def show(moved: pa.Table, parameters: pa.Table) -> None:
    console = Console()
    for p in parameters.to_pylist():
        where = f" ({p['applies_to']})" if p["applies_to"] else ""
        old, new = (p[side] if p[side] is not None else "absent" for side in ("old_value", "new_value"))
        console.print(f"method {p['method']}: {p['parameter']}{where} {old} → {new}", highlight=False)
    if not len(moved):
        console.print("no system moved")
        return
    table = Table(caption="axis: its own points, and → the points of the composite that they explain")
    for heading in ("suite", "track", "system", "rank", "composite", "change", *AXES, "because"):
        table.add_column(heading, overflow="fold")
    for r in moved.to_pylist():
        table.add_row(
            r["suite"],
            r["track"],
            r["display_name"],
            f"{rounded(r['old_rank'], 0)} → {rounded(r['new_rank'], 0)}",
            f"{rounded(r['old_composite'], 2)} → {rounded(r['new_composite'], 2)}",
            _signed(r["composite_change"]),
            *(_moved(r[f"{axis}_change"], r[f"{axis}_share"]) for axis in AXES),
            r["because"],
        )
    console.print(table)


def _signed(change: float | None) -> str:
    return "" if change is None else f"{change:+.2f}"


def _moved(change: float | None, share: float | None) -> str:
    """An axis may explain points without a change of its own: by its weight or the threshold of its gate."""
    own = _signed(change or None)
    return own if share is None or abs(share) < 0.005 else f"{own or '0'} → {_signed(share)}"
