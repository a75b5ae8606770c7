-- recordable: the last reply to every request that is answered, and the turns before it.
-- Needs: $pass_id VARCHAR.
-- Gives: key, number (of the turn, 1 where there are no others), request_sha256, status,
--        body. Ordered by the queue.
WITH last_replies AS (
    SELECT
        b.pass_id,
        b.key,
        max(b.attempt) AS attempt
    FROM replies AS b
    WHERE b.pass_id = $pass_id AND b.status = 200
    GROUP BY b.pass_id, b.key
),

-- A conversation that has only asked so far is left out.
ended AS (
    SELECT l.*
    FROM last_replies AS l
    ANTI JOIN turns AS t ON l.key = t.key AND l.attempt = t.attempt
),

wanted AS (
    SELECT
        l.pass_id,
        l.key,
        l.attempt,
        coalesce(max(t.number), 0) + 1 AS number
    FROM ended AS l
    LEFT JOIN turns AS t ON l.key = t.key
    GROUP BY l.pass_id, l.key, l.attempt
    UNION ALL
    SELECT
        t.pass_id,
        t.key,
        t.attempt,
        t.number
    FROM turns AS t
    SEMI JOIN ended AS l ON t.key = l.key
    WHERE t.pass_id = $pass_id
)

SELECT
    r.key,
    w.number,
    s.request_sha256,
    a.status,
    a.body
FROM requests AS r
INNER JOIN wanted AS w ON r.pass_id = w.pass_id AND r.key = w.key
INNER JOIN replies AS a ON w.key = a.key AND w.attempt = a.attempt
INNER JOIN sends AS s ON a.pass_id = s.pass_id AND a.key = s.key AND a.attempt = s.attempt
WHERE r.pass_id = $pass_id AND r.current
ORDER BY r.position, r.key, w.number
