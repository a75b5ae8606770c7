-- drift_count: how many requests of the plan judge old answers again for drift.
-- Needs: $pass_id VARCHAR.
-- Gives: one row: n_requests.
SELECT count(*) AS n_requests
FROM requests
WHERE pass_id = $pass_id AND current AND purpose = 'drift'
