-- unbooked_calls: calls that belong to no judgment, because a start ended before it.
-- Needs: $pass_id VARCHAR.
-- Gives: key, attempt, status (NULL: no answer came), outcome, body (both NULL: nothing
--        is known). Ordered.
WITH judged AS (
    SELECT
        key,
        max(judged_at) AS judged_at
    FROM (
        SELECT
            key,
            judged_at
        FROM judgments
        WHERE pass_id = $pass_id
        UNION ALL
        SELECT
            key,
            judged_at
        FROM earlier_judgments
        WHERE pass_id = $pass_id
    ) AS written
    GROUP BY key
)

SELECT
    s.key,
    s.attempt,
    r.status,
    r.outcome,
    r.body
FROM sends AS s
LEFT JOIN judged AS j ON s.key = j.key
LEFT JOIN replies AS r ON s.key = r.key AND s.attempt = r.attempt
WHERE s.pass_id = $pass_id AND (j.key IS NULL OR s.sent_at > j.judged_at)
ORDER BY s.key, s.attempt
