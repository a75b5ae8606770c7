-- take_back_file: a file of marks by people counts no more.
-- Needs: $run, $sha256, $withdrawn_at VARCHAR.
-- Gives: nothing.
UPDATE human_files SET withdrawn_at = $withdrawn_at
WHERE run = $run AND sha256 = $sha256 AND withdrawn_at IS NULL
