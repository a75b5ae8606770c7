-- retire_contrast_requests: take all requests out of the plan, before it is laid down anew.
-- Needs: $pass_id VARCHAR.
-- Gives: nothing.
UPDATE contrast_requests SET current = FALSE
WHERE pass_id = $pass_id AND current
