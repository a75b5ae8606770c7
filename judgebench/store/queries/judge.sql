-- judge: a judge by its identity.
-- Needs: $sha256 VARCHAR.
-- Gives: name, facts (JSON).
SELECT
    name,
    facts
FROM judges
WHERE sha256 = $sha256
