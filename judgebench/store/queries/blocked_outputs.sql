-- blocked_outputs: why outputs have no fair result, with one example a reason.
-- Needs: $run VARCHAR.
-- Gives: arm, reason, n, item and blocks (JSON) of the first one. Ordered.
SELECT
    arm,
    blocked AS reason,
    count(*) AS n,
    min(item) AS item,
    arg_min(blocks, item) AS blocks
FROM outputs
WHERE run = $run AND current AND blocked IS NOT NULL
GROUP BY arm, blocked
ORDER BY arm, n DESC, reason
