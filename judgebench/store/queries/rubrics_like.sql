-- rubrics_like: rubrics whose hashes begin with some letters.
-- Needs: $ask, $sum VARCHAR, beginnings of the two hashes; where $sum is empty, $ask may be
--        the beginning of either.
-- Gives: ask_sha256, sum_sha256, name, version, source.
SELECT
    ask_sha256,
    sum_sha256,
    name,
    version,
    source
FROM rubrics
WHERE
    (starts_with(ask_sha256, $ask) AND starts_with(sum_sha256, $sum))
    OR ($sum = '' AND starts_with(sum_sha256, $ask))
ORDER BY name, version, ask_sha256, sum_sha256
