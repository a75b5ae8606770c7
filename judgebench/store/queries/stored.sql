-- stored: how many judgments stand in the file.
-- Needs: nothing.
-- Gives: one row: n.
SELECT count(*) AS n
FROM judgments
