-- insert_contrast_answers: what became of requests; a later answer takes the place of one
-- that was asked for again.
-- Needs: batch, columns under the names of the table.
-- Gives: nothing.
INSERT OR REPLACE INTO contrast_answers BY NAME
SELECT * FROM batch
