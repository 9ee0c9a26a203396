from __future__ import annotations

import re

import pyarrow as pa
import pytest
import sqlglot

from ingest.contract import SQL_TYPES, TABLES
from ingest.reference import contract_markdown, external_models
from tests.support import REPOSITORY


def test_documents_are_the_generated_ones():
    assert (REPOSITORY / "docs" / "contract.md").read_text(encoding="utf-8") == contract_markdown()
    assert (REPOSITORY / "external_models.yaml").read_text(encoding="utf-8") == external_models()


@pytest.mark.parametrize("table", TABLES.values(), ids=lambda t: t.name)
def test_every_field_has_a_type_and_a_meaning(table):
    names = [f.name for f in table.fields]
    assert len(names) == len(set(names))
    assert "run_id" in names
    for field in table.fields:
        assert field.type in SQL_TYPES
        assert field.meaning and not field.meaning.endswith(".")
        if pa.types.is_floating(field.type):
            assert field.unit, f"{table.name}.{field.name} measures something without a unit"


@pytest.mark.parametrize("table", TABLES.values(), ids=lambda t: t.name)
def test_grain_is_required(table):
    required = {f.name for f in table.fields if f.required}
    assert set(table.grain) <= required


@pytest.mark.parametrize("table", TABLES.values(), ids=lambda t: t.name)
def test_schema_carries_unit_and_meaning(table):
    for field, arrow in zip(table.fields, table.schema, strict=True):
        assert arrow.nullable is not field.required
        assert arrow.metadata[b"meaning"].decode() == field.meaning
        assert arrow.metadata[b"unit"].decode() == field.unit


@pytest.mark.parametrize("table", TABLES.values(), ids=lambda t: t.name)
def test_staging_model_shows_the_contract(table):
    text = (REPOSITORY / "models" / "staging" / f"{table.name}.sql").read_text(encoding="utf-8")
    header, query = re.split(r"\);\s*\n(?=(?:WITH|SELECT)\b)", text, maxsplit=1)
    select = sqlglot.parse_one(query, dialect="duckdb")
    assert select.named_selects == [f.name for f in table.fields]
    assert {t.sql() for t in select.find_all(sqlglot.exp.Table)} == {
        f"evidence.{table.name}",
        "frozen.evidence",
    }
    assert f"registered_rows(table_name := '{table.name}')" in header
    assert f"grain ({', '.join(table.grain)})" in header
