-- clear_sends: rows that the batch is about to write again.
-- Needs: batch, columns pass_id, key, attempt.
-- Gives: nothing.
DELETE FROM sends
WHERE
    (pass_id, key, attempt) IN (
        SELECT
            pass_id,
            key,
            attempt
        FROM batch
    )
