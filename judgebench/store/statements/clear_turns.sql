-- clear_turns: rows that the batch is about to write again.
-- Needs: batch, columns pass_id, key, number.
-- Gives: nothing.
DELETE FROM turns
WHERE
    (pass_id, key, number) IN (
        SELECT
            pass_id,
            key,
            number
        FROM batch
    )
