-- blocked_outputs: why outputs have no fair result, with one example a reason.
-- Needs: $run VARCHAR; $strict, $block_cut, $minimum BOOLEAN: how the pass is blinded and read.
-- Gives: arm, reason, n, item and message of the first one. Ordered.
-- The run was last taken in under the choices of some pass, which need not be this one:
-- what depends on them is decided here again.
-- The linter takes fields of a lambda and of an unnested struct for columns.
-- noqa: disable=RF03,CP01
WITH own AS (
    SELECT
        arm,
        item,
        from_json(blocks, '[{"reason": "VARCHAR", "message": "VARCHAR"}]') AS blocks,
        $strict AND (masked > 0 OR contains(flags, '"style_mark')) AS leaks,
        $block_cut AND contains(flags, '"looks_cut') AS cut
    FROM outputs
    WHERE
        run = $run
        AND current
        AND NOT ($minimum AND contains(flags, '"own_empty"'))
),

decided AS (
    SELECT
        arm,
        item,
        coalesce(
            list_filter(blocks, lambda b: b.reason NOT IN ('identity_leak', 'looks_cut'))[1],
            list_filter(blocks, lambda b: b.reason = 'identity_leak' AND leaks)[1],
            CASE WHEN leaks THEN {
                'reason': 'identity_leak',
                'message': 'identity strings in the output, and --blind strict is set'
            } END,
            list_filter(blocks, lambda b: b.reason = 'looks_cut' AND cut)[1],
            CASE WHEN cut THEN {
                'reason': 'looks_cut',
                'message': 'looks cut; --block-cut is set'
            } END
        ) AS block
    FROM own
)

SELECT
    arm,
    block.reason AS reason,
    count(*) AS n,
    min(item) AS item,
    arg_min(block.message, item) AS message
FROM decided
WHERE block IS NOT NULL
GROUP BY arm, block.reason
ORDER BY arm, n DESC, reason
