-- item_facts: what is known of the items without their texts.
-- Needs: $run VARCHAR.
-- Gives: has_evidence, has_reference, ambiguous. Ordered: the first has code 0.
SELECT
    has_evidence,
    has_reference,
    ambiguous
FROM items
WHERE run = $run
ORDER BY position
