-- clear_finding_rows: rows of requests that the batch is about to write again.
-- Needs: batch, columns pass_id, key.
-- Gives: nothing.
DELETE FROM finding_rows
WHERE
    (pass_id, key) IN (
        SELECT
            pass_id,
            key
        FROM batch
    )
