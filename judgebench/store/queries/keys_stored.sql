-- keys_stored: how many rows the tables of a file hold, without reading any.
-- Needs: $tables VARCHAR[].
-- Gives: n. One row.
SELECT coalesce(sum(estimated_size), 0)::BIGINT AS n
FROM duckdb_tables()
WHERE NOT internal AND NOT temporary AND list_contains($tables, table_name)
