-- open_requests: the next requests of the queue without a final judgment.
-- Needs: $pass_id VARCHAR, $again VARCHAR[] (reasons that are asked again),
--        $position BIGINT and $key VARCHAR (the last one seen), $n BIGINT.
-- Gives: key, position, item, item_sha256, repeat, purpose, criterion, labels, arms,
--        output_sha256s, sent_sha256s (lists in the order shown). Ordered.
WITH answered AS (
    SELECT key
    FROM judgments
    WHERE pass_id = $pass_id
    GROUP BY key
    HAVING NOT bool_or(coalesce(list_contains($again, reason), FALSE))
),

waiting AS (
    SELECT r.*
    FROM requests AS r
    ANTI JOIN answered AS a ON r.key = a.key
    WHERE
        r.pass_id = $pass_id
        AND r.current
        AND (r.position > $position OR (r.position = $position AND r.key > $key))
    ORDER BY r.position, r.key
    LIMIT $n
)

SELECT
    w.key,
    w.position,
    w.item,
    w.item_sha256,
    w.repeat,
    w.purpose,
    w.criterion,
    list(p.label ORDER BY p.ordinal) AS labels,
    list(p.arm ORDER BY p.ordinal) AS arms,
    list(p.output_sha256 ORDER BY p.ordinal) AS output_sha256s,
    list(p.sent_sha256 ORDER BY p.ordinal) AS sent_sha256s
FROM waiting AS w
INNER JOIN parts AS p ON w.key = p.key
WHERE p.pass_id = $pass_id
GROUP BY ALL
ORDER BY w.position, w.key
