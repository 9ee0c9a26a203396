/* Neither right answers nor valid probability answers exceed the frozen items. */
AUDIT (name probability_coverage_within_part);

SELECT suite, track, system, part
FROM @this_model
WHERE correct_count > item_count OR valid_probability_count > item_count;
