-- judgment_by_key: whose judgment a blind name means; of a control's request, the control.
-- Needs: $pass_id VARCHAR, $start VARCHAR (the beginning of a request's key).
-- Gives: key, label, arm, item. Ordered. Of a comparison only the answer shown first.
SELECT DISTINCT
    j.key,
    j.label,
    j.arm,
    j.item
FROM judgments AS j
INNER JOIN passes AS p ON j.pass_id = p.pass_id
LEFT JOIN parts AS t ON j.pass_id = t.pass_id AND j.key = t.key AND j.label = t.label
WHERE
    j.pass_id = $pass_id
    AND j.current
    AND starts_with(j.key, $start)
    AND (p.mode <> 'pairwise' OR t.ordinal = 0)
    AND (
        j.purpose <> 'control'
        OR j.arm IN (
            SELECT c.control
            FROM controls AS c
            WHERE c.pass_id = $pass_id
        )
    )
ORDER BY j.key, j.label, j.arm, j.item
