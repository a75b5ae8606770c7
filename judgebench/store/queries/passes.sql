-- passes: every pass on a run, or in the file where $run is NULL; the unfinished and
--         unused too.
-- Needs: $run VARCHAR, $bridges BOOLEAN (those that hold the anchors of a bridge instead,
--        which are no judgings of a run), $checks INTEGER (judgings numbered above it are
--        of a later `judge drift`, which is not counted), $again VARCHAR[] (reasons that
--        count as unanswered: the next start asks again).
-- Gives: the columns of passes, n_planned, n_answered (requests of the plan with a final
--        judgment). Ordered by their ordinal; of the whole file, by their start.
SELECT
    p.*,
    coalesce(n.n_planned, 0) AS n_planned,
    coalesce(a.n_answered, 0) AS n_answered
FROM passes AS p
LEFT JOIN (
    SELECT
        r.pass_id,
        count(*) AS n_planned
    FROM requests AS r
    WHERE r.current AND ($bridges OR r.repeat <= $checks)
    GROUP BY r.pass_id
) AS n ON p.pass_id = n.pass_id
LEFT JOIN (
    SELECT
        r.pass_id,
        count(*) AS n_answered
    FROM requests AS r
    WHERE
        r.current
        AND ($bridges OR r.repeat <= $checks)
        -- A key is of one pass alone. Imported marks have no requests: then no key is read.
        AND r.key IN (
            SELECT j.key
            FROM judgments AS j
            WHERE j.current AND NOT coalesce(list_contains($again, j.reason), FALSE)
        )
    GROUP BY r.pass_id
) AS a ON p.pass_id = a.pass_id
WHERE
    ($run IS NULL OR p.run = $run)
    AND (p.route = 'bridge') = $bridges
ORDER BY
    CASE WHEN $run IS NULL THEN p.started_at END,
    p.run,
    p.ordinal,
    p.pass_id
