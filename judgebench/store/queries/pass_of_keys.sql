-- pass_of_keys: passes of a run that asked any of these requests.
-- Needs: $run VARCHAR, $keys VARCHAR[].
-- Gives: pass_id. Ordered.
SELECT DISTINCT r.pass_id
FROM requests AS r
INNER JOIN passes AS p ON r.pass_id = p.pass_id
WHERE p.run = $run AND list_contains($keys, r.key)
ORDER BY r.pass_id
