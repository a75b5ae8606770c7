-- drift: cells that were judged again after the pass had been extended.
-- Needs: $pass_id VARCHAR, $run VARCHAR, $last INTEGER (the highest number of an
--        extension's judging: those above it are of later checks).
-- Gives: arm, item (codes), first_total (mean of the judgings that count), again_total
--        (mean of those for drift), firsts, agains (how many). Ordered.
SELECT
    a.position AS arm,
    i.position AS item,
    avg(j.total) FILTER (WHERE j.purpose = 'main') AS first_total,
    avg(j.total) FILTER (WHERE j.purpose = 'drift') AS again_total,
    count(j.total) FILTER (WHERE j.purpose = 'main') AS firsts,
    count(j.total) FILTER (WHERE j.purpose = 'drift') AS agains
FROM judgments AS j
INNER JOIN arms AS a ON j.arm = a.arm AND a.run = $run
INNER JOIN items AS i ON j.item = i.item AND i.run = $run
WHERE j.pass_id = $pass_id AND j.current AND j.status = 'ok' AND j.repeat <= $last
GROUP BY a.position, i.position
HAVING
    count(j.total) FILTER (WHERE j.purpose = 'main') > 0
    AND count(j.total) FILTER (WHERE j.purpose = 'drift') > 0
ORDER BY a.position, i.position
