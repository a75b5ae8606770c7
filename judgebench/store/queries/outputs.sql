-- outputs: record and checks of every output that the run holds.
-- Needs: $run VARCHAR.
-- Gives: the columns of outputs without current. Ordered by arm and item.
SELECT * EXCLUDE (current)
FROM outputs
WHERE run = $run AND current
ORDER BY arm, item
