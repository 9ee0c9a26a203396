"""Reads the finished warehouse for people: briefly, and without what is sealed."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass

import duckdb
import pyarrow as pa

from audits.suites import open_warehouse, refuse_unaudited, state_fingerprint
from ingest.errors import Refused
from ingest.landing import STORES
from ingest.project import Project

# Schemas whose tables are aggregates or frozen facts; the rest has rows per item or reads the evidence files.
PUBLISHED_SCHEMAS = ("board", "axes", "frozen")
WITHHELD = " ANTI JOIN (FROM board.leaderboard WHERE suppressed) USING (method, suite, track, system)"
READING = (duckdb.StatementType.SELECT, duckdb.StatementType.EXPLAIN)
# Errors that speak of the query; any other may quote the value that it failed on.
OF_THE_QUERY = (
    duckdb.ParserException,
    duckdb.BinderException,
    duckdb.CatalogException,
    duckdb.PermissionException,
)
OF_A_VALUE = (
    "failed on a value of the data",
    "use TRY(...) or TRY_CAST, and look at the rows that give NULL",
)
OF_THE_MACHINE = {
    duckdb.OutOfMemoryException: ("ran out of memory", "read fewer rows or columns at once"),
    duckdb.IOException: (
        "could not read a file",
        "run jevhouse audit: it names missing and changed evidence",
    ),
}


def published_copy(project: Project) -> duckdb.DuckDBPyConnection:
    """Return an in-memory database with copies of the published tables and no way out of it.

    A query on it cannot reach sealed rows, files or other databases, nor hold the warehouse open.
    """
    memory = duckdb.connect(":memory:")
    with closing(open_warehouse(project)) as warehouse:
        tables = warehouse.execute(
            "SELECT table_schema, table_name FROM information_schema.tables "
            "WHERE table_schema IN (SELECT UNNEST(?)) ORDER BY ALL",
            [list(PUBLISHED_SCHEMAS)],
        ).fetchall()
        for schema, table in tables:
            # The axes of a row of which the board withholds a figure would give that figure away.
            withheld = WITHHELD if schema == "axes" else ""
            rows = warehouse.execute(f'SELECT * FROM "{schema}"."{table}"{withheld}').to_arrow_table()
            memory.register("rows_", rows)
            memory.execute(f'CREATE SCHEMA IF NOT EXISTS "{schema}"')
            memory.execute(f'CREATE TABLE "{schema}"."{table}" AS FROM rows_')
            memory.unregister("rows_")
    memory.execute("SET enable_external_access = false")
    memory.execute("SET lock_configuration = true")
    return memory


def run_sql(project: Project, sql: str, maintainer: bool) -> pa.Table:
    """Run one reading statement; ``maintainer`` reads the whole warehouse, others what is published.

    Raises:
        Refused: a statement that does not only read, several statements, or an error in the query.
    """
    try:
        statements = duckdb.extract_statements(sql)
    except duckdb.Error as error:
        raise Refused(_first_line(error), mend="check the query") from None
    if len(statements) != 1 or statements[0].type not in READING:
        raise Refused(
            "only one reading statement is run", mend="use SELECT, DESCRIBE, SHOW, SUMMARIZE or EXPLAIN"
        )
    with closing(open_warehouse(project) if maintainer else published_copy(project)) as connection:
        if maintainer:  # the evidence itself, and no other file of the machine
            stores = ", ".join(f"'{project.warehouse / store}/'" for store in STORES)
            connection.execute(f"SET allowed_directories = [{stores}]")
            connection.execute("SET enable_external_access = false")
        try:
            return connection.execute(statements[0]).to_arrow_table()
        except duckdb.Error as error:
            if maintainer and not isinstance(error, OF_THE_QUERY):
                what, mend = OF_THE_MACHINE.get(type(error), OF_A_VALUE)
                raise Refused(f"{type(error).__name__}: the query {what}", mend=mend) from None
            hint = "check the query"
            if not maintainer and isinstance(error, duckdb.CatalogException):
                hint = (
                    f"the tables of {', '.join(PUBLISHED_SCHEMAS)} can be read; --role maintainer reads all"
                )
            raise Refused(_first_line(error), mend=hint) from None


def _first_line(error: Exception) -> str:
    return str(error).splitlines()[0]


def read_board(
    project: Project, sql: str, parameters: list | None = None, unaudited: bool = False
) -> pa.Table:
    """Return rows of ``board.*`` for an export.

    Raises:
        Refused: the latest audit failed, is absent or saw another state, unless ``unaudited``.
    """
    with closing(open_warehouse(project)) as connection:
        try:
            if not unaudited:
                refuse_unaudited(project, connection)
            return connection.execute(sql, parameters or []).to_arrow_table()
        except duckdb.CatalogException as error:
            raise Refused(
                f"the warehouse has no board yet ({_first_line(error)})",
                file="warehouse/jevhouse.duckdb",
                mend="run: sqlmesh plan",
            ) from None


@dataclass(frozen=True)
class Published:
    """The published face of a warehouse: every table of ``board``, and what describes it."""

    boards: dict[str, pa.Table]  # by table name, ordered by their leading columns
    models: list[tuple[str, str, str]]  # schema, table, description
    columns: dict[str, list[tuple[str, str]]]  # "schema.table" -> column, comment
    state: str  # fingerprint of the audited state


# The steps of the argument, in order; evidence and its staging are described in docs/contract.md.
DESCRIBED = ("frozen", "splits", "outcomes", "measures", "documents", "axes", "sensitivity", "board")


def read_published(project: Project, unaudited: bool = False) -> Published:
    """Return everything that may be published, as one state.

    Raises:
        Refused: the latest audit failed, is absent or saw another state, unless ``unaudited``; or no board.
    """
    with closing(open_warehouse(project)) as connection:
        if not unaudited:
            refuse_unaudited(project, connection)
        models = connection.execute(
            "SELECT schema_name, view_name, COALESCE(comment, '') FROM duckdb_views() "
            "WHERE schema_name IN (SELECT UNNEST(?)) ORDER BY LIST_POSITION(?, schema_name), view_name",
            [list(DESCRIBED), list(DESCRIBED)],
        ).fetchall()
        columns: dict[str, list[tuple[str, str]]] = {}
        for schema, table, column, comment in connection.execute(
            "SELECT schema_name, table_name, column_name, COALESCE(comment, '') FROM duckdb_columns() "
            "WHERE schema_name IN (SELECT UNNEST(?)) ORDER BY schema_name, table_name, column_index",
            [list(DESCRIBED)],
        ).fetchall():
            columns.setdefault(f"{schema}.{table}", []).append((column, comment))
        boards = {
            table: connection.execute(f'FROM board."{table}" ORDER BY ALL').to_arrow_table()
            for schema, table, _ in models
            if schema == "board"
        }
        if "leaderboard" not in boards:
            raise Refused(
                "the warehouse has no board yet", file="warehouse/jevhouse.duckdb", mend="run: sqlmesh plan"
            )
        return Published(boards, models, columns, state_fingerprint(project, connection))
