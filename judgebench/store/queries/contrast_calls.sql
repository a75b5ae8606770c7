-- contrast_calls: calls that belong to no answer, because a start ended before it.
-- Needs: $pass_id VARCHAR.
-- Gives: key, attempt, status (NULL: no answer came), outcome, body (both NULL: nothing
--        is known), sent_at, request_sha256, error, elapsed_s. Ordered.
SELECT
    s.key,
    s.attempt,
    r.status,
    r.outcome,
    r.body,
    s.sent_at,
    s.request_sha256,
    r.error,
    r.elapsed_s
FROM sends AS s
LEFT JOIN contrast_answers AS a ON s.key = a.key
LEFT JOIN replies AS r ON s.key = r.key AND s.attempt = r.attempt
WHERE s.pass_id = $pass_id AND (a.key IS NULL OR s.sent_at > a.judged_at)
ORDER BY s.key, s.attempt
