"""The conventions of the document method that several models share."""

from sqlmesh import macro


@macro()
def class_cost(evaluator, tokens, price):
    """Tokens of one class at its price, USD per 1e6; a class without tokens needs no price."""
    count, rate = tokens.sql(dialect="duckdb"), price.sql(dialect="duckdb")
    return f"CASE WHEN ({count}) = 0 THEN 0.0 ELSE ({count}) * {rate} END"


@macro()
def kahan_sum(evaluator, value):
    """Sum with compensated rounding, ascending: the same bits on every run (DuckDB; SUM elsewhere)."""
    number = value.sql(dialect="duckdb")
    return f"FSUM({number} ORDER BY {number})"


@macro()
def precision_of(evaluator, hits, predicted, actual):
    """hits / predicted; where nothing was predicted, 1 if nothing was there to find, else 0."""
    h, p, a = (x.sql(dialect="duckdb") for x in (hits, predicted, actual))
    return f"CASE WHEN {p} > 0 THEN {h} / CAST({p} AS DOUBLE) WHEN {a} = 0 THEN 1.0 ELSE 0.0 END"


@macro()
def recall_of(evaluator, hits, actual):
    """hits / actual; 1 where nothing was there to find."""
    h, a = (x.sql(dialect="duckdb") for x in (hits, actual))
    return f"CASE WHEN {a} > 0 THEN {h} / CAST({a} AS DOUBLE) ELSE 1.0 END"


@macro()
def f1_of(evaluator, hits, predicted, actual):
    """2 hits / (predicted + actual); 1 where both are 0."""
    h, p, a = (x.sql(dialect="duckdb") for x in (hits, predicted, actual))
    return f"CASE WHEN {p} + {a} > 0 THEN 2.0 * {h} / ({p} + {a}) ELSE 1.0 END"


@macro()
def drawn_index(evaluator, seed, resample, draw, size):
    """Index, from 0, that a draw with replacement takes of ``size`` sources; a hash, so no order matters."""
    s, r, d, n = (x.sql(dialect="duckdb") for x in (seed, resample, draw, size))
    return f"CAST(MD5_NUMBER_LOWER(CONCAT_WS(':', {s}, {r}, {d})) % {n} AS BIGINT)"
