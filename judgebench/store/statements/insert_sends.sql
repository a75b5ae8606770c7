-- insert_sends: intentions to call.
-- Needs: batch, columns under the names of the table.
-- Gives: nothing. A row that is there already is a constraint error.
INSERT INTO sends BY NAME
SELECT * FROM batch
