-- cell_count: how many outputs may be judged.
-- Needs: $run VARCHAR.
-- Gives: one row: n (outputs), n_items (items with any of them).
SELECT
    count(*) AS n,
    count(DISTINCT item) AS n_items
FROM outputs
WHERE run = $run AND current AND blocked IS NULL
