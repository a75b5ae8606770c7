-- judgment_list: every judgment of a pass; of a control's request, the control.
-- Needs: $pass_id VARCHAR.
-- Gives: key, label, arm, item, repeat, status, total, reason, other_arm (that it was compared
--        with; NULL where it was marked). Ordered by the shuffled queue;
--        imported marks, which nobody was asked for, by item. A comparison has one
--        row: that of the answer shown first, of imported ones that of the first label.
SELECT
    j.key,
    j.label,
    j.arm,
    j.item,
    j.repeat,
    j.status,
    j.total,
    j.reason,
    o.arm AS other_arm
FROM judgments AS j
INNER JOIN passes AS p ON j.pass_id = p.pass_id
LEFT JOIN requests AS r ON j.pass_id = r.pass_id AND j.key = r.key
LEFT JOIN parts AS t ON j.pass_id = t.pass_id AND j.key = t.key AND j.label = t.label
LEFT JOIN judgments AS o
    ON p.mode = 'pairwise' AND j.pass_id = o.pass_id AND j.key = o.key AND j.label <> o.label
WHERE
    j.pass_id = $pass_id
    AND j.current
    AND (o.arm IS NULL OR coalesce(t.ordinal = 0, j.label < o.label))
    AND (
        j.purpose <> 'control'
        OR p.mode = 'pairwise'
        OR j.arm IN (
            SELECT c.control
            FROM controls AS c
            WHERE c.pass_id = $pass_id
        )
    )
ORDER BY r.position NULLS LAST, j.item, j.repeat, j.key, j.label
