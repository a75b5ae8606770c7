-- cell_count: how many outputs a pass chooses its noise cells from.
-- Needs: $run VARCHAR; $left_out VARCHAR[]: arms that this start was not to take.
-- Gives: one row: n (outputs), n_items (items with any of them).
-- What was taken in before of an arm that is only left out for now still counts, so that
-- a selection of arms chooses no other cells.
SELECT
    count(*) AS n,
    count(DISTINCT o.item) AS n_items
FROM outputs AS o
INNER JOIN items AS i ON o.run = i.run AND o.item = i.item
WHERE
    o.run = $run
    AND o.blocked IS NULL
    AND (o.current OR list_contains($left_out, o.arm))
