-- insert_items: rows of items.
-- Needs: batch, columns under the names of the table.
-- Gives: nothing.
INSERT INTO items BY NAME
SELECT * FROM batch
