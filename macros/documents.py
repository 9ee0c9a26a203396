"""The conventions of the document method that several models share."""

from sqlmesh import macro


@macro()
def class_cost(evaluator, tokens, price):
    """Tokens of one class at its price, USD per 1e6; a class without tokens needs no price."""
    count, rate = tokens.sql(dialect="duckdb"), price.sql(dialect="duckdb")
    return f"CASE WHEN {count} = 0 THEN 0.0 ELSE {count} * {rate} END"
