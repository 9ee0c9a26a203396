"""Where a score comes from: composite <- gates <- axes <- parts <- counts <- files of evidence.

Every number is read from the warehouse, every formula is the comment of its column; nothing is computed here.
"""

from __future__ import annotations

from contextlib import closing
from dataclasses import asdict, dataclass, field
from typing import Any

import duckdb
from rich.text import Text
from rich.tree import Tree

from audits.suites import open_warehouse
from ingest.errors import Refused
from ingest.project import Project

Row = dict[str, Any]
AXES = ("intelligence", "calibration", "speed", "cost")
PARTS = ("public", "sealed")
# Tables with figures that the board withholds where they would tell of too few sealed items, and the column
# of board.leaderboard that must be shown for a figure of theirs to be.
OF_SEALED_ITEMS = ("measures.part_ingredients", "axes.intelligence", "axes.calibration", "axes.composite")
OPEN_WITH = {
    **dict.fromkeys(("correct_count", "accuracy", "chance_rate", "sealed_score", "base"), "sealed_correct"),
    **dict.fromkeys(("valid_n", "ece"), "sealed_ece"),
    "probability_coverage": "sealed_probability_coverage",
    "matched_gap_pp": "matched_gap_pp",
    "overfit_factor": "overfit_factor",
    "intelligence": "intelligence",
    "gate_intelligence": "gate_intelligence",
    "sealed_calibration": "calibration",
    "calibration": "calibration",
    "harmonic_mean": "composite",
    "composite": "composite",
}


@dataclass
class Node:
    """A value, where it stands, what it means, the parameters it uses, and the values that it is made of."""

    name: str
    value: Any
    column: str = ""  # schema.table.column of the warehouse
    formula: str = ""  # comment of the column, ending in the unit
    parameters: dict[str, Any] = field(default_factory=dict)
    made_of: list[Node] = field(default_factory=list)


def explain(
    project: Project,
    suite: str,
    system: str,
    axis: str | None = None,
    track: str = "all",
    method: str | None = None,
) -> Node:
    """Return the derivation of a system's composite, or of one axis, with the evidence under it.

    Reads ``axes``, ``board``, ``frozen`` and ``measures`` by part; never a row per item.

    Raises:
        Refused: no such row, or several methods score it and none is named.
    """
    with closing(open_warehouse(project)) as connection:
        try:
            return _Derivation(connection, *_key(connection, suite, system, track, method)).root(axis)
        except duckdb.CatalogException as error:
            raise Refused(
                f"the warehouse has no board yet ({str(error).splitlines()[0]})",
                file="warehouse/jevhouse.duckdb",
                mend="run: sqlmesh plan",
            ) from None


def _key(
    connection: duckdb.DuckDBPyConnection, suite: str, system: str, track: str, method: str | None
) -> tuple[str, str, str, str]:
    known = connection.execute("SELECT suite, track, system, method FROM board.leaderboard").fetchall()
    for position, name, asked in ((0, "suite", suite), (1, "track", track), (2, "system", system)):
        there = sorted({row[position] for row in known})
        if asked not in there:
            raise Refused(f"there is no {name} {asked} on the board", mend=f"one of {', '.join(there)}")
        known = [row for row in known if row[position] == asked]
    methods = sorted(row[3] for row in known if method in (None, row[3]))
    if not methods:
        raise Refused(f"{suite} is not scored by {method}", mend=f"by {', '.join(r[3] for r in known)}")
    if len(methods) > 1:
        raise Refused(f"{suite} is scored by {' and '.join(methods)}", mend="choose one: --method")
    return methods[0], suite, track, system


class _Derivation:
    def __init__(
        self, connection: duckdb.DuckDBPyConnection, method: str, suite: str, track: str, system: str
    ):
        self.connection = connection
        self.key = {"method": method, "suite": suite, "track": track, "system": system}
        self.board = self.row("board.leaderboard")
        self.parameters = self.row("frozen.methods")
        self.parts = {row["part"]: row for row in self.rows("measures.part_ingredients")}
        self.comments = {
            f"{schema}.{table}.{column}": comment
            for schema, table, column, comment in connection.execute(
                "SELECT schema_name, table_name, column_name, comment FROM duckdb_columns()"
            ).fetchall()
        }

    def rows(self, table: str) -> list[Row]:
        """Rows of ``table`` that have the key, or as much of it as the table has columns for."""
        columns = {column[0] for column in self.connection.execute(f"FROM {table} LIMIT 0").description}
        key = {name: value for name, value in self.key.items() if name in columns}
        where = " AND ".join(f"{name} = ?" for name in key)
        found = self.connection.execute(f"FROM {table} WHERE {where} ORDER BY ALL", list(key.values()))
        rows = found.to_arrow_table().to_pylist()
        if table in OF_SEALED_ITEMS and self.board["suppressed"]:
            return [self.shown(row) for row in rows]
        return rows

    def shown(self, row: Row) -> Row:
        """A row without the figures of sealed items that the board withholds."""
        if row.get("part") == "public":
            return row
        return {
            name: None if name in OPEN_WITH and self.board[OPEN_WITH[name]] is None else value
            for name, value in row.items()
        }

    def row(self, table: str) -> Row:
        found = self.rows(table)
        return found[0] if found else {}

    def node(
        self, table: str, name: str, row: Row, made_of: list[Node] | None = None, uses: tuple[str, ...] = ()
    ) -> Node:
        column = f"{table}.{name}"
        used = {parameter: self.parameters[parameter] for parameter in uses}
        return Node(name, row.get(name), column, self.comments.get(column) or "", used, made_of or [])

    def root(self, axis: str | None) -> Node:
        top = getattr(self, axis)() if axis else self.composite()
        key = self.key
        title = f"{key['system']} · {key['suite']} · track {key['track']} · method {key['method']}"
        if self.board["suppressed"]:
            title += " · figures that would tell of too few sealed items are withheld"
        return Node(title, None, made_of=[top, self.evidence()])

    def composite(self) -> Node:
        row = self.row("axes.composite")
        weights = tuple(f"{axis}_weight" for axis in AXES)
        mean = self.node(
            "axes.composite", "harmonic_mean", row, [getattr(self, axis)() for axis in AXES], weights
        )
        gates = [
            self.node("axes.composite", f"gate_{axis}", row, uses=("gate_threshold", "gate_exponent"))
            for axis in ("intelligence", "speed", "cost")
        ]
        return self.node("axes.composite", "composite", row, [*gates, mean])

    def intelligence(self) -> Node:
        table = "axes.intelligence"
        row = self.row(table)
        scores = [
            self.node(table, f"{part}_score", row, self.accuracy(part))
            for part in PARTS
            if part in self.parts
        ]
        families = [
            Node(
                f["family"],
                f["gap_pp"],
                "board.families.gap_pp",
                self.comments.get("board.families.gap_pp") or "",
                made_of=[
                    self.node("board.families", name, f)
                    for name in ("public_correct", "public_n", "sealed_correct", "sealed_n")
                ],
            )
            for f in self.rows("board.families")
            if f["is_matched"]
        ]
        gap = self.node(table, "matched_gap_pp", row, families, ("matched_family_min_items",))
        return self.node(
            table,
            "intelligence",
            row,
            [
                self.node(table, "base", row, scores, ("public_weight", "sealed_weight")),
                self.node(table, "overfit_factor", row, [gap], ("gap_allowance_pp", "gap_scale_pp")),
            ],
        )

    def accuracy(self, part: str) -> list[Node]:
        table, row = "measures.part_ingredients", self.parts[part]
        states = [
            Node(
                o["outcome"],
                o["item_count"],
                "board.outcomes.item_count",
                f"{self.comments.get('board.outcomes.item_count') or ''}: {part}",
            )
            for o in self.rows("board.outcomes")
            if o["part"] == part
        ]
        counts = [self.node(table, "correct_count", row), self.node(table, "item_count", row, states)]
        return [self.node(table, "accuracy", row, counts), self.node(table, "chance_rate", row)]

    def calibration(self) -> Node:
        table, row = "axes.calibration", self.row("axes.calibration")
        kind = self.node("measures.ingredients", "probability_kind", self.row("measures.ingredients"))
        parts = []
        for part in PARTS:
            if part not in self.parts:
                continue
            counted = self.parts[part]
            ece = self.node(
                "measures.part_ingredients",
                "ece",
                counted,
                [self.node("measures.part_ingredients", "valid_n", counted)],
                ("ece_bins", "probability_sum_tolerance"),
            )
            coverage = self.node("measures.part_ingredients", "probability_coverage", counted)
            parts.append(self.node(table, f"{part}_calibration", row, [ece, coverage], ("ece_worst",)))
        return self.node(table, "calibration", row, [*parts, kind], ("public_weight", "sealed_weight"))

    def speed(self) -> Node:
        table, row, measured = "axes.speed", self.row("axes.speed"), self.row("board.latency")
        adjustment = {name: measured.get(name) for name in ("latency_factor", "latency_addend_s")}
        points = []
        for quantile, rule in (("p50", ()), ("p95", ("percentile_rule", "upper_quantile"))):
            raw = self.node(
                "board.latency",
                f"{quantile}_s",
                measured,
                [self.node("board.latency", "latency_samples", measured)],
                rule,
            )
            adjusted = self.node(table, f"adjusted_{quantile}_s", row, [raw])
            adjusted.parameters = adjustment
            points.append(
                self.node(
                    table,
                    f"{quantile}_points",
                    row,
                    [adjusted],
                    ("latency_reference_s", "latency_points_per_decade"),
                )
            )
        return self.node(table, "speed", row, points)

    def cost(self) -> Node:
        table, row, ledger = "axes.cost", self.row("axes.cost"), self.row("board.costs")
        known = [
            self.node("board.costs", name, ledger)
            for name in (
                "cost_source", "costed_calls", "receipted_cost_usd", "inference_s", "inference_cost_usd",
                "partial_cost_usd", "retry_cost_usd",
            )
            if ledger.get(name) is not None
        ]  # fmt: skip
        points = self.node(
            table,
            "cost_points",
            row,
            [self.node(table, "usd_per_1000", row, known)],
            ("cost_reference_usd_per_1000", "cost_points_per_decade"),
        )
        return self.node(table, "cost", row, [points, self.node(table, "receipt_coverage", row)])

    def evidence(self) -> Node:
        files = [
            Node(
                f["path"], f["sha256"], "board.evidence.sha256", f"{f['row_count']} rows of {f['table_name']}"
            )
            for f in self.rows("board.evidence")
        ]
        return self.node("board.leaderboard", "evidence_fingerprint", self.board, files)


def as_json(node: Node) -> dict[str, Any]:
    return asdict(node)


def as_tree(node: Node, tree: Tree | None = None) -> Tree:
    """The derivation for a terminal, numbers in full precision."""
    line = Text(node.name, style="bold")
    if node.column:
        line.append(f"  {'unknown' if node.value is None else node.value}", style="cyan")
        line.append(f"  {node.formula}", style="default not bold")
        if node.parameters:
            line.append(
                f"  [{', '.join(f'{name} {value}' for name, value in node.parameters.items())}]",
                style="yellow not bold",
            )
        line.append(f"  {node.column}", style="dim not bold")
    branch = Tree(line) if tree is None else tree.add(line)
    for part in node.made_of:
        as_tree(part, branch)
    return branch
