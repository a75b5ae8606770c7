-- take_parts: the parts of planned requests that are not there yet.
-- Needs: $pass_id VARCHAR; new_parts; requests as before the new ones are taken.
-- Gives: nothing.
INSERT INTO parts
SELECT n.*
FROM new_parts AS n
ANTI JOIN requests AS r
    ON n.key = r.key AND r.pass_id = $pass_id
