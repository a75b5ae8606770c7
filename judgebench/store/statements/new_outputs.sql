-- new_outputs: an empty place to collect a run's outputs before they replace the old.
-- Needs: nothing.
-- Gives: nothing.
CREATE OR REPLACE TEMP TABLE new_outputs AS
SELECT * FROM outputs
WHERE FALSE
