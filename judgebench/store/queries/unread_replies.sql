-- unread_replies: replies that came in and that nothing was made of, after a kill.
-- Needs: $pass_id VARCHAR, $again VARCHAR[] (reasons that are asked again).
-- Gives: key, attempt, sent_at, request_sha256, status, body, outcome, error, elapsed_s.
--        Ordered. Only of requests in the plan without a final judgment, and only
--        replies that are newer than the judgment that is to be made again.
SELECT
    c.key,
    c.attempt,
    c.sent_at,
    c.request_sha256,
    c.status,
    c.body,
    c.outcome,
    c.error,
    c.elapsed_s
FROM calls AS c
INNER JOIN requests AS r ON c.pass_id = r.pass_id AND c.key = r.key
LEFT JOIN (
    SELECT
        key,
        max(judged_at) AS judged_at,
        bool_or(coalesce(list_contains($again, reason), FALSE)) AS asked_again
    FROM judgments
    WHERE pass_id = $pass_id
    GROUP BY key
) AS j ON c.key = j.key
WHERE
    c.pass_id = $pass_id
    AND r.current
    AND c.outcome = 'received'
    AND (j.key IS NULL OR (j.asked_again AND c.received_at > j.judged_at))
ORDER BY c.key, c.attempt
