-- drift_requests: how far one check for drift is.
-- Needs: $pass_id VARCHAR, $number INTEGER (which judging).
-- Gives: one row: planned (requests), blocked (of these, without a mark on the judge's side).
SELECT
    count(DISTINCT r.key) AS planned,
    count(DISTINCT r.key) FILTER (WHERE j.status = 'blocked') AS blocked
FROM requests AS r
LEFT JOIN judgments AS j ON r.pass_id = j.pass_id AND r.key = j.key
WHERE r.pass_id = $pass_id AND r.current AND r.purpose = 'drift' AND r.repeat = $number
