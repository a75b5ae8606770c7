-- finish_pass: the plan is complete for this content of the run.
-- Needs: $pass_id, $finished_at, $content_sha256 VARCHAR.
-- Gives: nothing.
UPDATE passes
SET
    finished_at = $finished_at,
    content_sha256 = $content_sha256,
    state = 'complete'
WHERE pass_id = $pass_id
