-- insert_projects: what was read and shown of project folders.
-- Needs: batch, columns under the names of the table.
-- Gives: nothing.
INSERT INTO projects BY NAME
SELECT * FROM batch
