-- insert_arms: rows of arms.
-- Needs: batch, columns under the names of the table.
-- Gives: nothing.
INSERT INTO arms BY NAME
SELECT * FROM batch
