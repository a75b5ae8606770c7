-- cell_states: cells that have something to say beside their marks.
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
),

shown AS (
    SELECT
        arm,
        item,
        blocked,
        flags
    FROM outputs
    WHERE run = $run AND current
)

SELECT
    a.position AS arm,
    i.position AS item,
    coalesce(o.blocked, f.reason) AS blocked,
    coalesce(contains(o.flags, '"looks_cut'), FALSE) AS suspect
FROM shown AS o
-- Marks that were imported have no outputs.
FULL OUTER JOIN failed AS f ON o.arm = f.arm AND o.item = f.item
INNER JOIN arms AS a ON coalesce(o.arm, f.arm) = a.arm AND a.run = $run
INNER JOIN items AS i ON coalesce(o.item, f.item) = i.item AND i.run = $run
WHERE
    i.position < $n
    AND (o.blocked IS NOT NULL OR f.reason IS NOT NULL OR contains(o.flags, '"looks_cut'))
ORDER BY a.position, i.position
