-- clear_outputs: outputs that differ from what was collected.
-- Needs: $run VARCHAR; new_outputs.
-- Gives: nothing. Rows that stay as they are are not written again.
DELETE FROM outputs
WHERE
    run = $run
    AND (run, arm, item) IN (
        SELECT
            d.run,
            d.arm,
            d.item
        FROM (
            SELECT * FROM new_outputs
            EXCEPT
            SELECT * FROM outputs
        ) AS d
    )
