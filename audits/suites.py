"""Runs expectations through Great Expectations and keeps the verdict."""

from __future__ import annotations

import hashlib
import json
import os
from contextlib import closing
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

import duckdb
import pandas as pd

from audits import documents, image
from audits.expectations import Expectation
from ingest.errors import Refused
from ingest.landing import HEADER, read_register, verify
from ingest.project import Project, write_atomically
from ingest.warehouse import open_warehouse

SUITES: dict[str, list[Expectation]] = {
    "evidence": image.EVIDENCE,
    "splits": image.SPLITS,
    "outcomes": image.OUTCOMES,
    "costs": image.COSTS,
    "board": image.BOARD,
    "documents": documents.DOCUMENTS,
}

SHOWN_OFFENDERS = 3


@dataclass(frozen=True)
class Verdict:
    """What one expectation came to."""

    suite: str
    expectation: str
    says: str
    severity: str
    success: bool
    offenders: int
    first: list[dict[str, str]]  # key, expected, found of the first offenders


def state_fingerprint(project: Project, connection: duckdb.DuckDBPyConnection) -> str:
    """SHA-256 over the frozen facts, the register included, and over the board's own rows.

    An audit is good for exactly the state it saw: a new file, a changed seed or a rebuilt board ends it.
    """
    digest = hashlib.sha256()
    for path in sorted(project.seeds.glob("*.csv")):
        digest.update(f"{path.name}\n".encode() + path.read_bytes())
    tables = connection.execute(
        "SELECT table_name FROM information_schema.tables WHERE table_schema = 'board' ORDER BY table_name"
    ).fetchall()
    for (table,) in tables:
        rows = connection.execute(
            f'SELECT COUNT(*), SUM(HASH(row_)::HUGEINT) FROM board."{table}" AS row_'
        ).fetchone()
        digest.update(f"{table} {rows}\n".encode())
    return digest.hexdigest()


def audit(project: Project, suites: list[str], docs: Path | None = None) -> list[Verdict]:
    """Run the named suites, keep the verdict in ``warehouse/audits/``, return it expectation by expectation.

    Args:
        project: whose warehouse.
        suites: names in ``SUITES``.
        docs: folder for Great Expectations' Data Docs, if wanted.
    """
    with closing(open_warehouse(project)) as connection:
        connection.register(
            "register",
            pd.DataFrame(
                [asdict(line) for line in read_register(project)],
                columns=HEADER,
            ),
        )
        connection.register(
            "disk",
            pd.DataFrame(
                [(f.path, f.kind) for f in verify(project)], columns=["path", "finding"], dtype="str"
            ),
        )
        offenders = {}
        for suite in suites:
            for expectation in SUITES[suite]:
                offenders[suite, expectation.name] = _offenders(connection, expectation)
        fingerprint = state_fingerprint(project, connection)
    success = _great_expectations(suites, offenders, docs)
    verdicts = [
        Verdict(
            suite=suite,
            expectation=expectation.name,
            says=expectation.says,
            severity=expectation.severity,
            success=success[suite, expectation.name],
            offenders=offenders[suite, expectation.name][0],
            first=offenders[suite, expectation.name][1],
        )
        for suite in suites
        for expectation in SUITES[suite]
    ]
    _keep(project, verdicts, suites, fingerprint)
    return verdicts


def _offenders(
    connection: duckdb.DuckDBPyConnection, expectation: Expectation
) -> tuple[int, list[dict[str, str]]]:
    try:
        relation = connection.execute(
            f"SELECT CAST(key AS TEXT), CAST(expected AS TEXT), CAST(found AS TEXT), COUNT(*) OVER () "
            f"FROM ({expectation.sql}) ORDER BY 1 LIMIT {SHOWN_OFFENDERS}"
        )
        rows = relation.fetchall()
    except duckdb.CatalogException as error:
        raise Refused(
            f"the warehouse lacks a table that {expectation.name} reads ({str(error).splitlines()[0]})",
            file="warehouse/jevhouse.duckdb",
            mend="run: sqlmesh plan",
        ) from None
    except (duckdb.IOException, duckdb.InvalidInputException, duckdb.HTTPException):
        # What cannot be read holds nothing: register_equals_disk says which file it is.
        return 1, [{"key": "evidence", "expected": "readable files", "found": "a file that cannot be read"}]
    first = [{"key": key, "expected": expected, "found": found} for key, expected, found, _ in rows]
    return (rows[0][3] if rows else 0), first


def _great_expectations(
    suites: list[str], offenders: dict[tuple[str, str], tuple[int, list]], docs: Path | None
) -> dict[tuple[str, str], bool]:
    """Judge the offender counts, one column per expectation, all of which must be zero."""
    os.environ["GX_ANALYTICS_ENABLED"] = "False"  # read at import; an audit asks nobody on the network
    import great_expectations as gx
    import great_expectations.expectations as gxe

    context = gx.get_context(mode="ephemeral")
    context.variables.progress_bars = gx.data_context.types.base.ProgressBarsConfig(globally=False)
    if docs is not None:
        context.add_data_docs_site(
            "local",
            {
                "class_name": "SiteBuilder",
                "show_how_to_buttons": False,
                "site_index_builder": {"class_name": "DefaultSiteIndexBuilder"},
                "store_backend": {
                    "class_name": "TupleFilesystemStoreBackend",
                    "base_directory": str(docs.resolve()),
                },
            },
        )
    source = context.data_sources.add_pandas("warehouse")
    success = {}
    for name in suites:
        suite = context.suites.add(gx.ExpectationSuite(name=name))
        for expectation in SUITES[name]:
            suite.add_expectation(
                gxe.ExpectColumnValuesToBeInSet(
                    column=expectation.name,
                    value_set=[0],
                    notes=expectation.says,
                    severity="critical" if expectation.severity == "error" else "warning",
                )
            )
        frame = pd.DataFrame([{e.name: offenders[name, e.name][0] for e in SUITES[name]}])
        batch = source.add_dataframe_asset(name).add_batch_definition_whole_dataframe("offenders")
        validation = context.validation_definitions.add(
            gx.ValidationDefinition(name=name, data=batch, suite=suite)
        )
        checkpoint = context.checkpoints.add(gx.Checkpoint(name=name, validation_definitions=[validation]))
        (result,) = checkpoint.run(batch_parameters={"dataframe": frame}).run_results.values()
        for one in result.results:
            success[name, one.expectation_config.kwargs["column"]] = bool(one.success)
    if docs is not None:
        context.build_data_docs()
    return success


def passed(verdicts: list[Verdict]) -> bool:
    return all(v.success or v.severity == "warning" for v in verdicts)


def _keep(project: Project, verdicts: list[Verdict], suites: list[str], fingerprint: str) -> None:
    now = datetime.now(UTC)
    folder = project.warehouse / "audits"
    folder.mkdir(parents=True, exist_ok=True)
    record = {
        "audited_at": now.isoformat(),
        "state_fingerprint": fingerprint,
        "suites": suites,
        "complete": set(suites) == set(SUITES),
        "success": passed(verdicts),
        "expectations": [asdict(v) for v in verdicts],
    }
    name = f"{now.strftime('%Y%m%dT%H%M%S.%f')}.json"
    write_atomically(folder / name, json.dumps(record, indent=1).encode())


def refuse_unaudited(project: Project, connection: duckdb.DuckDBPyConnection) -> None:
    """Raise unless the latest complete audit passed and saw exactly this state of evidence, seeds and board."""
    damaged = verify(project)
    if damaged:
        raise Refused(
            f"evidence is {damaged[0].kind}",
            file=f"warehouse/{damaged[0].path}",
            mend="restore it, then run: jevhouse audit",
        )
    records = []
    for path in sorted((project.warehouse / "audits").glob("*.json"), reverse=True):
        record = json.loads(path.read_text(encoding="utf-8"))
        records.append(record)
        if record["complete"]:
            break
    # A partial audit may refute, never confirm.
    failed = [r for r in records if not r["success"]]
    if failed:
        bad = [
            e["expectation"]
            for e in failed[0]["expectations"]
            if not e["success"] and e["severity"] == "error"
        ]
        raise Refused(f"the latest audit failed: {', '.join(bad)}", mend="see: jevhouse audit")
    if not records or not records[-1]["complete"]:
        raise Refused("the board has not been audited", mend="run: jevhouse audit")
    if records[-1]["state_fingerprint"] != state_fingerprint(project, connection):
        raise Refused(
            "evidence, seeds or board changed after the latest audit",
            mend="run: sqlmesh plan, then jevhouse audit",
        )
