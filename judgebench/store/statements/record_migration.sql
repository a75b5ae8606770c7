-- record_migration: a migration and when it was applied.
-- Needs: $name, $applied_at VARCHAR.
-- Gives: nothing.
INSERT INTO schema_version BY NAME
SELECT
    $name AS name,
    $applied_at AS applied_at
