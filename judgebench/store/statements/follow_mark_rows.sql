-- follow_mark_rows: carry the state of changed requests to mark_rows.
-- Needs: $pass_id VARCHAR.
-- Gives: nothing.
UPDATE mark_rows
SET
    current = r.current,
    purpose = r.purpose
FROM requests AS r
WHERE
    mark_rows.pass_id = $pass_id
    AND r.pass_id = $pass_id
    AND mark_rows.key = r.key
    AND (mark_rows.current <> r.current OR mark_rows.purpose <> r.purpose)
