-- last_attempts: how often requests without a final judgment were sent already.
-- Needs: $pass_id VARCHAR, $again VARCHAR[] (reasons that are asked again).
-- Gives: key, attempt (the highest). Ordered.
SELECT
    s.key,
    max(s.attempt) AS attempt
FROM sends AS s
ANTI JOIN (
    SELECT key
    FROM judgments
    WHERE pass_id = $pass_id
    GROUP BY key
    HAVING NOT bool_or(coalesce(list_contains($again, reason), FALSE))
) AS a ON s.key = a.key
WHERE s.pass_id = $pass_id
GROUP BY s.key
ORDER BY s.key
