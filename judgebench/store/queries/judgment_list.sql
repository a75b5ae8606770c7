-- judgment_list: every judgment of a pass; of a control's request, the control.
-- Needs: $pass_id VARCHAR.
-- Gives: key, arm, item, repeat, status, total, reason. Ordered by the shuffled queue.
SELECT
    j.key,
    j.arm,
    j.item,
    j.repeat,
    j.status,
    j.total,
    j.reason
FROM judgments AS j
INNER JOIN requests AS r ON j.pass_id = r.pass_id AND j.key = r.key
WHERE
    j.pass_id = $pass_id
    AND j.current
    AND (
        j.purpose <> 'control'
        OR j.arm IN (
            SELECT c.control
            FROM controls AS c
            WHERE c.pass_id = $pass_id
        )
    )
ORDER BY r.position, j.key, j.label
