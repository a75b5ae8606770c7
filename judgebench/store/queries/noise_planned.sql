-- noise_planned: cells that the plan of a pass judges again for the noise.
-- Needs: $pass_id VARCHAR.
-- Gives: item, arm. Ordered.
SELECT DISTINCT
    r.item,
    p.arm
FROM requests AS r
INNER JOIN parts AS p ON r.pass_id = p.pass_id AND r.key = p.key
WHERE r.pass_id = $pass_id AND r.current AND r.purpose = 'noise'
ORDER BY r.item, p.arm
