-- scored_again: totals of every judging of the cells of a pass but those beside a control.
-- Needs: $pass_id VARCHAR, $run VARCHAR.
-- Gives: arm, item (codes), purpose, repeat, total, judged_at (seconds since 1970).
--        Ordered, so equal stores give equal bytes.
SELECT
    a.position AS arm,
    i.position AS item,
    j.purpose,
    j.repeat,
    j.total,
    j.judged_at
FROM judgments AS j
INNER JOIN arms AS a ON j.arm = a.arm AND a.run = $run
INNER JOIN items AS i ON j.item = i.item AND i.run = $run
WHERE
    j.pass_id = $pass_id
    AND j.current
    AND j.status = 'ok'
    AND j.purpose <> 'control'
    AND j.total IS NOT NULL
ORDER BY a.position, i.position, j.repeat
