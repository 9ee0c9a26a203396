"""The whole house in one command: real calls, scores, audit, board."""

from __future__ import annotations

import fcntl
import subprocess
import sys
from pathlib import Path

import typer
from rich.console import Console

from audits.suites import SUITES, audit, passed
from ingest.errors import Refused
from ingest.project import Project
from ingest.specimen.run import demo as run_specimen
from reports import charts, formats
from reports.leaderboard import leaderboard, markdown, terminal_tables
from reports.terminal import show_verdicts

SUITE, METHOD, TRACK = "specimen-v1", "image-v0.1", "all"


def run_demo(project: Project) -> None:
    """Land a run of the specimen systems, rebuild and audit the scores, export the board to ``out/``.

    Raises:
        Refused: the plan failed, or the audit did.
    """
    typer.echo("1/4 asking the local systems")
    run_id = run_specimen(project)
    typer.echo(f"    landed as {run_id}, registered in seeds/evidence.csv")
    with (project.warehouse / ".demo.lock").open("w") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)  # one demo at a time: two plans would fight over the database
        _score_and_export(project)


def _score_and_export(project: Project) -> None:
    typer.echo("2/4 sqlmesh plan")
    plan(project)
    typer.echo("3/4 jevhouse audit")
    verdicts = audit(project, list(SUITES))
    show_verdicts(verdicts)
    if not passed(verdicts):
        raise Refused("the audit failed: nothing is exported", mend="see the table above")
    typer.echo("4/4 jevhouse export")
    out = project.root / "out"
    rows = leaderboard(project, None, SUITE, None)
    formats.write(out / "leaderboard.csv", formats.encode(rows, "csv"))
    formats.write(out / "leaderboard.parquet", formats.encode(rows, "parquet"))
    formats.write(out / "leaderboard.md", markdown(rows).encode())
    shown = leaderboard(project, METHOD, SUITE, TRACK)
    chart = charts.axes_chart(shown, f"{SUITE} · track {TRACK} · method {METHOD}")
    formats.write(out / "axes.svg", charts.svg(chart))
    formats.write(out / "axes.png", charts.png(chart))
    console = Console()
    console.print(*terminal_tables(shown, console.width))
    typer.echo("board:     out/leaderboard.csv, .parquet, .md; out/axes.svg, .png")
    typer.echo("evidence:  warehouse/evidence/, registered in seeds/evidence.csv")
    typer.echo('scores:    warehouse/jevhouse.duckdb (jevhouse sql "FROM board.leaderboard")')


def plan(project: Project) -> None:
    """Run ``sqlmesh plan`` as a person would; what it prints is kept for the case that it fails."""
    program = Path(sys.executable).with_name("sqlmesh")
    done = subprocess.run(
        [program, "plan", "--auto-apply", "--no-prompts"],
        cwd=project.root, check=False, capture_output=True, text=True, stdin=subprocess.DEVNULL,
    )  # fmt: skip
    if done.returncode:
        typer.echo((done.stdout + done.stderr)[-4000:], err=True)
        raise Refused("sqlmesh plan failed: the board is as it was before", mend="see what it printed above")
