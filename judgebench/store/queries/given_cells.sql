-- given_cells: cells of which a pass of imported marks holds a row, with a mark or without.
-- Needs: $pass_id VARCHAR, $run VARCHAR.
-- Gives: arm, item (codes). Ordered.
SELECT DISTINCT
    a.position AS arm,
    i.position AS item
FROM judgments AS j
INNER JOIN arms AS a ON j.arm = a.arm AND a.run = $run
INNER JOIN items AS i ON j.item = i.item AND i.run = $run
WHERE j.pass_id = $pass_id AND j.current AND j.purpose = 'main'
ORDER BY arm, item
