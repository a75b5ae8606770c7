-- failed_beside: requests beside those that count, which failed on the judge's side.
-- Needs: $pass_id VARCHAR.
-- Gives: purpose (noise, drift or control), reason, n_requests. The most frequent first.
SELECT
    purpose,
    reason,
    count(DISTINCT key) AS n_requests
FROM judgments
WHERE
    pass_id = $pass_id
    AND current
    AND purpose <> 'main'
    AND status = 'blocked'
    AND starts_with(reason, 'judge_')
GROUP BY purpose, reason
ORDER BY n_requests DESC, purpose ASC, reason ASC
