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

-- Marks that were given elsewhere have their total already: where it is not there, some are
-- missing or off the scale.
short AS (
    SELECT
        j.arm,
        j.item,
        j.key,
        j.label
    FROM judgments AS j
    INNER JOIN passes AS p ON j.pass_id = p.pass_id
    WHERE
        j.pass_id = $pass_id
        AND j.current
        AND j.status = 'ok'
        AND j.total IS NULL
        AND p.route = 'marks'
),

partly AS (
    SELECT
        s.arm,
        coalesce(min(m.reason), 'no_verdict') AS reason,
        s.item,
        CASE
            WHEN min(m.reason) = 'off_scale' THEN 'the file has a mark outside of the scale'
            ELSE 'the file has no mark on some criterion'
        END AS message
    FROM short AS s
    LEFT JOIN mark_rows AS m
        ON
            m.pass_id = $pass_id
            AND s.key = m.key
            AND s.label = m.label
            AND list_contains($needed, m.criterion)
            AND m.mark IS NULL
    GROUP BY s.arm, s.item, s.key, s.label
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
    SELECT
        arm,
        reason,
        item,
        message
    FROM lacking
    UNION ALL
    SELECT
        arm,
        reason,
        item,
        message
    FROM partly
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
