-- set_marks: marks counted anew from stored findings.
-- Needs: $pass_id VARCHAR; batch, columns key, label, criterion, mark.
-- Gives: nothing.
UPDATE mark_rows
SET mark = b.mark
FROM batch AS b
WHERE
    mark_rows.pass_id = $pass_id
    AND mark_rows.key = b.key
    AND mark_rows.label = b.label
    AND mark_rows.criterion = b.criterion
