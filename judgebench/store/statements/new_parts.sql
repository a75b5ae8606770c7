-- new_parts: an empty place to collect the parts of a plan.
-- Needs: nothing.
-- Gives: nothing.
CREATE OR REPLACE TEMP TABLE new_parts AS
SELECT * FROM parts
WHERE FALSE
