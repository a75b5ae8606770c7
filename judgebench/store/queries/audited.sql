-- audited: judgings of projects, with the criteria that could not be judged.
-- Needs: $pass_id, $run VARCHAR.
-- Gives: key, label, arm, item (codes), repeat, purpose, criteria, reasons (lists, of the
--        criteria without a mark). Ordered by arm, item and repeat.
SELECT
    j.key,
    j.label,
    a.position AS arm,
    i.position AS item,
    j.repeat,
    j.purpose,
    coalesce(m.criteria, []) AS criteria,
    coalesce(m.reasons, []) AS reasons
FROM judgments AS j
INNER JOIN arms AS a ON j.arm = a.arm AND a.run = $run
INNER JOIN items AS i ON j.item = i.item AND i.run = $run
LEFT JOIN (
    SELECT
        key,
        label,
        list(criterion ORDER BY criterion) AS criteria,
        list(reason ORDER BY criterion) AS reasons
    FROM mark_rows
    WHERE pass_id = $pass_id AND reason IS NOT NULL
    GROUP BY key, label
) AS m ON j.key = m.key AND j.label = m.label
WHERE j.pass_id = $pass_id AND j.current AND j.status = 'ok'
ORDER BY a.position, i.position, j.repeat
