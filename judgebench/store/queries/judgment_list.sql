-- judgment_list: every judgment of a pass.
-- Needs: $pass_id VARCHAR.
-- Gives: key, arm, item, repeat, status, total, reason. Ordered by the shuffled queue;
--        imported marks, which nobody was asked for, by item.
SELECT
    j.key,
    j.arm,
    j.item,
    j.repeat,
    j.status,
    j.total,
    j.reason
FROM judgments AS j
LEFT JOIN requests AS r ON j.pass_id = r.pass_id AND j.key = r.key
WHERE j.pass_id = $pass_id AND j.current
ORDER BY r.position NULLS LAST, j.item, j.repeat, j.key, j.label
