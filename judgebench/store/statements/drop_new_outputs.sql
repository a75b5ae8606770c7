-- drop_new_outputs: the place where a run's outputs were collected.
-- Needs: nothing.
-- Gives: nothing.
DROP TABLE new_outputs
