-- set_contrast_settled: mode and parameters that the endpoint took.
-- Needs: $pass_id, $settled VARCHAR.
-- Gives: nothing.
UPDATE contrast_passes SET settled = $settled
WHERE pass_id = $pass_id
