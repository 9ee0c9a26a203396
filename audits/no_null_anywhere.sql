/* Every column of every row is filled: a parameter that is absent must not score as NULL. */
AUDIT (name no_null_anywhere);

SELECT *
FROM @this_model AS row_
WHERE CAST(row_ AS TEXT) LIKE '%NULL%';
