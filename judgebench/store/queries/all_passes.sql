-- all_passes: every pass in the file, the unfinished and unused too; bridges are none.
-- Needs: nothing.
-- Gives: the columns of passes, n_planned, n_answered (requests of the plan with a
--        judgment). Ordered by their start.
SELECT
    p.*,
    coalesce(n.n_planned, 0) AS n_planned,
    coalesce(n.n_answered, 0) AS n_answered
FROM passes AS p
LEFT JOIN (
    SELECT
        r.pass_id,
        count(*) AS n_planned,
        count(j.key) AS n_answered
    FROM requests AS r
    LEFT JOIN (
        SELECT DISTINCT
            pass_id,
            key
        FROM judgments
        WHERE current
    ) AS j ON r.pass_id = j.pass_id AND r.key = j.key
    WHERE r.current
    GROUP BY r.pass_id
) AS n ON p.pass_id = n.pass_id
WHERE p.route <> 'bridge'
ORDER BY p.started_at, p.run, p.ordinal, p.pass_id
