"""The one command, ``jevhouse``: parses arguments, calls, and ends a refusal in one line and exit code 1."""

from __future__ import annotations

import contextlib
import io
import sys
from enum import StrEnum
from pathlib import Path
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
suite_app = typer.Typer(no_args_is_help=True, help="Bring in, draw, freeze and verify suites of items.")
exposure_app = typer.Typer(no_args_is_help=True, help="Record where items were seen.")
app.add_typer(ingest_app, name="ingest")
app.add_typer(suite_app, name="suite")
app.add_typer(exposure_app, name="exposure")
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


@ingest_app.command("documents")
def ingest_documents(
    run_dir: Annotated[list[Path], typer.Argument(help="Run folders: raw.jsonl and what lies beside it.")],
    truth: Annotated[
        Path | None, typer.Option(help="Frozen truth; default: the folder's truth.json, else its manifest.")
    ] = None,
) -> None:
    """Land recorded runs of the document benchmark, all of them or none."""
    from ingest.importers.documents import import_runs

    for line in import_runs(Project.find(), run_dir, truth):
        typer.echo(line)


@ingest_app.command("published")
def ingest_published(
    file: Annotated[Path, typer.Argument(help="CSV with one line per track and system.")],
    suite: Annotated[str, typer.Option(help="Benchmark of the lines that name none.")] = "image-v0.1",
) -> None:
    """Land aggregates that others published, for a board whose evidence per item is private."""
    from ingest.importers.published import import_published

    run_id = import_published(Project.find(), file, suite)
    typer.echo(f"landed as {run_id}" if run_id else f"{file.name} has landed already: nothing to do")


@ingest_app.command("choice")
def ingest_choice(
    file: Annotated[Path, typer.Argument(help="JSON lines, one call each; see docs/import-choice.md.")],
    suite: Annotated[str, typer.Option(help="Benchmark that the tasks make up.")],
    system: Annotated[str, typer.Option(help="Key of the system that was called.")],
    display_name: Annotated[str, typer.Option(help="Name on the board; default: the key.")] = "",
    endpoint_kind: Annotated[str, typer.Option(help="self_hosted, hosted or demo.")] = "self_hosted",
    method: Annotated[str, typer.Option(help="Method that scores the suite.")] = "choice-v1",
) -> None:
    """Land one system's calls on a public suite of text choices."""
    from ingest.importers.choice import Entrant, import_choice

    entrant = Entrant(suite, system, display_name or system, endpoint_kind, method)
    run_id = import_choice(Project.find(), file, entrant)
    typer.echo(f"landed as {run_id}" if run_id else f"{file.name} has landed already: nothing to do")


class Scope(StrEnum):
    decision = "decision"
    end_to_end = "end-to-end"


@ingest_app.command("run")
def ingest_run(
    config: Annotated[Path, typer.Option(help="YAML file; ready ones lie in configs/.")],
    dry: Annotated[bool, typer.Option("--dry-run", help="Validate and plan; no call, no key.")] = False,
    prepare_only: Annotated[
        bool, typer.Option("--prepare-only", help="Parse, and write a receipt; no call, no key.")
    ] = False,
    prepared: Annotated[Path | None, typer.Option(help="Receipt whose one attempt this is.")] = None,
    resume: Annotated[str | None, typer.Option(help="Run to make up for; only what was never sent.")] = None,
    limit: Annotated[int | None, typer.Option(help="First items of each task only: a pilot.")] = None,
    repeats: Annotated[int | None, typer.Option(help="Measured passes: a pilot.")] = None,
    scope: Annotated[Scope | None, typer.Option(help="What is timed: another condition.")] = None,
    concurrency: Annotated[int | None, typer.Option(help="Calls in flight: another condition.")] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Send without asking.")] = False,
) -> None:
    """Make the calls of a benchmark, recorded before and after, and seal them as evidence."""
    from ingest.harness import run as harness
    from ingest.harness.config import load

    if dry + prepare_only + (prepared is not None) + (resume is not None) > 1:
        raise Refused("these exclude each other", field="--dry-run, --prepare-only, --prepared, --resume")
    project = Project.find()
    asked = load(config, limit=limit, repeats=repeats, scope=scope, concurrency=concurrency)
    if dry:
        for line in harness.dry_run(project, asked).lines():
            typer.echo(line)
        return
    if prepare_only:
        typer.echo(harness.prepare_only(project, asked).relative_to(project.root))
        return

    def confirm(plan: harness.Plan) -> bool:
        for line in plan.lines():
            typer.echo(line, err=True)
        return yes or (sys.stdin.isatty() and typer.confirm("Send?", err=True))

    outcome = harness.run(project, asked, prepared, resume, confirm)
    counts = ", ".join(f"{number} {status}" for status, number in sorted(outcome.counts.items()))
    stopped = f" ({outcome.stop_code})" if outcome.stop_code else ""
    typer.echo(
        f"{outcome.run_id}: {outcome.status}{stopped}; {counts}; {outcome.committed_usd:.6f} USD committed"
    )
    raise typer.Exit(0 if outcome.status == "complete" else 1)


@ingest_app.command("seal")
def ingest_seal(run_id: Annotated[str, typer.Argument(help="Folder of warehouse/journal.")]) -> None:
    """Turn a run's journal, also that of a killed run, into evidence."""
    from ingest.harness.seal import seal

    unfinished = seal(Project.find(), run_id)
    typer.echo(f"sealed {run_id}")
    for line in unfinished:
        typer.echo(f"unfinished: {line}")


@suite_app.command("import")
def suite_import(
    file: Annotated[Path, typer.Argument(help="JSON lines or Parquet, one item a row; see docs/suites.md.")],
    suite: Annotated[str, typer.Option(help="Suite that the items join, with its version in the name.")],
) -> None:
    """Check items and land them in the sealed store."""
    from ingest.suites import import_suite

    run_id = import_suite(Project.find(), file, suite)
    typer.echo(f"landed as {run_id}" if run_id else f"{file.name} has landed already: nothing to do")


@suite_app.command("draw")
def suite_draw(
    suite: Annotated[str, typer.Argument(help="Suite that the drawn items join.")],
    pool: Annotated[str, typer.Option(help="Imported suite to draw from.")],
    size: Annotated[int, typer.Option(help="Items to draw.")],
    seed: Annotated[str, typer.Option(help="Equal seeds draw equal items.")],
    strata: Annotated[str, typer.Option(help="Fields, with commas.")] = "family,difficulty",
    exclude_track: Annotated[
        list[str] | None, typer.Option(help="Track to leave out; may be given several times.")
    ] = None,
) -> None:
    """Draw never-exposed items from a pool, stratified and seeded."""
    from ingest.draw import draw_suite
    from reports.terminal import show_strata

    fields = [name.strip() for name in strata.split(",")]
    show_strata(fields, draw_suite(Project.find(), pool, suite, size, fields, seed, exclude_track or []))


@suite_app.command("freeze")
def suite_freeze(suite: Annotated[str, typer.Argument(help="Suite to freeze.")]) -> None:
    """Commit counts and hashes of a suite's parts to seeds/freezes.csv, before anyone sees it."""
    from ingest.commitments import freeze_suite

    rows = freeze_suite(Project.find(), suite)
    if rows is None:
        typer.echo(f"{suite} is frozen exactly so already: nothing to do")
        return
    for part in ("public", "sealed", "retired"):
        typer.echo(f"{part:8} {sum(row.item_count for row in rows if row.part == part):5} items")
    typer.echo(f"frozen at {rows[0].frozen_at} UTC in seeds/freezes.csv; commit that file")


@suite_app.command("verify")
def suite_verify(
    suite: Annotated[str | None, typer.Argument(help="Suite whose items to hash again.")] = None,
    proof: Annotated[Path | None, typer.Option(help="Proof of one item, with --item.")] = None,
    item: Annotated[Path | None, typer.Option(help="The revealed item, as for an import.")] = None,
) -> None:
    """Prove that a suite's items are the frozen ones, or that one revealed item belongs to a freeze."""
    from ingest.commitments import verify_proof, verify_suite

    if (suite is None) != bool(proof and item):
        raise Refused("verifies a suite, or one item", mend="give SUITE, or --proof FILE and --item FILE")
    if proof and item:
        proven = verify_proof(Project.find(), proof, item)
        typer.echo(f"{proven.item_id} is in the freeze of {proven.suite}, part {proven.part}")
        return
    findings = verify_suite(Project.find(), suite)
    for finding in findings:
        typer.echo(f"{finding.item_id}: {finding.problem}")
    typer.echo(f"{len(findings)} findings" if findings else f"the items of {suite} are the frozen ones")
    raise typer.Exit(1 if findings else 0)


@suite_app.command("prove")
def suite_prove(
    suite: Annotated[str, typer.Argument(help="Frozen suite.")],
    item: Annotated[str, typer.Argument(help="Item to prove.")],
    out: Annotated[Path | None, typer.Option(help="File to write; the terminal when absent.")] = None,
) -> None:
    """Write the proof that an item is in the freeze; it shows nothing of any item."""
    from ingest.commitments import proof_json, prove
    from reports import formats

    data = proof_json(prove(Project.find(), suite, item))
    if out:
        formats.write(out, data)
    else:
        typer.echo(data.decode(), nl=False)


@exposure_app.command("add")
def exposure_add(
    suite: Annotated[str, typer.Option(help="Suite of the items.")],
    item: Annotated[str | None, typer.Option(help="Item that was seen.")] = None,
    kind: Annotated[str | None, typer.Option(help="One of seeds/exposure_kinds.csv.")] = None,
    place: Annotated[str | None, typer.Option(help="Where it was seen.")] = None,
    seen_at: Annotated[str | None, typer.Option(help="When first, UTC, as 2026-09-21T14:00:00Z.")] = None,
    note: Annotated[str | None, typer.Option(help="Evidence for the record.")] = None,
    file: Annotated[Path | None, typer.Option(help="CSV or JSON lines with these fields instead.")] = None,
) -> None:
    """Record exposures: they, and nothing else, decide whether an item is public, sealed or retired."""
    from ingest.exposures import add_exposures, moves_a_frozen_item, read_exposures

    one = {"item_id": item, "kind": kind, "place": place, "seen_at": seen_at}
    if (file is None) != all(one.values()) or (file and any((*one.values(), note))):
        raise Refused(
            "records one exposure or a file of them",
            mend="give --item, --kind, --place and --seen-at, or --file alone",
        )
    project = Project.find()
    records = list(read_exposures(file)) if file else [one | {"note": note}]
    run_id = add_exposures(project, suite, records, file or "exposure")
    if run_id is None:
        typer.echo("these exposures have landed already: nothing to do")
        return
    typer.echo(f"landed as {run_id}")
    if moves_a_frozen_item(project, suite, {record["kind"] for record in records}):
        typer.echo(
            f"{suite} is frozen: where this moves an item, import and freeze a new version and take {suite} "
            "off seeds/boards.csv; until then sqlmesh plan keeps the old board"
        )


@app.command("audit")
def audit_(
    suite: Annotated[
        list[str] | None, typer.Option(help="Only this suite; may be given several times.")
    ] = None,
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


Method = Annotated[str | None, typer.Option(help="Only this method.")]
Suite = Annotated[str | None, typer.Option(help="Only this suite.")]
Track = Annotated[str | None, typer.Option(help="Only this track.")]
Unaudited = Annotated[bool, typer.Option("--unaudited", help="Export without a passing audit, watermarked.")]


class TableFormat(StrEnum):
    table = "table"
    csv = "csv"
    json = "json"
    parquet = "parquet"
    md = "md"


@export_app.command("leaderboard")
def export_leaderboard(
    method: Method = None,
    suite: Suite = None,
    track: Track = None,
    format_: Annotated[TableFormat, typer.Option("--format", help="Data formats keep full precision.")] = (
        TableFormat.table
    ),
    out: Annotated[Path | None, typer.Option(help="File to write; the terminal when absent.")] = None,
    unaudited: Unaudited = False,
) -> None:
    """Export the leaderboard, if the latest audit passed and is of this very state."""
    from rich.console import Console

    from reports import formats
    from reports.leaderboard import leaderboard, markdown, terminal_tables

    rows = leaderboard(Project.find(), method, suite, track, unaudited)
    if format_ is TableFormat.table:
        with io.StringIO() if out else contextlib.nullcontext() as text:
            console = Console(file=text, width=200 if text else None)
            console.print(*terminal_tables(rows, console.width))
            if text:
                formats.write(out, text.getvalue().encode())
                typer.echo(str(out))
        return
    data = markdown(rows).encode() if format_ is TableFormat.md else formats.encode(rows, format_)
    if out:
        formats.write(out, data)
        typer.echo(str(out))
    elif format_ is TableFormat.parquet:
        raise Refused("parquet does not go to a terminal", mend="give --out FILE")
    else:
        typer.echo(data.decode(), nl=False)


@export_app.command("site")
def export_site_(
    out: Annotated[Path, typer.Option(help="Folder for index.html and data/.")],
    unaudited: Unaudited = False,
) -> None:
    """Write every board as one page that needs no network, with its tables as CSV and Parquet beside it."""
    from reports.site import export_site

    typer.echo(export_site(Project.find(), out, unaudited))


@export_app.command("charts")
def export_charts_(
    out: Annotated[Path, typer.Option(help="Folder for the charts, each as SVG and PNG.")],
    suite: Annotated[str, typer.Option(help="Suite to draw.")],
    method: Annotated[str, typer.Option(help="Method.")] = "image-v0.1",
    track: Annotated[str, typer.Option(help="Track.")] = "all",
    unaudited: Unaudited = False,
) -> None:
    """Draw a board: axes, parts, cost, latency, reliability, sensitivity; confusion of documents."""
    from reports.charts import export_charts

    typer.echo(", ".join(map(str, export_charts(Project.find(), out, suite, method, track, unaudited))))


@export_app.command("documents")
def export_documents(
    run: Annotated[str, typer.Argument(help="Run id.")],
    out: Annotated[Path, typer.Option(help="Folder for summary.json, metrics.csv, report.md, latency.svg.")],
    unaudited: Unaudited = False,
) -> None:
    """Regenerate the report of a document run."""
    from reports.documents import export

    typer.echo(", ".join(map(str, export(Project.find(), run, out, unaudited))))


class Role(StrEnum):
    reader = "reader"
    maintainer = "maintainer"


class SqlFormat(StrEnum):
    table = "table"
    csv = "csv"
    json = "json"


@app.command("sql")
def sql_(
    query: Annotated[str, typer.Argument(help="One reading statement.")],
    format_: Annotated[
        SqlFormat, typer.Option("--format", help="How to print the result.")
    ] = SqlFormat.table,
    role: Annotated[
        Role, typer.Option(help="A reader sees published tables; a maintainer the whole warehouse.")
    ] = (Role.reader),
) -> None:
    """Run a query on the warehouse, reading only."""
    from reports import formats
    from reports.terminal import show_rows
    from reports.warehouse import run_sql

    rows = run_sql(Project.find(), query, maintainer=role is Role.maintainer)
    if format_ is SqlFormat.table:
        show_rows(rows)
    else:
        typer.echo(formats.encode(rows, format_).decode(), nl=False)


class Axis(StrEnum):
    intelligence = "intelligence"
    calibration = "calibration"
    speed = "speed"
    cost = "cost"


@app.command("explain")
def explain_(
    suite: Annotated[str, typer.Argument(help="Suite of the row.")],
    system: Annotated[str, typer.Argument(help="Key of the entrant.")],
    axis: Annotated[Axis | None, typer.Option(help="Only this axis.")] = None,
    track: Annotated[str, typer.Option(help="Track of the row.")] = "all",
    method: Annotated[str | None, typer.Option(help="Method, when several score the suite.")] = None,
    json_: Annotated[bool, typer.Option("--json", help="Print the tree as JSON.")] = False,
) -> None:
    """Show what a score is made of, down to counts and files of evidence."""
    import json

    from rich.console import Console

    from reports.explain import as_json, as_tree, explain

    root = explain(Project.find(), suite, system, axis, track, method)
    if json_:
        typer.echo(json.dumps(as_json(root), indent=1, ensure_ascii=False))
    else:
        # Elsewhere than on a terminal no line is cut.
        Console(width=None if sys.stdout.isatty() else 1_000).print(as_tree(root))


@app.command("diff")
def diff_(
    old: Annotated[str, typer.Argument(help="SQLMesh environment, such as prod; with --evidence a folder.")],
    new: Annotated[str, typer.Argument(help="The same, for the later state.")],
    evidence: Annotated[
        bool, typer.Option("--evidence", help="Compare two folders that jevhouse export site wrote.")
    ] = False,
    suite: Suite = None,
) -> None:
    """Show which systems moved between two states of the board, by how much and why."""
    from reports.diff import compare, show, state_of_environment, state_of_export

    if evidence:
        states = [state_of_export(Path(folder)) for folder in (old, new)]
    else:
        states = [state_of_environment(Project.find(), name) for name in (old, new)]
    show(*compare(*states, suite))


@app.command("demo")
def demo_() -> None:
    """Run local systems on a self-made image suite for real, score, audit and export the board."""
    from reports.demo import run_demo

    run_demo(Project.find())


def main() -> None:
    try:
        app()
    except Refused as refusal:
        typer.echo(f"jevhouse: {refusal}", err=True)
        sys.exit(1)
    except OSError as error:
        typer.echo(f"jevhouse: {error.filename or 'the system'}: {error.strerror or error}", err=True)
        sys.exit(1)
