-- text_values: the different values of one column, in the order of `keep_texts`.
-- Needs: texts (made by `keep_texts`).
-- Gives: value, as the file types it.
SELECT value
FROM texts
ORDER BY rowid
