"""Opens the computed warehouse, and reads from it which part the items of a suite are in."""

from __future__ import annotations

from contextlib import closing
from typing import Any

import duckdb

from ingest.errors import Refused
from ingest.landing import read_register
from ingest.project import Project


def open_warehouse(project: Project) -> duckdb.DuckDBPyConnection:
    """Open the warehouse read-only; one clear line when it is absent or a plan holds it."""
    if not project.database.exists():
        raise Refused("there is no warehouse yet", file="warehouse/jevhouse.duckdb", mend="run: sqlmesh plan")
    try:
        return duckdb.connect(str(project.database), read_only=True)
    except duckdb.IOException:
        raise Refused(
            "the warehouse is held by another process",
            file="warehouse/jevhouse.duckdb",
            mend="wait until the plan has ended, then try again",
        ) from None


def planned_rows(project: Project, sql: str, parameters: list[Any] | None = None) -> list[dict[str, Any]]:
    """Rows of a query on a warehouse that was computed from exactly the registered evidence.

    Raises:
        Refused: there is no such warehouse, or evidence has landed since the latest plan.
    """
    registered = {(line.path, line.sha256) for line in read_register(project)}
    with closing(open_warehouse(project)) as connection:
        try:
            if set(connection.execute("SELECT path, sha256 FROM frozen.evidence").fetchall()) != registered:
                raise Refused(
                    "evidence has landed since the latest plan",
                    file="warehouse/jevhouse.duckdb",
                    mend="run: sqlmesh plan; where it fails, it says what no longer holds",
                )
            result = connection.execute(sql, parameters or [])
        except duckdb.CatalogException:
            raise Refused(
                "the warehouse was made by other models",
                file="warehouse/jevhouse.duckdb",
                mend="run: sqlmesh plan",
            ) from None
        names = [column[0] for column in result.description]
        return [dict(zip(names, row, strict=True)) for row in result.fetchall()]


def item_parts(project: Project, suite: str) -> list[dict[str, Any]]:
    """``splits.item_parts`` of a suite, by item.

    Raises:
        Refused: no plan has seen the suite, or evidence has landed since.
    """
    rows = planned_rows(project, "FROM splits.item_parts WHERE suite = ? ORDER BY item_id", [suite])
    if not rows:
        raise Refused(f"there is no suite {suite}", mend="bring it in with: jevhouse suite import")
    return rows
