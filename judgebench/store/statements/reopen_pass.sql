-- reopen_pass: the plan holds requests without an answer again.
-- Needs: $pass_id VARCHAR.
-- Gives: nothing.
UPDATE passes
SET
    finished_at = NULL,
    content_sha256 = NULL,
    state = 'open'
WHERE pass_id = $pass_id AND state <> 'open'
