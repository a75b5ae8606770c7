-- off_scale: marks that were left out because they lie outside of the scale.
-- Needs: $pass_id VARCHAR.
-- Gives: one row: n, given (marks that count).
SELECT
    count(*) FILTER (WHERE reason = 'off_scale') AS n,
    count(mark) AS given
FROM mark_rows
WHERE pass_id = $pass_id AND current AND purpose <> 'control'
