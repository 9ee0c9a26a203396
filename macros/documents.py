"""The conventions of the document method that several models share."""

from sqlmesh import macro


@macro()
def class_price(evaluator, token_class):
    """The price of a token class, USD per 1e6, in a query over prices grouped by price list and model."""
    return f"MAX(CASE WHEN token_class = '{token_class.name}' THEN usd_per_million_tokens END)"


@macro()
def listed_cost_usd(evaluator, usage, prices):
    """Tokens of ``usage`` at a row of ``prices``, USD; NULL when a count or a price that it takes is unknown.

    A model without a price for a cache class has no such class; one with a price left its count unknown.
    """
    u, p = usage.name, prices.name
    cached = _cache_tokens(f"{u}.cached_input_tokens", f"{p}.cached_price")
    written = _cache_tokens(f"{u}.cache_write_tokens", f"{p}.write_price")
    rest = f"{u}.input_tokens - {cached} - {written}"
    plain = f"CASE WHEN {u}.input_tokens < {cached} + {written} THEN 0 ELSE {rest} END"
    classes = {
        plain: f"{p}.input_price",
        cached: f"{p}.cached_price",
        written: f"{p}.write_price",
        f"{u}.output_tokens": f"{p}.output_price",
    }
    return f"({' + '.join(_class_cost(count, rate) for count, rate in classes.items())}) / 1000000"


def _cache_tokens(count, rate):
    return f"(CASE WHEN {rate} IS NULL THEN COALESCE({count}, 0) ELSE {count} END)"


def _class_cost(count, rate):
    """A class without tokens needs no price."""
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
