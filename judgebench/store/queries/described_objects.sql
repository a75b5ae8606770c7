-- described_objects: tables and views with their comments.
-- Needs: nothing.
-- Gives: kind (table or view), name, comment. Ordered.
SELECT
    'table' AS kind,
    table_name AS name,
    comment
FROM duckdb_tables()
WHERE NOT internal
UNION ALL
SELECT
    'view' AS kind,
    view_name AS name,
    comment
FROM duckdb_views()
WHERE NOT internal
ORDER BY kind, name
