-- set_sum: the sums that a pass's totals were made with.
-- Needs: $pass_id, $sum_sha256, $rubric_name, $rubric_version VARCHAR.
-- Gives: nothing.
UPDATE passes
SET
    sum_sha256 = $sum_sha256,
    rubric_name = $rubric_name,
    rubric_version = $rubric_version
WHERE pass_id = $pass_id
