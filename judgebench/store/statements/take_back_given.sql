-- take_back_given: marks of one file count no more.
-- Needs: $run, $file, $withdrawn_at VARCHAR.
-- Gives: nothing.
UPDATE given_marks SET withdrawn_at = $withdrawn_at
WHERE run = $run AND file = $file AND withdrawn_at IS NULL
