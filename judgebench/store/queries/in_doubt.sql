-- in_doubt: calls that were meant to go out and of which nothing is known.
-- Needs: $pass_id VARCHAR.
-- Gives: key, attempt, sent_at. Ordered.
SELECT
    s.key,
    s.attempt,
    s.sent_at
FROM sends AS s
ANTI JOIN replies AS r
    ON s.pass_id = r.pass_id AND s.key = r.key AND s.attempt = r.attempt
WHERE s.pass_id = $pass_id
ORDER BY s.key, s.attempt
