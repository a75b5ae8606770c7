-- rubrics_like: rubrics whose hash begins with some letters.
-- Needs: $start VARCHAR, a beginning of ask_sha256 or sum_sha256, or ask and sum joined by +.
-- Gives: ask_sha256, sum_sha256, name, version, source.
SELECT
    ask_sha256,
    sum_sha256,
    name,
    version,
    source
FROM rubrics
WHERE
    starts_with(ask_sha256, $start)
    OR starts_with(sum_sha256, $start)
    OR starts_with(ask_sha256 || '+' || sum_sha256, $start)
ORDER BY name, version, ask_sha256, sum_sha256
