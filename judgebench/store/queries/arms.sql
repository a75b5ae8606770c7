-- arms: names behind the arm codes.
-- Needs: $run VARCHAR.
-- Gives: arm. Ordered: the first has code 0.
SELECT arm
FROM arms
WHERE run = $run
ORDER BY position
