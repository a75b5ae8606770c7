-- has_noise: whether the plan of a pass judges cells a second time for repeatability.
-- Needs: $pass_id VARCHAR.
-- Gives: one row: n.
SELECT count(*) AS n
FROM requests
WHERE pass_id = $pass_id AND current AND purpose = 'noise'
