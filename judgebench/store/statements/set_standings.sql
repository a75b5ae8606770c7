-- set_standings: stored findings whose check came to something else.
-- Needs: $pass_id VARCHAR; batch, columns key, label, ordinal, standing, note.
-- Gives: nothing.
UPDATE finding_rows
SET
    standing = b.standing,
    note = b.note
FROM batch AS b
WHERE
    finding_rows.pass_id = $pass_id
    AND finding_rows.key = b.key
    AND finding_rows.label = b.label
    AND finding_rows.ordinal = b.ordinal
