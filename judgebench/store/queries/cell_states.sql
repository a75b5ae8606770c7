-- cell_states: outputs that have something to say beside their marks.
-- Needs: $pass_id VARCHAR, $run VARCHAR, $n BIGINT (the first so many items);
--        $needed VARCHAR[], $quotes BOOLEAN: as of `blocked_judgments`.
-- Gives: arm, item (codes), blocked (reason of the output, else of a blocked judgment;
--        NULL), suspect (looks cut). Ordered.
WITH failed AS (
    SELECT
        arm,
        item,
        min(reason) AS reason
    FROM (
        SELECT
            arm,
            item,
            reason
        FROM judgments
        WHERE pass_id = $pass_id AND current AND status = 'blocked' AND purpose = 'main'
        UNION ALL
        SELECT
            arm,
            item,
            coalesce(reason, 'quote_missing') AS reason
        FROM mark_rows
        WHERE
            pass_id = $pass_id
            AND current
            AND purpose = 'main'
            AND list_contains($needed, criterion)
            AND (reason IS NOT NULL OR ($quotes AND unsupported))
    ) AS without
    GROUP BY arm, item
)

SELECT
    a.position AS arm,
    i.position AS item,
    coalesce(o.blocked, f.reason) AS blocked,
    contains(o.flags, '"looks_cut') AS suspect
FROM outputs AS o
INNER JOIN arms AS a ON o.arm = a.arm AND a.run = $run
INNER JOIN items AS i ON o.item = i.item AND i.run = $run
LEFT JOIN failed AS f ON o.arm = f.arm AND o.item = f.item
WHERE
    o.run = $run
    AND o.current
    AND i.position < $n
    AND (o.blocked IS NOT NULL OR f.reason IS NOT NULL OR contains(o.flags, '"looks_cut'))
ORDER BY a.position, i.position
