-- clear_marks: the marks of a pass, to be written anew together with others.
-- Needs: $pass_id VARCHAR.
-- Gives: nothing.
DELETE FROM mark_rows
WHERE pass_id = $pass_id
