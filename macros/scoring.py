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


@macro()
def sorted_values(evaluator, lists):
    """All values of the group's lists in one ascending list (DuckDB; ARRAY_SORT elsewhere)."""
    return f"LIST_SORT(FLATTEN(LIST({lists.sql(dialect='duckdb')})))"


@macro()
def quantile_linear(evaluator, sorted_list, q):
    """Quantile at position (n - 1) x q of an ascending list, linear between neighbours (numpy's default)."""
    values, share = sorted_list.sql(dialect="duckdb"), q.sql(dialect="duckdb")
    position = f"((LEN({values}) - 1) * {share})"
    low = f"{values}[CAST(FLOOR({position}) AS BIGINT) + 1]"
    high = f"{values}[CAST(CEIL({position}) AS BIGINT) + 1]"
    return f"({low} + ({high} - {low}) * ({position} - FLOOR({position})))"


@macro()
def quantile_nearest_rank(evaluator, sorted_list, q):
    """Value of rank ceil(q x n) of an ascending list."""
    values, share = sorted_list.sql(dialect="duckdb"), q.sql(dialect="duckdb")
    # Rounded first: 0.95 x 20 must be rank 19, whatever the last bit says.
    return f"{values}[CAST(GREATEST(1, CEIL(ROUND({share} * LEN({values}), 9))) AS BIGINT)]"


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
