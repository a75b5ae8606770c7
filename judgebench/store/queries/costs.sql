-- costs: what a pass took over all starts.
-- Needs: $pass_id VARCHAR.
-- Gives: requests, calls, calls_in_doubt, prompt_tokens, completion_tokens,
--        reasoning_tokens, cost_usd, tokens_unknown, cost_unknown; no row before the
--        first judgment.
SELECT * EXCLUDE (run, pass_id, judge)
FROM costs
WHERE pass_id = $pass_id
