-- rubric: the text of a rubric by its two hashes.
-- Needs: $ask VARCHAR, $sum VARCHAR.
-- Gives: name, source; no row where it was never used.
SELECT
    name,
    source
FROM rubrics
WHERE ask_sha256 = $ask AND sum_sha256 = $sum
