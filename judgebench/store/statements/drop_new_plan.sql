-- drop_new_plan: the places where a plan was collected.
-- Needs: nothing.
-- Gives: nothing.
DROP TABLE new_requests;
DROP TABLE new_parts
