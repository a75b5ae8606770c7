-- cells_to_judge: outputs that may be judged, item by item.
-- Needs: $run VARCHAR.
-- Gives: item, item_sha256, arm, output_sha256, sent_sha256, has_evidence, has_reference,
--        ambiguous. Ordered by item and arm.
SELECT
    o.item,
    i.sha256 AS item_sha256,
    o.arm,
    o.sha256 AS output_sha256,
    o.sent_sha256,
    i.has_evidence,
    i.has_reference,
    i.ambiguous
FROM outputs AS o
INNER JOIN items AS i ON o.run = i.run AND o.item = i.item
WHERE o.run = $run AND o.current AND o.blocked IS NULL
ORDER BY o.item, o.arm
