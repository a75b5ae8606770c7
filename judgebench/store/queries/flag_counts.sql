-- flag_counts: how many outputs carry each flag; words behind a colon and a blank are dropped.
-- Needs: $run VARCHAR.
-- Gives: flag, n. Ordered.
WITH flagged AS (
    SELECT unnest(from_json(flags, '["VARCHAR"]')) AS flag
    FROM outputs
    WHERE run = $run AND current
)

SELECT
    split_part(flag, ': ', 1) AS flag,
    count(*) AS n
FROM flagged
GROUP BY split_part(flag, ': ', 1)
ORDER BY flag
