-- exhibit_judgments: the judgments of some outputs, each with its last call and the words
--        of its first.
-- Needs: $pass_id VARCHAR, $arms VARCHAR[], $items VARCHAR[] (pairs, of equal length).
-- Gives: arm, item, key, label, repeat, purpose, criterion, status, reason, message, total,
--        user_text, body (NULL where no call was made), place (in the request, from 0),
--        other_arm (that it was compared with; NULL where it was marked). Ordered by output,
--        partner and repeat.
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
        min(attempt) AS first_attempt,
        max(attempt) AS attempt
    FROM sends
    WHERE pass_id = $pass_id AND key IN (SELECT key FROM found)
    GROUP BY key
),

placed AS (
    SELECT
        key,
        label,
        ordinal
    FROM parts
    WHERE pass_id = $pass_id AND key IN (SELECT key FROM found)
),

-- Of a comparison, the other answer.
partners AS (
    SELECT
        o.key,
        o.label,
        o.arm
    FROM judgments AS o
    INNER JOIN passes AS p ON o.pass_id = p.pass_id
    WHERE
        o.pass_id = $pass_id
        AND p.mode = 'pairwise'
        AND o.key IN (SELECT key FROM found)
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
    r.body,
    t.ordinal AS place,
    o.arm AS other_arm
FROM found AS j
LEFT JOIN placed AS t ON j.key = t.key AND j.label = t.label
LEFT JOIN partners AS o ON j.key = o.key AND j.label <> o.label
LEFT JOIN last_calls AS c ON j.key = c.key
LEFT JOIN sends AS s ON c.key = s.key AND c.first_attempt = s.attempt
LEFT JOIN replies AS r ON c.key = r.key AND c.attempt = r.attempt
ORDER BY j.arm, j.item, o.arm, j.repeat, t.ordinal, j.criterion, j.key
