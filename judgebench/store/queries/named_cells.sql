-- named_cells: answers in which an identity string was found, as integer codes.
-- Needs: $run VARCHAR.
-- Gives: arm, item (codes). Ordered.
SELECT
    a.position AS arm,
    i.position AS item
FROM outputs AS o
INNER JOIN arms AS a ON o.run = a.run AND o.arm = a.arm
INNER JOIN items AS i ON o.run = i.run AND o.item = i.item
WHERE o.run = $run AND o.current AND o.masked > 0
ORDER BY a.position, i.position
