-- output_state: what is known of one output of a run, judged or not.
-- Needs: $run, $arm, $item VARCHAR.
-- Gives: one row where there is such an output: blocked (the reason; NULL where it may be
--        judged), message.
SELECT
    outputs.blocked,
    list_filter(
        from_json(outputs.blocks, '[{"reason": "VARCHAR", "message": "VARCHAR"}]'),
        lambda b: b.reason = outputs.blocked -- noqa: RF03,CP01
    )[1].message AS message -- noqa: CP01
FROM outputs
WHERE
    outputs.run = $run
    AND outputs.arm = $arm
    AND outputs.item = $item
    AND outputs.current
