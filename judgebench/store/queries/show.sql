-- show: the judgments of one output, with the requests and replies behind them.
-- Needs: $pass_id, $arm, $item VARCHAR.
-- Gives: one row a call of a request: key, label, repeat, purpose, status, reason,
--        message, total, uncapped, fired, attempt, system, user_text, outcome,
--        http_status, body, error; the call is NULL where none was made. Ordered.
SELECT
    j.key,
    j.label,
    j.repeat,
    j.purpose,
    j.status,
    j.reason,
    j.message,
    j.total,
    j.uncapped,
    j.fired,
    c.attempt,
    s.text AS system,
    c.user_text,
    c.outcome,
    c.status AS http_status,
    c.body,
    c.error
FROM judgments AS j
LEFT JOIN calls AS c ON j.pass_id = c.pass_id AND j.key = c.key
LEFT JOIN prompts AS s ON c.system_sha256 = s.sha256
WHERE
    j.pass_id = $pass_id
    AND j.arm = $arm
    AND j.item = $item
    AND j.current
    AND (
        j.purpose <> 'control'
        OR j.arm IN (
            SELECT k.control
            FROM controls AS k
            WHERE k.pass_id = $pass_id
        )
    )
ORDER BY j.repeat, j.key, c.attempt
