-- contrast_stamp: changes whenever anything changes in what is said of differences in kind.
-- Needs: $run VARCHAR.
-- Gives: one row: n_passes, stamp.
SELECT
    count(DISTINCT p.pass_id) AS n_passes,
    hash(
        arg_max(p.pass_id, p.started_at),
        count(a.key) FILTER (WHERE r.current),
        max(a.judged_at)
    )::VARCHAR AS stamp
FROM contrast_passes AS p
LEFT JOIN contrast_requests AS r ON p.pass_id = r.pass_id
LEFT JOIN contrast_answers AS a ON r.key = a.key
WHERE p.run = $run
