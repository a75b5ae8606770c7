-- cell_count: how many outputs may be judged.
-- Needs: $run VARCHAR.
-- Gives: one row: n.
SELECT count(*) AS n
FROM outputs
WHERE run = $run AND current AND blocked IS NULL
