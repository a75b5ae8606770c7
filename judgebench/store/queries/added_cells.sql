-- added_cells: outputs of arms or items that a pass has never planned to judge.
-- Needs: $pass_id VARCHAR, $run VARCHAR.
-- Gives: one row: n.
SELECT count(*) AS n
FROM outputs AS o
WHERE
    o.run = $run
    AND o.current
    AND o.blocked IS NULL
    AND (
        o.arm NOT IN (
            SELECT p.arm
            FROM parts AS p
            WHERE p.pass_id = $pass_id
        )
        OR o.item NOT IN (
            SELECT r.item
            FROM requests AS r
            WHERE r.pass_id = $pass_id
        )
    )
