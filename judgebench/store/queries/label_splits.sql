-- label_splits: items whose marks by people serve for tuning, or for reporting.
-- Needs: $run VARCHAR.
-- Gives: item, split.
SELECT
    item,
    split
FROM label_splits
WHERE run = $run
ORDER BY item
