-- clear_projects: project folders of a run, before they are written anew.
-- Needs: $run VARCHAR.
-- Gives: nothing.
DELETE FROM projects
WHERE run = $run
