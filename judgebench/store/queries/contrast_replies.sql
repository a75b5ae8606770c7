-- contrast_replies: requests of a run in what its outputs differ, with every call of each.
-- Needs: $run VARCHAR, $start VARCHAR (how the key begins).
-- Gives: pass_id, key, item, judge_name, status (NULL: open), reason, message, attempt,
--        system, user_text, outcome, http_status, body, error; the call is NULL where none
--        was made. Ordered.
SELECT
    r.pass_id,
    r.key,
    r.item,
    p.judge_name,
    a.status,
    a.reason,
    a.message,
    c.attempt,
    s.text AS system,
    c.user_text,
    c.outcome,
    c.status AS http_status,
    c.body,
    c.error
FROM contrast_requests AS r
INNER JOIN contrast_passes AS p ON r.pass_id = p.pass_id
LEFT JOIN contrast_answers AS a ON r.key = a.key
LEFT JOIN calls AS c ON r.pass_id = c.pass_id AND r.key = c.key
LEFT JOIN prompts AS s ON c.system_sha256 = s.sha256
WHERE p.run = $run AND starts_with(r.key, $start)
ORDER BY p.started_at, r.position, r.key, c.attempt
