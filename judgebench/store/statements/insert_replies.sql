-- insert_replies: what came back for calls.
-- Needs: batch, columns under the names of the table.
-- Gives: nothing. A row that is there already is a constraint error.
INSERT INTO replies BY NAME
SELECT * FROM batch
