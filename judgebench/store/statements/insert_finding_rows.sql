-- insert_finding_rows: faults that were reported in projects.
-- Needs: batch, columns under the names of the table.
-- Gives: nothing.
INSERT INTO finding_rows BY NAME
SELECT * FROM batch
