-- context: what the answers of each arm took; reported, never scored.
-- Needs: $run VARCHAR.
-- Gives: arm, wall_s, completion_tokens, chars (medians), cost_usd (sum; NULL where any
--        is unknown), reasoning_ratio (reasoning to other completion tokens, over
--        outputs that report both), known (outputs with any of these), untimed, n, suspects
--        (looks cut), masked (identity strings). Ordered by the run's order of arms.
SELECT
    o.arm,
    median(o.wall_s) AS wall_s,
    median(o.completion_tokens) AS completion_tokens,
    median(o.chars) AS chars,
    CASE WHEN count(o.cost_usd) = count(*) THEN sum(o.cost_usd) END AS cost_usd,
    sum(o.reasoning_tokens) FILTER (WHERE o.completion_tokens > o.reasoning_tokens)
    / sum(o.completion_tokens - o.reasoning_tokens)
    FILTER (WHERE o.completion_tokens > o.reasoning_tokens) AS reasoning_ratio,
    count(coalesce(o.wall_s, o.completion_tokens, o.cost_usd)) AS known,
    count(*) - count(o.wall_s) AS untimed,
    count(*) AS n,
    count(*) FILTER (WHERE contains(o.flags, '"looks_cut')) AS suspects,
    sum(o.masked)::BIGINT AS masked
FROM outputs AS o
INNER JOIN arms AS a ON o.run = a.run AND o.arm = a.arm
WHERE o.run = $run AND o.current
GROUP BY o.arm, a.position
ORDER BY a.position
