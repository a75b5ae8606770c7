-- insert_new_outputs: rows of new_outputs.
-- Needs: batch, columns under the names of the table.
-- Gives: nothing.
INSERT INTO new_outputs BY NAME
SELECT * FROM batch
