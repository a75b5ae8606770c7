-- planned_items: items that the plan of a pass holds.
-- Needs: $pass_id VARCHAR.
-- Gives: item. Ordered.
SELECT DISTINCT item
FROM requests
WHERE pass_id = $pass_id AND current
ORDER BY item
