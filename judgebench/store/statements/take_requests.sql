-- take_requests: planned requests that are not there yet.
-- Needs: $pass_id VARCHAR; new_requests.
-- Gives: nothing.
INSERT INTO requests
SELECT n.*
FROM new_requests AS n
ANTI JOIN requests AS r
    ON n.key = r.key AND r.pass_id = $pass_id
