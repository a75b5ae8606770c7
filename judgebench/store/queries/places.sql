-- places: where every output stood in its request, where several outputs share one; those
-- beside a control left out.
-- Needs: $pass_id VARCHAR, $run VARCHAR.
-- Gives: arm, item (codes), repeat, place (from 0). Ordered, so equal stores give equal
--        bytes.
WITH shared AS (
    SELECT p.key
    FROM parts AS p
    WHERE p.pass_id = $pass_id
    GROUP BY p.key
    HAVING count(*) > 1
)

SELECT DISTINCT
    a.position AS arm,
    i.position AS item,
    r.repeat,
    p.ordinal AS place
FROM requests AS r
INNER JOIN shared AS s ON r.key = s.key
INNER JOIN parts AS p ON r.pass_id = p.pass_id AND r.key = p.key
INNER JOIN arms AS a ON p.arm = a.arm AND a.run = $run
INNER JOIN items AS i ON r.item = i.item AND i.run = $run
WHERE r.pass_id = $pass_id AND r.current AND r.purpose <> 'control'
ORDER BY a.position, i.position, r.repeat, p.ordinal
