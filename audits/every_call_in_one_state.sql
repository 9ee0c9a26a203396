/* Planned calls are the sum of their states. */
AUDIT (name every_call_in_one_state);

SELECT *
FROM @this_model
WHERE planned_calls <> successful_calls + failed_calls + skipped_calls + missing_terminal_calls;
