-- retire_outputs: outputs that the run folder holds no more.
-- Needs: $run VARCHAR; new_outputs.
-- Gives: nothing.
UPDATE outputs SET current = FALSE
WHERE
    run = $run
    AND current
    AND NOT EXISTS (
        SELECT 1
        FROM new_outputs AS n
        WHERE n.run = outputs.run AND n.arm = outputs.arm AND n.item = outputs.item
    )
