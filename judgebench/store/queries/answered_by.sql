-- answered_by: model strings and fingerprints that the judgments of a pass came back with.
-- Needs: $pass_id VARCHAR.
-- Gives: purpose, model_answered, fingerprint, n, first_at, last_at (seconds since 1970).
--        Ordered by the first.
SELECT
    purpose,
    model_answered,
    fingerprint,
    count(DISTINCT key) AS n,
    min(judged_at) AS first_at,
    max(judged_at) AS last_at
FROM judgments
WHERE pass_id = $pass_id AND current AND status = 'ok'
GROUP BY purpose, model_answered, fingerprint
ORDER BY first_at, purpose, model_answered, fingerprint
