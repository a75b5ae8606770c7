-- new_requests: an empty place to collect a plan before it replaces the old.
-- Needs: nothing.
-- Gives: nothing.
CREATE OR REPLACE TEMP TABLE new_requests AS
SELECT * FROM requests
WHERE FALSE
