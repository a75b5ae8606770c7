-- mark_people: who gave each scoring of a pass of people, as integer codes.
-- Needs: $pass_id VARCHAR, $run VARCHAR.
-- Gives: arm, item (codes), repeat, person (code from 0, by name), name. In no order: each row
--        names its own place.
SELECT DISTINCT
    a.position AS arm,
    i.position AS item,
    m.repeat,
    dense_rank() OVER (ORDER BY m.label) - 1 AS person,
    m.label AS name
FROM mark_rows AS m
INNER JOIN arms AS a ON m.arm = a.arm AND a.run = $run
INNER JOIN items AS i ON m.item = i.item AND i.run = $run
WHERE m.pass_id = $pass_id AND m.current AND m.mark IS NOT NULL
