-- mark_codes: every mark that was given, as integer codes.
-- Needs: $pass_id VARCHAR, $run VARCHAR, $criteria VARCHAR[] (ids, the first has code 0).
-- Gives: arm, item, criterion (codes), repeat, mark (scale points), noise (does not
--        count), drift (judged again long after), unsupported. In no order: each row
--        names its own place.
SELECT
    a.position AS arm,
    i.position AS item,
    k.position AS criterion,
    m.repeat,
    m.mark,
    m.purpose <> 'main' AS noise,
    m.purpose = 'drift' AS drift,
    m.unsupported
FROM mark_rows AS m
INNER JOIN arms AS a ON m.arm = a.arm AND a.run = $run
INNER JOIN items AS i ON m.item = i.item AND i.run = $run
INNER JOIN (
    SELECT
        unnest($criteria) AS criterion,
        unnest(range(len($criteria)))::INTEGER AS position
) AS k ON m.criterion = k.criterion
WHERE m.pass_id = $pass_id AND m.current AND m.mark IS NOT NULL AND m.purpose <> 'control'
