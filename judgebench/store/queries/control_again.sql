-- control_again: controls that the plan of a pass holds for its later checks.
-- Needs: $pass_id VARCHAR.
-- Gives: control, repeat (number of the check). Ordered.
SELECT DISTINCT
    c.control,
    r.repeat
FROM controls AS c
INNER JOIN parts AS p ON c.pass_id = p.pass_id AND c.control = p.arm
INNER JOIN requests AS r ON p.pass_id = r.pass_id AND p.key = r.key
WHERE c.pass_id = $pass_id AND r.current AND r.purpose = 'control' AND r.repeat > 1
ORDER BY c.control, r.repeat
