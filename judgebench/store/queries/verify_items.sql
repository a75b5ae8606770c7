-- verify_items: the items of a run with what is known of them.
-- Needs: $run VARCHAR.
-- Gives: item, sha256, has_evidence, has_reference, ambiguous. In the run's order.
SELECT
    item,
    sha256,
    has_evidence,
    has_reference,
    ambiguous
FROM items
WHERE run = $run
ORDER BY position
