-- insert_new_requests: rows of new_requests.
-- Needs: batch, columns under the names of the table.
-- Gives: nothing.
INSERT INTO new_requests BY NAME
SELECT * FROM batch
