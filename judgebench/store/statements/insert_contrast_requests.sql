-- insert_contrast_requests: requests of a plan; one that is known is in the plan again.
-- Needs: batch, columns under the names of the table.
-- Gives: nothing.
INSERT INTO contrast_requests BY NAME
SELECT * FROM batch
ON CONFLICT (key) DO UPDATE SET current = TRUE
