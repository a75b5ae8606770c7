-- passes_asked: passes of all runs whose judge was asked one thing.
-- Needs: $ask VARCHAR.
-- Gives: run, pass_id, judge_name, mode, state, sum_sha256, answered.
SELECT
    p.run,
    p.pass_id,
    p.judge_name,
    p.mode,
    p.state,
    p.sum_sha256,
    count(j.key) FILTER (WHERE j.current) AS answered
FROM passes AS p
LEFT JOIN judgments AS j ON p.pass_id = j.pass_id
WHERE p.ask_sha256 = $ask AND p.route <> 'people'
GROUP BY ALL
ORDER BY p.run, p.pass_id
