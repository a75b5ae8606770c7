-- control_verdicts: what controls made of their sources, of a pass that compares.
-- Needs: $pass_id VARCHAR.
-- Gives: control, place (0: the control was shown first, 1: second), key (of the request),
--        criterion, mark (1 won, 0.5 tied, 0 lost), unsupported. Ordered.
SELECT
    c.control,
    p.ordinal AS place,
    m.key,
    m.criterion,
    m.mark,
    m.unsupported
FROM controls AS c
INNER JOIN parts AS p ON c.pass_id = p.pass_id AND c.control = p.arm
INNER JOIN mark_rows AS m
    ON p.pass_id = m.pass_id AND p.key = m.key AND c.control = m.arm
WHERE
    c.pass_id = $pass_id
    AND m.current
    AND m.purpose = 'control'
    AND m.repeat = 1
    AND m.mark IS NOT NULL
ORDER BY c.control, p.ordinal, m.criterion
