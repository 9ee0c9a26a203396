"""Tables for people, in a terminal."""

from __future__ import annotations

import shutil
import sys

import duckdb
import pyarrow as pa
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from audits.suites import Verdict
from ingest.draw import Stratum


def show_verdicts(verdicts: list[Verdict]) -> None:
    """Print a count of what held, and for what did not: expected, found and the first offenders."""
    console = Console()
    for severity, title in (("error", "Failed expectations"), ("warning", "Reported, not failing")):
        failed = [v for v in verdicts if not v.success and v.severity == severity]
        if not failed:
            continue
        table = Table(title=title, title_justify="left", show_lines=True)
        for column in ("suite", "must hold", "expected", "found", "first offenders"):
            table.add_column(column, overflow="fold")
        for v in failed:
            more = f"\n… {v.offenders} in all" if v.offenders > len(v.first) else ""
            table.add_row(
                v.suite,
                f"{v.expectation}\n{v.says}",
                "\n".join(escape(str(o["expected"])) for o in v.first),
                "\n".join(escape(str(o["found"])) for o in v.first),
                "\n".join(escape(str(o["key"])) for o in v.first) + more,
            )
        console.print(table)
    held = sum(v.success for v in verdicts)
    console.print(f"{held} of {len(verdicts)} expectations hold")


def show_rows(rows: pa.Table) -> None:
    """Print rows as DuckDB does: what does not fit a terminal is elided, elsewhere nothing is."""
    width = shutil.get_terminal_size().columns if sys.stdout.isatty() else 100_000
    duckdb.from_arrow(rows).show(max_rows=1_000, max_width=width, max_col_width=width, null_value="NULL")


def show_strata(fields: list[str], strata: list[Stratum]) -> None:
    """Print what every stratum was asked for and gave; counts only."""
    table = Table()
    for column in (*fields, "pool", "requested", "available", "drawn"):
        table.add_column(column, justify="left" if column in fields else "right", overflow="fold")
    for s in strata:
        table.add_row(*map(escape, s.name), *map(str, (s.pool, s.requested, s.available, s.drawn)))
    table.add_section()
    sums = (sum(getattr(s, name) for s in strata) for name in ("pool", "requested", "available", "drawn"))
    table.add_row("in all", *[""] * (len(fields) - 1), *map(str, sums))
    Console().print(table)
