-- passes: every pass on a run, or in the file where $run is NULL; the unfinished and
--         unused too.
-- Needs: $run VARCHAR.
-- Gives: the columns of passes, n_planned, n_answered (requests of the plan with a
--        judgment). Ordered by their ordinal; of the whole file, by their start.
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
WHERE $run IS NULL OR p.run = $run
ORDER BY
    CASE WHEN $run IS NULL THEN p.started_at END,
    p.run,
    p.ordinal,
    p.pass_id
