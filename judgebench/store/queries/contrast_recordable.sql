-- contrast_recordable: the last reply to every request that is answered.
-- Needs: $pass_id VARCHAR.
-- Gives: key, request_sha256, status, body. Ordered by the queue.
SELECT
    r.key,
    s.request_sha256,
    b.status,
    b.body
FROM contrast_requests AS r
INNER JOIN replies AS b ON r.pass_id = b.pass_id AND r.key = b.key
INNER JOIN sends AS s
    ON b.pass_id = s.pass_id AND b.key = s.key AND b.attempt = s.attempt
WHERE
    r.pass_id = $pass_id
    AND r.current
    AND b.status = 200
QUALIFY b.attempt = max(b.attempt) OVER (PARTITION BY r.key)
ORDER BY r.position, r.key
