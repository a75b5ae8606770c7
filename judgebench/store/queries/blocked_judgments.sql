-- blocked_judgments: why judgments failed, with one example a reason.
-- Needs: $pass_id VARCHAR; $needed VARCHAR[]: criteria without whose mark there is no total;
--        $quotes BOOLEAN: a mark without the quotes that it needs is none.
-- Gives: arm, reason, n, item and message of the first one. Ordered.
-- A whole reply that says of a needed criterion that it cannot be judged leaves no total:
-- that judgment is as little scored as one that was never given.
WITH lacking AS (
    SELECT
        m.arm,
        coalesce(min(m.reason), 'quote_missing') AS reason,
        m.item,
        'no mark for ' || string_agg(m.criterion, ', ' ORDER BY m.criterion) AS message
    FROM mark_rows AS m
    INNER JOIN passes AS p ON m.pass_id = p.pass_id
    WHERE
        m.pass_id = $pass_id
        AND m.current
        AND m.purpose <> 'control'
        AND p.route NOT IN ('marks', 'people')
        AND list_contains($needed, m.criterion)
        AND (m.reason IS NOT NULL OR ($quotes AND m.unsupported))
    GROUP BY m.arm, m.item, m.key, m.label
),

-- Imported marks have their total already: without one some mark is missing, or off the scale.
partly AS (
    SELECT
        j.arm,
        coalesce(min(m.reason), 'no_verdict') AS reason,
        j.item,
        'the file lacks a mark on the scale for some criterion' AS message
    FROM judgments AS j
    INNER JOIN passes AS p ON j.pass_id = p.pass_id AND p.route = 'marks'
    LEFT JOIN mark_rows AS m
        ON
            m.pass_id = $pass_id
            AND j.key = m.key
            AND j.label = m.label
            AND list_contains($needed, m.criterion)
            AND m.mark IS NULL
    WHERE j.pass_id = $pass_id AND j.current AND j.status = 'ok' AND j.total IS NULL
    GROUP BY j.arm, j.item, j.key, j.label
),

failed AS (
    SELECT
        arm,
        reason,
        item,
        message
    FROM judgments
    WHERE pass_id = $pass_id AND current AND status = 'blocked' AND purpose <> 'control'
    UNION ALL
    SELECT * FROM lacking
    UNION ALL
    SELECT * FROM partly
)

SELECT
    arm,
    reason,
    count(*) AS n,
    min(item) AS item,
    arg_min(message, item) AS message
FROM failed
GROUP BY arm, reason
ORDER BY arm, n DESC, reason
