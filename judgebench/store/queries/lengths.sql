-- lengths: characters of every output, as integer codes.
-- Needs: $run VARCHAR.
-- Gives: arm, item (codes), chars. Ordered.
SELECT
    a.position AS arm,
    i.position AS item,
    o.chars
FROM outputs AS o
INNER JOIN arms AS a ON o.run = a.run AND o.arm = a.arm
INNER JOIN items AS i ON o.run = i.run AND o.item = i.item
WHERE o.run = $run AND o.current AND o.chars IS NOT NULL
ORDER BY a.position, i.position
