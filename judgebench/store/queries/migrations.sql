-- migrations: what this file has seen.
-- Needs: nothing.
-- Gives: name. Ordered.
SELECT name
FROM schema_version
ORDER BY name
