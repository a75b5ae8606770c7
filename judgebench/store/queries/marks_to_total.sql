-- marks_to_total: stored marks of a pass, for totals made anew.
-- Needs: $pass_id VARCHAR.
-- Gives: key, label, item, criterion, mark, reason. Ordered by request.
SELECT
    key,
    label,
    item,
    criterion,
    mark,
    reason
FROM mark_rows
WHERE pass_id = $pass_id AND current
ORDER BY key, label, criterion
