-- control_count: how many controls the plan of a pass holds.
-- Needs: $pass_id VARCHAR.
-- Gives: one row: n (controls), n_requests (each one, where criteria are split, has several;
--        those of later checks are not counted).
SELECT
    count(DISTINCT p.arm) AS n,
    count(DISTINCT r.key) AS n_requests
FROM requests AS r
INNER JOIN parts AS p ON r.pass_id = p.pass_id AND r.key = p.key
INNER JOIN controls AS c ON p.pass_id = c.pass_id AND p.arm = c.control
WHERE r.pass_id = $pass_id AND r.current AND r.purpose = 'control' AND r.repeat = 1
