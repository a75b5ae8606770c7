-- insert_mark_rows: marks of judgments.
-- Needs: batch, columns under the names of the table.
-- Gives: nothing.
INSERT INTO mark_rows BY NAME
SELECT * FROM batch
