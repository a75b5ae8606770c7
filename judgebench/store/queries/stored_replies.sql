-- stored_replies: all good replies to one request, of whichever start.
-- Needs: $key VARCHAR.
-- Gives: attempt, request_sha256, body, unread (no judgment was made since it came). Ordered.
SELECT
    r.attempt,
    s.request_sha256,
    r.body,
    r.received_at > coalesce(j.judged_at, 0) AS unread
FROM replies AS r
INNER JOIN sends AS s ON r.key = s.key AND r.attempt = s.attempt
LEFT JOIN (
    SELECT max(judged_at) AS judged_at
    FROM judgments
    WHERE key = $key
) AS j ON TRUE
WHERE r.key = $key AND r.status = 200
ORDER BY r.attempt
