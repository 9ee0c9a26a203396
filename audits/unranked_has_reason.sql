/* A row is ranked and has a composite, or is unranked and says why. */
AUDIT (name unranked_has_reason);

SELECT method, suite, track, system
FROM @this_model
WHERE ranked <> (unranked_reason IS NULL) OR ranked <> (rank IS NOT NULL) OR (ranked AND composite IS NULL);
