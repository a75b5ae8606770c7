-- put_prompt: a system prompt under its hash.
-- Needs: $sha256, $text VARCHAR.
-- Gives: nothing.
INSERT OR IGNORE INTO prompts BY NAME
SELECT
    $sha256 AS sha256,
    $text AS text
