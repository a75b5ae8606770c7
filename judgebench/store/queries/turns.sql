-- turns: what judges asked of tools in a pass, or in the requests of one output.
-- Needs: $pass_id VARCHAR, $arm and $item VARCHAR (NULL: of all).
-- Gives: key, label, arm, item, repeat, purpose, number, attempt, answers (JSON list). Only
--        of requests in the plan that have a judgment. Ordered.
SELECT
    j.key,
    j.label,
    j.arm,
    j.item,
    j.repeat,
    j.purpose,
    t.number,
    t.attempt,
    t.answers
FROM turns AS t
INNER JOIN judgments AS j ON t.pass_id = j.pass_id AND t.key = j.key
WHERE
    t.pass_id = $pass_id
    AND j.current
    AND ($arm IS NULL OR j.arm = $arm)
    AND ($item IS NULL OR j.item = $item)
ORDER BY j.arm, j.item, j.repeat, j.key, t.number
