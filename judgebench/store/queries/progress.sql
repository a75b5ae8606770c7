-- progress: how much of the plan is answered.
-- Needs: $pass_id VARCHAR, $again VARCHAR[] (reasons that count as unanswered).
-- Gives: one row: n_planned, n_answered.
SELECT
    count(*) AS n_planned,
    count(*) FILTER (WHERE r.key IN (
        SELECT j.key
        FROM judgments AS j
        WHERE j.pass_id = $pass_id
    ) AND r.key NOT IN (
        SELECT o.key
        FROM judgments AS o
        WHERE o.pass_id = $pass_id AND coalesce(list_contains($again, o.reason), FALSE)
    )) AS n_answered
FROM requests AS r
WHERE r.pass_id = $pass_id AND r.current
