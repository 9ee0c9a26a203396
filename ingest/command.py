"""The one command, ``jevhouse``: parses arguments, calls, and turns a refusal into one line and exit code 1."""

from __future__ import annotations

import sys

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


def main() -> None:
    try:
        app()
    except Refused as refusal:
        typer.echo(f"jevhouse: {refusal}", err=True)
        sys.exit(1)
