-- has_quotes: whether any quote is stored of a pass.
-- Needs: $pass_id VARCHAR.
-- Gives: one row where there is one, else none.
SELECT 1 AS one
WHERE
    EXISTS (
        SELECT 1 AS quote
        FROM quote_rows
        WHERE pass_id = $pass_id
    )
