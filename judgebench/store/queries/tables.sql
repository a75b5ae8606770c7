-- tables: the tables of the file, whoever made it.
-- Needs: nothing.
-- Gives: table_name, n_columns. Ordered.
SELECT
    table_name,
    column_count AS n_columns
FROM duckdb_tables()
WHERE NOT internal AND NOT temporary
ORDER BY table_name
