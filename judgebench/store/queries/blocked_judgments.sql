-- blocked_judgments: why judgments failed, with one example a reason.
-- Needs: $pass_id VARCHAR.
-- Gives: arm, reason, n, item and message of the first one. Ordered.
SELECT
    arm,
    reason,
    count(*) AS n,
    min(item) AS item,
    arg_min(message, item) AS message
FROM judgments
WHERE pass_id = $pass_id AND current AND status = 'blocked' AND purpose <> 'control'
GROUP BY arm, reason
ORDER BY arm, n DESC, reason
