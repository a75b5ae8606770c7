-- insert_controls: planted outputs; one that is there already stays as it is.
-- Needs: batch, columns under the names of the table.
-- Gives: nothing.
INSERT OR IGNORE INTO controls BY NAME
SELECT * FROM batch
