-- judged_cells: outputs that a pass has judged and that have not changed since.
-- Needs: $pass_id VARCHAR, $run VARCHAR, $whole BOOLEAN (only items of which all are).
-- Gives: item, arm. Ordered.
WITH judged AS (
    SELECT DISTINCT
        j.item,
        j.arm
    FROM judgments AS j
    INNER JOIN parts AS p
        ON j.pass_id = p.pass_id AND j.key = p.key AND j.label = p.label
    INNER JOIN outputs AS o ON j.arm = o.arm AND j.item = o.item
    WHERE
        j.pass_id = $pass_id
        AND j.current
        AND j.status = 'ok'
        AND j.purpose = 'main'
        AND o.run = $run
        AND o.current
        AND o.blocked IS NULL
        AND p.sent_sha256 = o.sent_sha256
),

open_items AS (
    SELECT o.item
    FROM outputs AS o
    ANTI JOIN judged AS d ON o.item = d.item AND o.arm = d.arm
    WHERE o.run = $run AND o.current AND o.blocked IS NULL
)

SELECT
    item,
    arm
FROM judged
WHERE NOT $whole OR item NOT IN (SELECT n.item FROM open_items AS n)
ORDER BY item, arm
