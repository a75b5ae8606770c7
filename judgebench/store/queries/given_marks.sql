-- given_marks: what people gave by file, as far as it counts.
-- Needs: $run VARCHAR.
-- Gives: file, item, arm, other, criterion, rater, mark (NULL for cannot judge).
SELECT
    file,
    item,
    arm,
    other,
    criterion,
    rater,
    mark
FROM given_marks
WHERE run = $run AND withdrawn_at IS NULL
ORDER BY entry
