"""The one command, ``jevhouse``: parses arguments, calls, and turns a refusal into one line and exit code 1."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from ingest.errors import Refused
from ingest.project import Project

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="An analytics warehouse for benchmarks of decision models.",
)
ingest_app = typer.Typer(
    no_args_is_help=True, help="Land evidence in the warehouse, and check what has landed."
)
export_app = typer.Typer(no_args_is_help=True, help="Export audited boards.")
app.add_typer(ingest_app, name="ingest")
app.add_typer(export_app, name="export")


@ingest_app.command("verify")
def ingest_verify() -> None:
    """Re-hash everything registered; name each file that is missing, changed or unregistered."""
    from ingest.landing import read_register, verify

    project = Project.find()
    findings = verify(project)
    for finding in findings:
        typer.echo(f"{finding.kind:12}  warehouse/{finding.path}")
    typer.echo(f"{len(read_register(project))} files registered, {len(findings)} findings")
    raise typer.Exit(1 if findings else 0)


@app.command("audit")
def audit_(
    suite: Annotated[list[str] | None, typer.Option(help="Only this suite; may be given several times.")] = None,
    docs: Annotated[bool, typer.Option("--docs", help="Write Data Docs (HTML) to out/data-docs.")] = False,
) -> None:
    """Check the finished warehouse from outside, against the freezes and the register."""
    from audits.suites import SUITES, audit, passed
    from reports.terminal import show_verdicts

    project = Project.find()
    if unknown := sorted(set(suite or []) - set(SUITES)):
        raise Refused(f"there is no suite {unknown[0]}", mend=f"one of {', '.join(SUITES)}")
    folder = project.root / "out" / "data-docs"
    verdicts = audit(project, suite or list(SUITES), folder if docs else None)
    show_verdicts(verdicts)
    if docs:
        typer.echo(f"Data Docs: {folder.relative_to(project.root)}/index.html")
    raise typer.Exit(0 if passed(verdicts) else 1)


def main() -> None:
    try:
        app()
    except Refused as refusal:
        typer.echo(f"jevhouse: {refusal}", err=True)
        sys.exit(1)
