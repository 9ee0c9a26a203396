/* The adjusted latency shown is the one that the endpoint kind asks for. */
AUDIT (name adjustment_follows_endpoint_kind);

SELECT board.method, board.suite, board.track, board.system
FROM @this_model AS board
LEFT JOIN frozen.latency_adjustments AS a
  ON board.method = a.method AND board.endpoint_kind = a.endpoint_kind
WHERE board.p50_s IS NOT NULL
  AND (
    a.method IS NULL
    OR ABS(board.adjusted_p50_s - (a.latency_factor * board.p50_s + a.latency_addend_s)) > 1e-9
    OR ABS(board.adjusted_p95_s - (a.latency_factor * board.p95_s + a.latency_addend_s)) > 1e-9
  );
