-- contrast_passes: every question in what the outputs of a run differ in kind.
-- Needs: $run VARCHAR.
-- Gives: the columns of contrast_passes. Ordered by their last start.
SELECT *
FROM contrast_passes
WHERE run = $run
ORDER BY started_at, pass_id
