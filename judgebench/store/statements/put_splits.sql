-- put_splits: which items serve for tuning and which for reporting; a split once made stays.
-- Needs: $run, $assigned_at VARCHAR, $items, $splits VARCHAR[].
-- Gives: nothing.
INSERT INTO label_splits BY NAME
SELECT
    $run AS run,
    unnest($items) AS item,
    unnest($splits) AS split,
    $assigned_at AS assigned_at
ON CONFLICT DO NOTHING
