"""Landing: check a run's tables against the contract, write them once, register them.

``land`` is the only way into the warehouse. Its order makes a crash harmless: the Parquet files are complete
and renamed into place before one atomic rewrite of ``seeds/evidence.csv`` makes all of them evidence at once.
A file that is not in the register is not evidence.
"""

from __future__ import annotations

import csv
import hashlib
import io
import os
import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import astuple, dataclass, fields
from datetime import UTC, datetime
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from ingest.contract import SQL_TYPES, TABLES, Table
from ingest.errors import Refused
from ingest.project import Project, fsync_folder, write_atomically

STORES = ("evidence", "sealed")
RUN_ID_RULE = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,119}")


@dataclass(frozen=True)
class Line:
    """One line of ``seeds/evidence.csv``: a Parquet file that counts."""

    table_name: str
    path: str  # relative to the warehouse, with forward slashes
    sha256: str
    row_count: int
    byte_count: int
    run_id: str
    landed_at: str
    source: str


HEADER = [f.name for f in fields(Line)]


def read_register(project: Project) -> list[Line]:
    """Return the registered files, in landing order.

    Raises:
        Refused: a line is not one of a register, or the register is gone while evidence is on disk.
    """
    path = project.register
    if not path.exists():
        if any((project.warehouse / store).glob("*/*.parquet") for store in STORES):
            raise Refused(
                "the register is gone, and evidence is on disk",
                file=path,
                mend="restore it from version control or a backup",
            )
        return []
    lines, seen = [], set()
    try:
        with path.open(newline="", encoding="utf-8") as handle:
            reader = csv.reader(handle)
            if next(reader, None) != HEADER:
                raise Refused("unknown header", file=path, row=1, mend=f"the header is {','.join(HEADER)}")
            for number, row in enumerate(reader, 2):
                line = _parse(row)
                if line is None or line.path in seen:
                    raise Refused(
                        "not a register line" if line is None else "a file registered twice",
                        file=path,
                        row=number,
                        mend="restore it from version control or a backup",
                    )
                seen.add(line.path)
                lines.append(line)
    except UnicodeDecodeError:
        raise Refused("is not UTF-8", file=path, mend="restore it from version control or a backup") from None
    return lines


def _parse(row: list[str]) -> Line | None:
    """One line of the register; None when it cannot be one."""
    if len(row) != len(HEADER) or not row[3].isascii() or not row[3].isdigit() or not row[4].isdigit():
        return None
    table, file, digest, rows, size, run_id, landed_at, source = row
    if table not in TABLES or not re.fullmatch("[0-9a-f]{64}", digest):
        return None
    if file != f"{TABLES[table].folder}/{run_id}.parquet" or not RUN_ID_RULE.fullmatch(run_id):
        return None
    return Line(table, file, digest, int(rows), int(size), run_id, landed_at, source)


def _write_register(project: Project, lines: list[Line]) -> None:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(HEADER)
    writer.writerows(astuple(line) for line in lines)
    write_atomically(project.register, text.getvalue().encode())


def sha256_of(path: Path) -> str:
    with path.open("rb") as handle:
        return hashlib.file_digest(handle, "sha256").hexdigest()


def _first(mask: pa.ChunkedArray | pa.Array) -> int:
    """Row number, from 1, of the first true value of ``mask``."""
    return pc.index(mask, pa.scalar(True)).as_py() + 1


def _fits(have: pa.DataType, want: pa.DataType) -> bool:
    if have.equals(want) or pa.types.is_null(have):
        return True
    if pa.types.is_string(want):
        return pa.types.is_large_string(have) or pa.types.is_dictionary(have)
    if pa.types.is_int64(want):
        return pa.types.is_integer(have)
    if pa.types.is_float64(want):
        return pa.types.is_floating(have) or pa.types.is_integer(have)
    return pa.types.is_timestamp(want) and pa.types.is_timestamp(have) and have.tz is None


def conform(table: Table, data: pa.Table, run_id: str, file: object = None) -> pa.Table:
    """Return ``data`` in the contract's columns, types and order, sorted by grain.

    Args:
        table: the contract.
        data: rows; nullable columns may be absent.
        run_id: what ``run_id`` must be in every row.
        file: what to call the rows in an error (default: the table's name).

    Raises:
        Refused: unknown column, wrong type, value outside the allowed ones, NULL or non-finite value where
            there must be none, or two rows of one grain; names file, row and field.
    """
    file = file or table.name
    names = {f.name for f in table.fields}
    for name in data.column_names:
        if name not in names:
            raise Refused(
                f"the contract of {table.name} does not know this column",
                file=file,
                field=name,
                mend="see docs/contract.md",
            )
        if data.column_names.count(name) > 1:
            raise Refused("column stands twice", file=file, field=name, mend="keep one")
    columns = []
    for spec in table.fields:
        if spec.name not in data.column_names:
            if spec.required:
                raise Refused(
                    "required column is absent", file=file, field=spec.name, mend="see docs/contract.md"
                )
            columns.append(pa.nulls(len(data), spec.type))
            continue
        column = data[spec.name]
        if not _fits(column.type, spec.type):
            raise Refused(
                f"holds {column.type}, the contract says {spec.type}",
                file=file,
                field=spec.name,
                row=1,
                mend="see docs/contract.md",
            )
        try:
            column = column.cast(spec.type)
        except pa.ArrowInvalid:
            raise Refused(
                f"holds values that do not fit {spec.type}",
                file=file,
                field=spec.name,
                mend="see docs/contract.md",
            ) from None
        if spec.required and column.null_count:
            raise Refused(
                "required, but empty",
                file=file,
                row=_first(pc.is_null(column)),
                field=spec.name,
                mend="fill it in",
            )
        if pa.types.is_floating(spec.type):
            bad = pc.fill_null(pc.invert(pc.is_finite(column)), False)
            if pc.any(bad).as_py():
                raise Refused(
                    "not a finite number",
                    file=file,
                    row=_first(bad),
                    field=spec.name,
                    mend="an unknown value is NULL",
                )
        if spec.allowed:
            bad = pc.fill_null(pc.invert(pc.is_in(column, pa.array(spec.allowed))), False)
            if pc.any(bad).as_py():
                raise Refused(
                    "value outside the allowed ones",
                    file=file,
                    row=_first(bad),
                    field=spec.name,
                    mend=f"one of {', '.join(spec.allowed)}",
                )
        columns.append(column)
    out = pa.table(columns, schema=table.schema)
    foreign = pc.not_equal(out["run_id"], run_id)
    if pc.any(foreign).as_py():
        raise Refused(
            f"belongs to another run than {run_id}",
            file=file,
            row=_first(foreign),
            field="run_id",
            mend="land one run at a time",
        )
    counts = out.select(table.grain).group_by(list(table.grain)).aggregate([([], "count_all")])
    twice = counts.filter(pc.greater(counts["count_all"], 1))
    if len(twice):
        row = _row_of(out, table.grain, twice.slice(0, 1))
        raise Refused(
            f"a second row of one grain ({', '.join(table.grain)})",
            file=file,
            row=row,
            field=table.grain[-1],
            mend="each may land once",
        )
    return out.sort_by([(name, "ascending") for name in table.grain])


def _row_of(data: pa.Table, grain: tuple[str, ...], key: pa.Table) -> int:
    """Row number of the second row with this key."""
    mask = None
    for name in grain:
        same = pc.equal(data[name], key[name][0])
        mask = same if mask is None else pc.and_(mask, same)
    return pc.indices_nonzero(mask)[1].as_py() + 1


@dataclass(frozen=True)
class Landing:
    """The tables of one run, ready to be landed."""

    run_id: str  # name of the landing; refused when it has landed before
    tables: Mapping[str, pa.Table]  # table name to rows, as in ``contract.TABLES``
    source: str  # one line that says where the rows come from (no secrets, no machine paths)


def land(project: Project, run_id: str, tables: Mapping[str, pa.Table], source: str) -> list[Line]:
    """Write the tables of one run and register them, all or nothing; return the new register lines."""
    return land_all(project, [Landing(run_id, tables, source)])


def land_all(project: Project, landings: list[Landing]) -> list[Line]:
    """Write the tables of several runs and register them, all or nothing, in one rewrite of the register.

    Raises:
        Refused: a bad name, an unknown table, rows against the contract, or a run that has landed already.
    """
    for landing in landings:
        if not RUN_ID_RULE.fullmatch(landing.run_id):
            raise Refused(
                f"{landing.run_id!r} cannot name a run",
                mend="letters, digits, dot, dash, underscore; at most 120",
            )
        if unknown := sorted(set(landing.tables) - set(TABLES)):
            raise Refused(f"the contract does not know the table {unknown[0]}", mend="see docs/contract.md")
    _refuse_landed(project, landings)
    temporaries: list[tuple[Path, Path]] = []
    try:
        lines = []
        for name in sorted({name for landing in landings for name in landing.tables}):
            _make_folder(project, TABLES[name])
        for landing in landings:
            ready = {n: conform(TABLES[n], data, landing.run_id) for n, data in landing.tables.items()}
            for name, data in ready.items():
                table = TABLES[name]
                target = project.warehouse / table.folder / f"{landing.run_id}.parquet"
                temporary = target.with_name(f".{target.name}.{os.getpid()}.tmp")
                temporaries.append((temporary, target))
                pq.write_table(data, temporary, compression="zstd")
                with temporary.open("rb") as handle:
                    os.fsync(handle.fileno())
                lines.append(
                    Line(
                        table_name=name,
                        path=target.relative_to(project.warehouse).as_posix(),
                        sha256=sha256_of(temporary),
                        row_count=len(data),
                        byte_count=temporary.stat().st_size,
                        run_id=landing.run_id,
                        landed_at=datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ"),
                        source=" ".join(landing.source.split()),
                    )
                )
        with project.lock():
            register = _refuse_landed(project, landings)
            for temporary, target in temporaries:
                temporary.replace(target)
            for folder in {target.parent for _, target in temporaries}:
                fsync_folder(folder)
            _write_register(project, register + lines)
    finally:
        for temporary, _ in temporaries:
            with suppress(FileNotFoundError):
                temporary.unlink()
    return lines


def _refuse_landed(project: Project, landings: list[Landing]) -> list[Line]:
    """Return the register, unless one of the runs is in it or comes twice."""
    register = read_register(project)
    taken = {line.run_id for line in register}
    for landing in landings:
        if landing.run_id in taken:
            raise Refused(
                f"run {landing.run_id} has landed already",
                file=project.register,
                mend="evidence is append-only: land under a new run id",
            )
        taken.add(landing.run_id)
    return register


def _make_folder(project: Project, table: Table) -> None:
    folder = project.warehouse / table.folder
    if table.sealed:
        sealed = project.warehouse / "sealed"
        sealed.mkdir(mode=0o700, parents=True, exist_ok=True)
        sealed.chmod(0o700)
        folder.mkdir(mode=0o700, exist_ok=True)
    folder.mkdir(parents=True, exist_ok=True)
    fsync_folder(folder.parent)
    fsync_folder(project.warehouse)


@dataclass(frozen=True)
class Finding:
    """One disagreement between register and disk."""

    kind: str  # missing, changed, miscounted (the register promises other rows), unregistered
    path: str  # relative to the warehouse


def verify(project: Project) -> list[Finding]:
    """Re-hash everything registered; return each file that is missing, changed or unregistered."""
    findings = []
    registered = set()
    for line in read_register(project):
        registered.add(line.path)
        path = project.warehouse / line.path
        if not path.is_file():
            findings.append(Finding("missing", line.path))
        elif path.stat().st_size != line.byte_count or sha256_of(path) != line.sha256:
            findings.append(Finding("changed", line.path))
        elif pq.read_metadata(path).num_rows != line.row_count:
            findings.append(Finding("miscounted", line.path))
    for store in STORES:
        for path in sorted((project.warehouse / store).glob("*/*.parquet")):
            name = path.relative_to(project.warehouse).as_posix()
            if name not in registered and not path.name.startswith("."):
                findings.append(Finding("unregistered", name))
    return findings


def evidence_views(project: Project) -> list[str]:
    """Return the SQL that shows exactly the registered files as views ``evidence.<table>``.

    Each view has the contract's columns and ``evidence_path`` (the register's path).

    Raises:
        Refused: a registered file is missing or differs from its hash.
    """
    bad = [f for f in verify(project) if f.kind != "unregistered"]
    if bad:
        raise Refused(
            f"registered evidence is {bad[0].kind}",
            file=f"warehouse/{bad[0].path}",
            mend="restore the file, or see every finding with: jevhouse ingest verify",
        )
    paths: dict[str, list[str]] = {name: [] for name in TABLES}
    for line in read_register(project):
        paths[line.table_name].append(line.path)
    root = f"{project.warehouse.as_posix()}/"
    statements = ["CREATE SCHEMA IF NOT EXISTS evidence"]
    for table in TABLES.values():
        if files := paths[table.name]:
            quoted = ", ".join(_quote(root + file) for file in files)
            columns = ", ".join(f'"{f.name}"::{SQL_TYPES[f.type]} AS "{f.name}"' for f in table.fields)
            query = (
                f"SELECT {columns}, filename[{len(root) + 1}:] AS evidence_path "
                f"FROM read_parquet([{quoted}], filename = true, union_by_name = true)"
            )
        else:
            columns = ", ".join(f'NULL::{SQL_TYPES[f.type]} AS "{f.name}"' for f in table.fields)
            query = f"SELECT {columns}, NULL::TEXT AS evidence_path WHERE FALSE"
        statements.append(f"CREATE OR REPLACE VIEW evidence.{table.name} AS {query}")
    return statements


def _quote(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
