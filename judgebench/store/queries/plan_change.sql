-- plan_change: what a new plan changes, before it is taken.
-- Needs: $pass_id VARCHAR; new_requests.
-- Gives: one row: n_new, n_kept, n_superseded (current requests that drop out),
--        n_superseded_answered (those of them that hold a judgment).
SELECT
    (
        SELECT count(*)
        FROM new_requests AS n
        ANTI JOIN requests AS r
            ON n.key = r.key AND r.pass_id = $pass_id
    ) AS n_new,
    (
        SELECT count(*)
        FROM new_requests AS n
        SEMI JOIN requests AS r
            ON n.key = r.key AND r.pass_id = $pass_id
    ) AS n_kept,
    count(*) AS n_superseded,
    count(*) FILTER (WHERE o.key IN (
        SELECT j.key
        FROM judgments AS j
        WHERE j.pass_id = $pass_id
    )) AS n_superseded_answered
FROM requests AS o
ANTI JOIN new_requests AS k
    ON o.key = k.key
WHERE o.pass_id = $pass_id AND o.current
