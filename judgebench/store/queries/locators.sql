-- locators: where the outputs of some items stand.
-- Needs: $run VARCHAR, $items VARCHAR[].
-- Gives: item, arm, path, byte_offset. Ordered.
SELECT
    item,
    arm,
    path,
    byte_offset
FROM outputs
WHERE run = $run AND current AND list_contains($items, item)
ORDER BY item, arm
