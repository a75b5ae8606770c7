-- recordable: the last reply to every request that is answered.
-- Needs: $pass_id VARCHAR.
-- Gives: key, request_sha256, status, body. Ordered by the queue.
SELECT
    r.key,
    s.request_sha256,
    a.status,
    a.body
FROM requests AS r
INNER JOIN replies AS a ON r.pass_id = a.pass_id AND r.key = a.key
INNER JOIN sends AS s
    ON a.pass_id = s.pass_id AND a.key = s.key AND a.attempt = s.attempt
WHERE
    r.pass_id = $pass_id
    AND r.current
    AND a.status = 200
    AND a.attempt = (
        SELECT max(b.attempt)
        FROM replies AS b
        WHERE b.pass_id = r.pass_id AND b.key = r.key AND b.status = 200
    )
ORDER BY r.position, r.key
