-- output_state: what is known of one output of a run, judged or not.
-- Needs: $run, $arm, $item VARCHAR.
-- Gives: one row where there is such an output: blocked (the reason; NULL where it may be
--        judged), message.
SELECT
    blocked,
    list_filter(
        from_json(blocks, '[{"reason": "VARCHAR", "message": "VARCHAR"}]'),
        lambda b: b.reason = blocked -- noqa: RF03,CP01
    )[1].message AS message -- noqa: CP01
FROM outputs
WHERE run = $run AND arm = $arm AND item = $item AND current
