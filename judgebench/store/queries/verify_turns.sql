-- verify_turns: the turns before each report, with what they were asked and what they got.
-- Needs: $pass_id VARCHAR.
-- Gives: key, number, first_text (the user message of the first call), body (of the reply
--        that asked for something), next_text (what it got, as it was sent). Ordered.
SELECT
    t.key,
    t.number,
    f.user_text AS first_text,
    r.body,
    n.user_text AS next_text
FROM turns AS t
INNER JOIN replies AS r ON t.key = r.key AND t.attempt = r.attempt
INNER JOIN sends AS n ON t.key = n.key
INNER JOIN sends AS f ON t.key = f.key
WHERE
    t.pass_id = $pass_id
    AND n.attempt = (
        SELECT min(s.attempt)
        FROM sends AS s
        WHERE s.key = t.key AND s.attempt > t.attempt
    )
    AND f.attempt = (
        SELECT min(s.attempt)
        FROM sends AS s
        WHERE s.key = t.key
    )
ORDER BY t.key, t.number
