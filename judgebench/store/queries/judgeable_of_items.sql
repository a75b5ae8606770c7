-- judgeable_of_items: how many outputs of some items may be judged.
-- Needs: $run VARCHAR, $items VARCHAR[].
-- Gives: one row: n.
SELECT count(*) AS n
FROM outputs
WHERE run = $run AND current AND blocked IS NULL AND list_contains($items, item)
