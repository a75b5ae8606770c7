-- masked_outputs: outputs in which an identity string was found.
-- Needs: $run VARCHAR.
-- Gives: one row: n.
SELECT count(*) AS n
FROM outputs
WHERE run = $run AND current AND masked > 0
