-- contrast_answers: every request of the plan with what became of it.
-- Needs: $pass_id VARCHAR.
-- Gives: key, item, parts, status (NULL: open), reason, message, contrasts, calls, cost_usd.
--        Ordered by the order of the items in the run.
SELECT
    r.key,
    r.item,
    r.parts,
    a.status,
    a.reason,
    a.message,
    a.contrasts,
    a.calls,
    a.cost_usd
FROM contrast_requests AS r
INNER JOIN contrast_passes AS p ON r.pass_id = p.pass_id
LEFT JOIN contrast_answers AS a ON r.key = a.key
LEFT JOIN items AS i ON p.run = i.run AND r.item = i.item
WHERE r.pass_id = $pass_id AND r.current
ORDER BY i.position, r.item
