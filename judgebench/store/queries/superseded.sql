-- superseded: judgments of texts that have changed since; kept and left out.
-- Needs: $pass_id VARCHAR.
-- Gives: one row: n.
SELECT count(*) AS n
FROM judgments
WHERE pass_id = $pass_id AND NOT current AND status = 'ok' AND purpose <> 'control'
