-- stamp: changes whenever anything changes that a report of a run shows; no bridge does.
-- Needs: $run VARCHAR.
-- Gives: one row: stamp.
SELECT
    hash(
        (
            SELECT list(p ORDER BY p.ordinal)
            FROM passes AS p
            WHERE p.run = $run AND p.route <> 'bridge'
        ),
        (
            SELECT (count(*), max(j.judged_at), count(*) FILTER (WHERE j.current))
            FROM judgments AS j
            INNER JOIN passes AS p ON j.pass_id = p.pass_id
            WHERE p.run = $run AND p.route <> 'bridge'
        ),
        (
            SELECT r.content_sha256
            FROM runs AS r
            WHERE r.run = $run
        )
    )::VARCHAR AS stamp
