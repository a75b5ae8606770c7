-- judgment_by_key: whose judgment a blind name means.
-- Needs: $pass_id VARCHAR, $start VARCHAR (the beginning of a request's key).
-- Gives: arm, item. Ordered.
SELECT DISTINCT
    arm,
    item
FROM judgments
WHERE pass_id = $pass_id AND current AND starts_with(key, $start)
ORDER BY arm, item
