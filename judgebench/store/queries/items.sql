-- items: names behind the item codes.
-- Needs: $run VARCHAR.
-- Gives: item. Ordered: the first has code 0.
SELECT item
FROM items
WHERE run = $run
ORDER BY position
