"""Small pieces of SQL that several models share, and the engine-specific functions."""

from sqlmesh import macro


@macro()
def parameter(evaluator, name, type_):
    """The value of a parameter, in a query over frozen.method_parameters grouped by method."""
    return f"CAST(MAX(CASE WHEN parameter = '{name.name}' THEN value END) AS {type_.sql()})"


@macro()
def clamp_points(evaluator, points):
    """Points are between 0 and 100; NULL stays NULL (GREATEST and LEAST ignore it on DuckDB)."""
    value = points.sql(dialect="duckdb")
    return f"CASE WHEN {value} IS NOT NULL THEN GREATEST(0.0, LEAST(100.0, {value})) END"


# Upper quantiles that a method may ask for: DuckDB's quantile functions take constants only.
OFFERED_QUANTILES = "[0.9, 0.95, 0.99]"


@macro()
def quantiles_nearest_rank(evaluator, value):
    """The offered quantiles of the group by nearest rank: the observed value of rank ceil(q x n)."""
    return f"QUANTILE_DISC({value.sql(dialect='duckdb')}, {OFFERED_QUANTILES})"


@macro()
def quantiles_linear(evaluator, value):
    """The offered quantiles of the group at position (n - 1) x q, linear between neighbours (as numpy)."""
    return f"QUANTILE_CONT({value.sql(dialect='duckdb')}, {OFFERED_QUANTILES})"


@macro()
def pick_quantile(evaluator, quantiles, share):
    """One of the offered quantiles; NULL when it is not offered, which the audits of the model refuse."""
    position = f"LIST_POSITION({OFFERED_QUANTILES}, {share.sql(dialect='duckdb')})"
    return f"LIST_EXTRACT({quantiles.sql(dialect='duckdb')}, {position})"


@macro()
def quantile_linear(evaluator, sorted_list, q):
    """Quantile at position (n - 1) x q of an ascending list, linear between neighbours (numpy's default)."""
    values, share = sorted_list.sql(dialect="duckdb"), q.sql(dialect="duckdb")
    position = f"((LEN({values}) - 1) * {share})"
    low = f"{values}[CAST(FLOOR({position}) AS BIGINT) + 1]"
    high = f"{values}[CAST(CEIL({position}) AS BIGINT) + 1]"
    return f"({low} + ({high} - {low}) * ({position} - FLOOR({position})))"


@macro()
def sha256_of_lines(evaluator, line, order_by):
    """SHA-256 (hex) of the group's lines, sorted, joined by line feeds."""
    return (
        f"SHA256(STRING_AGG({line.sql(dialect='duckdb')}, CHR(10) ORDER BY {order_by.sql(dialect='duckdb')}))"
    )


@macro()
def differs_by_more_than(evaluator, value, target, tolerance):
    """Whether two numbers differ by more than a tolerance; last bits of decimal fractions do not count."""
    a, b, t = (x.sql(dialect="duckdb") for x in (value, target, tolerance))
    return f"ABS({a} - {b}) > {t} + 1e-12"


@macro()
def failure_state(evaluator, error_type, error_code):
    """The state of a call that ended in an error: which kind of failure the provider or the system had."""
    kind, code = error_type.sql(dialect="duckdb"), error_code.sql(dialect="duckdb")
    return (
        f"CASE WHEN {code} LIKE '4__' THEN 'http_4xx' WHEN {code} LIKE '5__' THEN 'http_5xx' "
        f"WHEN LOWER({kind}) LIKE '%timeout%' OR LOWER({code}) LIKE '%timeout%' THEN 'timeout' "
        "ELSE 'failed' END"
    )


@macro()
def log10_ratio(evaluator, value, reference):
    """log10(value / reference); NULL where the value is not positive."""
    return f"LOG10(NULLIF(GREATEST({value.sql(dialect='duckdb')}, 0), 0) / {reference.sql(dialect='duckdb')})"
