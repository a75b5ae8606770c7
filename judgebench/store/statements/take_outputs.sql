-- take_outputs: collected outputs that are not there.
-- Needs: new_outputs.
-- Gives: nothing.
INSERT INTO outputs
SELECT n.*
FROM new_outputs AS n
ANTI JOIN outputs AS o
    ON n.run = o.run AND n.arm = o.arm AND n.item = o.item
