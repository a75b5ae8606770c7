-- noise_candidates: outputs that a pass chooses its noise cells from.
-- Needs: $run VARCHAR; $left_out VARCHAR[]: arms that this start was not to take.
-- Gives: item, arm. Ordered. Those of `cell_count`.
SELECT
    o.item,
    o.arm
FROM outputs AS o
INNER JOIN items AS i ON o.run = i.run AND o.item = i.item
WHERE
    o.run = $run
    AND o.blocked IS NULL
    AND (o.current OR list_contains($left_out, o.arm))
ORDER BY o.item, o.arm
