-- put_rubric: the text of a rubric under its two hashes.
-- Needs: $ask_sha256, $sum_sha256, $name, $version, $source VARCHAR.
-- Gives: nothing.
INSERT OR REPLACE INTO rubrics BY NAME
SELECT
    $ask_sha256 AS ask_sha256,
    $sum_sha256 AS sum_sha256,
    $name AS name,
    $version AS version,
    $source AS source
