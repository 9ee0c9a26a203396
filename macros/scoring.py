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


# Quantiles that a method may ask for and that a distribution is drawn from: DuckDB's quantile functions take
# constants only.
OFFERED_QUANTILES = (
    "[0, 0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, "
    "0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 0.98, 0.99, 1]"
)


@macro()
def quantiles_nearest_rank(evaluator, value):
    """The offered quantiles of the group by nearest rank: the observed value of rank ceil(q x n)."""
    return f"QUANTILE_DISC({value.sql(dialect='duckdb')}, {OFFERED_QUANTILES})"


@macro()
def quantiles_linear(evaluator, value):
    """The offered quantiles of the group at position (n - 1) x q, linear between neighbours (as numpy)."""
    return f"QUANTILE_CONT({value.sql(dialect='duckdb')}, {OFFERED_QUANTILES})"


@macro()
def offered_quantiles(evaluator):
    """The shares of the offered quantiles, ascending."""
    return OFFERED_QUANTILES


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
def chance_corrected(evaluator, accuracy, chance):
    """Points between chance (0) and every item right (100); negative below chance."""
    a, c = accuracy.sql(dialect="duckdb"), chance.sql(dialect="duckdb")
    return f"100 * ({a} - {c}) / (1 - {c})"


@macro()
def overfit_factor(evaluator, gap_pp, allowance_pp, scale_pp):
    """Penalty for the matched gap beyond the allowance; 1 without a matched family."""
    gap, free, scale = (x.sql(dialect="duckdb") for x in (gap_pp, allowance_pp, scale_pp))
    return f"GREATEST(0, 1 - GREATEST(0, COALESCE({gap}, 0) - {free}) / {scale})"


@macro()
def calibration_points(evaluator, probability_kind, ece, worst, coverage):
    """(1 - ECE / worst ECE) x coverage, in points; 0 without categorical probabilities."""
    kind, error, limit, share = (x.sql(dialect="duckdb") for x in (probability_kind, ece, worst, coverage))
    points = f"100 * (1 - {error} / {limit})"
    clamped = f"CASE WHEN {error} IS NOT NULL THEN GREATEST(0.0, LEAST(100.0, {points})) END"
    return f"CASE WHEN {kind} <> 'categorical' OR {share} = 0 THEN 0 ELSE {clamped} * {share} END"


@macro()
def decade_points(evaluator, value, reference, per_decade):
    """100 points at the reference, fewer by ``per_decade`` for each tenfold of it, between 0 and 100."""
    amount, origin, slope = (x.sql(dialect="duckdb") for x in (value, reference, per_decade))
    points = f"100 - {slope} * LOG10(NULLIF(GREATEST({amount}, 0), 0) / {origin})"
    return f"CASE WHEN {amount} > 0 THEN GREATEST(0.0, LEAST(100.0, {points})) END"


@macro()
def gate(evaluator, axis, threshold, exponent):
    """(axis / threshold) ^ exponent, at most 1; unknown for an unknown axis."""
    points, limit, power = (x.sql(dialect="duckdb") for x in (axis, threshold, exponent))
    return f"CASE WHEN {points} IS NOT NULL THEN POWER(LEAST(1, {points} / {limit}), {power}) END"


@macro()
def harmonic_mean(evaluator, axes, weights):
    """Weighted harmonic mean; unknown when an axis is unknown, else 0 when one is 0."""
    points = [x.sql(dialect="duckdb") for x in axes.expressions]
    shares = [x.sql(dialect="duckdb") for x in weights.expressions]
    reciprocals = " + ".join(f"{w} / NULLIF({x}, 0)" for x, w in zip(points, shares, strict=True))
    return (
        f"CASE WHEN {' * '.join(points)} IS NULL THEN NULL WHEN LEAST({', '.join(points)}) = 0 THEN 0 "
        f"ELSE 1 / ({reciprocals}) END"
    )
