-- unknown_fields: record fields that nobody measured.
-- Needs: $run VARCHAR.
-- Gives: field, n (outputs). Ordered.
WITH flagged AS (
    SELECT unnest(from_json(flags, '["VARCHAR"]')) AS flag
    FROM outputs
    WHERE run = $run AND current
)

SELECT
    split_part(flag, ':', 2) AS field,
    count(*) AS n
FROM flagged
WHERE starts_with(flag, 'unknown:')
GROUP BY split_part(flag, ':', 2)
ORDER BY field
