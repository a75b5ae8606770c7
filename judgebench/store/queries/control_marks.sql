-- control_marks: the marks of controls, and of sources that stood in the same request.
-- Needs: $pass_id VARCHAR, $number INTEGER (which judging: 1 is the pass's own).
-- Gives: control, own (of the control itself), criterion, mark, unsupported. Ordered.
SELECT
    c.control,
    m.arm = c.control AS own,
    m.criterion,
    m.mark,
    m.unsupported
FROM controls AS c
INNER JOIN parts AS p ON c.pass_id = p.pass_id AND c.control = p.arm
INNER JOIN mark_rows AS m ON p.pass_id = m.pass_id AND p.key = m.key
WHERE
    c.pass_id = $pass_id
    AND m.current
    AND m.purpose = 'control'
    AND m.repeat = $number
    AND m.mark IS NOT NULL
ORDER BY c.control, own, m.criterion
