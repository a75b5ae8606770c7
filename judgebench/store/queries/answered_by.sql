-- answered_by: model strings and fingerprints that the judgments of a pass came back with.
-- Needs: $pass_id VARCHAR.
-- Gives: purpose, again (which judging for drift, controls of a check included; NULL for the
--        others), model_answered,
--        fingerprint, n (requests), first_at, last_at (seconds since 1970). Ordered by the
--        first.
SELECT
    purpose,
    CASE WHEN purpose = 'drift' OR (purpose = 'control' AND repeat > 1) THEN repeat END AS again,
    model_answered,
    fingerprint,
    count(DISTINCT key) AS n,
    min(judged_at) AS first_at,
    max(judged_at) AS last_at
FROM judgments
WHERE pass_id = $pass_id AND current AND status = 'ok'
GROUP BY ALL
ORDER BY first_at, purpose, again, model_answered, fingerprint
