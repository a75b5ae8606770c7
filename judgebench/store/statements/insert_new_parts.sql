-- insert_new_parts: rows of new_parts.
-- Needs: batch, columns under the names of the table.
-- Gives: nothing.
INSERT INTO new_parts BY NAME
SELECT * FROM batch
