-- judgment_by_key: whose judgment a blind name means; of a control's request, the control.
-- Needs: $pass_id VARCHAR, $start VARCHAR (the beginning of a request's key).
-- Gives: arm, item. Ordered.
SELECT DISTINCT
    arm,
    item
FROM judgments
WHERE
    pass_id = $pass_id
    AND current
    AND starts_with(key, $start)
    AND (
        purpose <> 'control'
        OR arm IN (
            SELECT c.control
            FROM controls AS c
            WHERE c.pass_id = $pass_id
        )
    )
ORDER BY arm, item
