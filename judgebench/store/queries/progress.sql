-- progress: how much of the plan is answered.
-- Needs: $pass_id VARCHAR, $again VARCHAR[] (reasons that count as unanswered), $checks
--        INTEGER (judgings numbered above it are of a later `judge drift`: of those only
--        the open ones count; a bridge has no others).
-- Gives: one row: n_planned, n_answered.
SELECT
    count(*) FILTER (WHERE a.own OR NOT a.answered) AS n_planned,
    count(*) FILTER (WHERE a.own AND a.answered) AS n_answered
FROM (
    SELECT
        r.repeat <= $checks OR r.pass_id IN (
            SELECT p.pass_id
            FROM passes AS p
            WHERE p.route = 'bridge'
        ) AS own,
        r.key IN (
            SELECT j.key
            FROM judgments AS j
            WHERE j.pass_id = $pass_id
        ) AND r.key NOT IN (
            SELECT o.key
            FROM judgments AS o
            WHERE o.pass_id = $pass_id AND coalesce(list_contains($again, o.reason), FALSE)
        ) AS answered
    FROM requests AS r
    WHERE r.pass_id = $pass_id AND r.current
) AS a
