-- clear_mark_judgments: the judgments behind marks that are written anew.
-- Needs: $pass_id VARCHAR.
-- Gives: nothing.
DELETE FROM judgments
WHERE pass_id = $pass_id
