-- clear_arms: arms of a run, before they are written anew.
-- Needs: $run VARCHAR.
-- Gives: nothing.
DELETE FROM arms
WHERE run = $run
