-- contrast_open: requests without a final answer, in the order of the queue.
-- Needs: $pass_id VARCHAR, $again VARCHAR[] (reasons that are asked again).
-- Gives: key, position, item, item_sha256, parts, attempts (calls so far). Ordered.
SELECT
    r.key,
    r.position,
    r.item,
    r.item_sha256,
    r.parts,
    coalesce(max(s.attempt), 0) AS attempts
FROM contrast_requests AS r
LEFT JOIN contrast_answers AS a ON r.key = a.key
LEFT JOIN sends AS s ON r.pass_id = s.pass_id AND r.key = s.key
WHERE
    r.pass_id = $pass_id
    AND r.current
    AND (a.key IS NULL OR coalesce(list_contains($again, a.reason), FALSE))
GROUP BY r.key, r.position, r.item, r.item_sha256, r.parts
ORDER BY r.position, r.key
