-- set_limit: how much memory DuckDB may take.
-- Needs: $value VARCHAR, such as 64000000B.
-- Gives: nothing. A limit, not a reservation.
SET memory_limit = $value
