-- show: the judgments of one output, with the requests and replies behind them.
-- Needs: $pass_id, $arm, $item VARCHAR.
-- Gives: one row a call of a request: key, label, repeat, purpose, status, reason,
--        message, total, uncapped, fired, attempt, system, user_text, outcome,
--        http_status, body, error; the call is NULL where none was made; place (in the
--        request, from 0; NULL where imported), other_label, other_arm (of the answer that it
--        was compared with; NULL where it was marked). Ordered.
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
    c.error,
    t.ordinal AS place,
    o.label AS other_label,
    o.arm AS other_arm
FROM judgments AS j
INNER JOIN passes AS p ON j.pass_id = p.pass_id
LEFT JOIN parts AS t ON j.pass_id = t.pass_id AND j.key = t.key AND j.label = t.label
LEFT JOIN judgments AS o
    ON p.mode = 'pairwise' AND j.pass_id = o.pass_id AND j.key = o.key AND j.label <> o.label
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
ORDER BY o.arm, j.repeat, t.ordinal, j.key, c.attempt
