"""Generates what must agree with the contract: ``docs/contract.md`` and ``external_models.yaml``."""

from __future__ import annotations

from pathlib import Path

import yaml

from ingest.contract import SQL_TYPES, TABLES


def contract_markdown() -> str:
    lines = [
        "# The data contract",
        "",
        "Generated from `ingest/contract.py` by `python -m ingest.reference`; a test holds the two together.",
        "",
        "One Parquet file per run and table, sorted by grain. Times are UTC. NULL is unknown, never zero.",
        "",
    ]
    for table in TABLES.values():
        place = f"warehouse/{table.folder}/<run_id>.parquet"
        lines += [
            f"## {table.name}",
            "",
            f"{table.meaning} Grain: {', '.join(table.grain)}. Files: `{place}`.",
            "",
            "| field | type | unit | required | meaning |",
            "| --- | --- | --- | --- | --- |",
        ]
        for f in table.fields:
            allowed = f" (one of: {', '.join(f.allowed)})" if f.allowed else ""
            lines.append(
                f"| `{f.name}` | {f.type} | {f.unit} | {'yes' if f.required else ''} | {f.meaning}{allowed} |"
            )
        lines.append("")
    return "\n".join(lines)


def external_models() -> str:
    models = [
        {
            "name": f"evidence.{table.name}",
            "description": table.meaning,
            "columns": {f.name: SQL_TYPES[f.type] for f in table.fields} | {"evidence_path": "TEXT"},
        }
        for table in TABLES.values()
    ]
    note = "# Generated from ingest/contract.py by `python -m ingest.reference`.\n"
    return note + yaml.safe_dump(models, sort_keys=False)


def write(root: Path) -> None:
    (root / "docs" / "contract.md").write_text(contract_markdown(), encoding="utf-8")
    (root / "external_models.yaml").write_text(external_models(), encoding="utf-8")


if __name__ == "__main__":
    write(Path(__file__).resolve().parent.parent)
