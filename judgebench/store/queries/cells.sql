-- cells: totals of the judgments that count, as integer codes.
-- Needs: $pass_id VARCHAR, $run VARCHAR.
-- Gives: arm, item (codes), repeat, total, uncapped (scale points; NULL where a mark is
--        blocked), fired (a gate or cap held something down), chars (of the output).
--        Ordered, so equal stores give equal bytes.
SELECT
    a.position AS arm,
    i.position AS item,
    j.repeat,
    j.total,
    j.uncapped,
    j.fired <> '[]' AS fired,
    o.chars
FROM judgments AS j
INNER JOIN arms AS a ON j.arm = a.arm AND a.run = $run
INNER JOIN items AS i ON j.item = i.item AND i.run = $run
LEFT JOIN outputs AS o ON j.arm = o.arm AND j.item = o.item AND o.run = $run
WHERE
    j.pass_id = $pass_id
    AND j.current
    AND j.status = 'ok'
    AND j.purpose = 'main'
ORDER BY a.position, i.position, j.repeat, j.key
