/* The denominator is the size of the frozen part. */
AUDIT (name denominator_is_the_freeze);

SELECT measured.suite, measured.track, measured.system, measured.part, measured.item_count
FROM @this_model AS measured
LEFT JOIN splits.part_sizes AS sizes USING (suite, track, part)
WHERE measured.item_count IS DISTINCT FROM sizes.item_count;
