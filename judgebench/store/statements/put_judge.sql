-- put_judge: a judge under its identity.
-- Needs: $sha256, $name, $model, $facts VARCHAR.
-- Gives: nothing.
INSERT OR REPLACE INTO judges BY NAME
SELECT
    $sha256 AS sha256,
    $name AS name,
    $model AS model,
    $facts AS facts
