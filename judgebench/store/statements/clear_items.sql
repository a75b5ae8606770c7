-- clear_items: items of a run, before they are written anew.
-- Needs: $run VARCHAR.
-- Gives: nothing.
DELETE FROM items
WHERE run = $run
