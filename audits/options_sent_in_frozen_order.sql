/* The options of every call were sent in the order of the frozen item. */
AUDIT (name options_sent_in_frozen_order);

SELECT suite, system, item_id
FROM @this_model
WHERE sent_options_sha256 <> options_sha256;
