-- record_keys: keys of records that are passed over, as each output names its own.
-- Needs: $run VARCHAR.
-- Gives: names. Ordered.
WITH flagged AS (
    SELECT DISTINCT unnest(from_json(flags, '["VARCHAR"]')) AS flag
    FROM outputs
    WHERE run = $run AND current
)

SELECT substr(flag, length('record_keys: ') + 1) AS names
FROM flagged
WHERE starts_with(flag, 'record_keys: ')
ORDER BY names
