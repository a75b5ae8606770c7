-- exhibit_judgments: the judgments of some outputs, each with its last call.
-- Needs: $pass_id VARCHAR, $arms VARCHAR[], $items VARCHAR[] (pairs, of equal length).
-- Gives: arm, item, key, label, repeat, purpose, criterion, status, reason, message, total,
--        user_text, body (NULL where no call was made). Ordered by output and repeat.
WITH wanted AS (
    SELECT
        unnest($arms) AS arm,
        unnest($items) AS item
),

found AS (
    SELECT j.*
    FROM judgments AS j
    INNER JOIN wanted AS w ON j.arm = w.arm AND j.item = w.item
    WHERE j.pass_id = $pass_id AND j.current AND j.purpose <> 'control'
),

-- Texts are read for these requests alone.
last_calls AS (
    SELECT
        key,
        max(attempt) AS attempt
    FROM sends
    WHERE pass_id = $pass_id AND key IN (SELECT key FROM found)
    GROUP BY key
)

SELECT
    j.arm,
    j.item,
    j.key,
    j.label,
    j.repeat,
    j.purpose,
    j.criterion,
    j.status,
    j.reason,
    j.message,
    j.total,
    s.user_text,
    r.body
FROM found AS j
LEFT JOIN last_calls AS c ON j.key = c.key
LEFT JOIN sends AS s ON c.key = s.key AND c.attempt = s.attempt
LEFT JOIN replies AS r ON c.key = r.key AND c.attempt = r.attempt
ORDER BY j.arm, j.item, j.repeat, j.criterion, j.key
