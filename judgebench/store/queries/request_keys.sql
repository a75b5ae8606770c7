-- request_keys: requests of a pass.
-- Needs: $pass_id VARCHAR.
-- Gives: key. Ordered.
SELECT key
FROM requests
WHERE pass_id = $pass_id
ORDER BY key
