-- drift_requests: how far one check for drift is, its controls counted.
-- Needs: $pass_id VARCHAR, $number INTEGER (which judging); $needed VARCHAR[], $quotes
--        BOOLEAN: as of `blocked_judgments`.
-- Gives: one row: planned (requests), blocked (of these, without a total on the judge's side).
WITH without AS (
    SELECT DISTINCT key
    FROM mark_rows
    WHERE
        pass_id = $pass_id
        AND purpose IN ('drift', 'control')
        AND list_contains($needed, criterion)
        AND (reason IS NOT NULL OR ($quotes AND unsupported))
)

SELECT
    count(DISTINCT r.key) AS planned,
    count(DISTINCT r.key) FILTER (
        WHERE j.status = 'blocked' OR w.key IS NOT NULL
    ) AS blocked
FROM requests AS r
LEFT JOIN judgments AS j ON r.pass_id = j.pass_id AND r.key = j.key
LEFT JOIN without AS w ON r.key = w.key
WHERE
    r.pass_id = $pass_id
    AND r.current
    AND r.purpose IN ('drift', 'control')
    AND r.repeat = $number
