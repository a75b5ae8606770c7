-- insert_judgments: readings of replies.
-- Needs: batch, columns under the names of the table.
-- Gives: nothing. A row that is there already is a constraint error.
INSERT INTO judgments BY NAME
SELECT * FROM batch
