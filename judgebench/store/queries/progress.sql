-- progress: how much of the plan is answered.
-- Needs: $pass_id VARCHAR, $again VARCHAR[] (reasons that count as unanswered).
-- Gives: one row: n_planned, n_answered.
SELECT
    count(*) AS n_planned,
    count(*) FILTER (WHERE r.key IN (
        SELECT j.key
        FROM judgments AS j
        WHERE j.pass_id = $pass_id
        GROUP BY j.key
        HAVING NOT bool_or(coalesce(list_contains($again, j.reason), FALSE))
    )) AS n_answered
FROM requests AS r
WHERE r.pass_id = $pass_id AND r.current
