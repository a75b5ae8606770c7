-- control_requests: the controls of the plan, one row a request.
-- Needs: $pass_id VARCHAR, $number INTEGER (which judging: 1 is the pass's own).
-- Gives: control, kind, item, source_arm, key, status (NULL before there is a judgment).
--        Ordered by the queue.
SELECT
    c.control,
    c.kind,
    c.item,
    c.source_arm,
    r.key,
    j.status
FROM controls AS c
INNER JOIN parts AS p ON c.pass_id = p.pass_id AND c.control = p.arm
INNER JOIN requests AS r ON p.pass_id = r.pass_id AND p.key = r.key
LEFT JOIN judgments AS j
    ON r.pass_id = j.pass_id AND r.key = j.key AND c.control = j.arm
WHERE
    c.pass_id = $pass_id AND r.current AND r.purpose = 'control' AND r.repeat = $number
ORDER BY r.position, r.key
