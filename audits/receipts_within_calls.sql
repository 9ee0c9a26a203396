/* No more receipted calls than calls: a decision is priced once. */
AUDIT (name receipts_within_calls);

SELECT suite, item_track, system, measured_calls, receipted_calls
FROM @this_model
WHERE receipted_calls > measured_calls OR receipted_items > receipted_calls;
