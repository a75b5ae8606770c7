-- take_back_mark: what one person said of one criterion of one answer counts no more.
-- Needs: $run, $file, $item, $arm, $criterion, $rater, $withdrawn_at VARCHAR.
-- Gives: nothing.
UPDATE given_marks SET withdrawn_at = $withdrawn_at
WHERE
    run = $run AND file = $file AND item = $item AND arm = $arm
    AND criterion = $criterion AND rater = $rater AND withdrawn_at IS NULL
