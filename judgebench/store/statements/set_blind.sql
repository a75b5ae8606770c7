-- set_blind: it is told of a file of marks by people whether they saw which arm was which.
-- Needs: $run, $sha256, $blind VARCHAR.
-- Gives: nothing.
UPDATE human_files SET blind = $blind
WHERE run = $run AND sha256 = $sha256
