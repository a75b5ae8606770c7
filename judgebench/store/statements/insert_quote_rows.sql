-- insert_quote_rows: quotes of marks.
-- Needs: batch, columns under the names of the table.
-- Gives: nothing.
INSERT INTO quote_rows BY NAME
SELECT * FROM batch
