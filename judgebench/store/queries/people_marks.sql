-- people_marks: every mark that people gave, with who and in which comparison.
-- Needs: $pass_id VARCHAR.
-- Gives: item, arm, criterion, label (the rater, and of a pair the side), repeat, mark
--        (scale points or NULL), key (rows of one judging share it), reason.
SELECT
    item,
    arm,
    criterion,
    label,
    repeat,
    mark,
    key,
    reason
FROM mark_rows
WHERE pass_id = $pass_id AND current AND purpose <> 'control'
ORDER BY item, arm, criterion, label, repeat
