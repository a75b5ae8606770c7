-- described_columns: columns of tables and views with their comments.
-- Needs: nothing.
-- Gives: name (of the table), column_name, data_type, comment. Ordered.
SELECT
    table_name AS name,
    column_name,
    data_type,
    comment
FROM duckdb_columns()
WHERE NOT internal
ORDER BY table_name, column_index
