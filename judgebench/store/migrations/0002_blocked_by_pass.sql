-- 0002_blocked_by_pass: blocked outputs as each pass reads them; where prices come from.
-- The linter takes fields of a struct for columns.
-- noqa: disable=RF01,RF03,CP01

ALTER TABLE passes ADD COLUMN price_source VARCHAR;
COMMENT ON COLUMN passes.price_source IS 'Where the price of its calls is from; NULL if unknown.';

DROP VIEW blocked;
CREATE VIEW blocked AS -- noqa: PRS
WITH passed AS (
    SELECT
        run,
        pass_id,
        blinding = 'strict' AS strict,
        coalesce((choices::JSON ->> 'block_cut')::BOOLEAN, FALSE) AS block_cut,
        coalesce((choices::JSON ->> 'empty_as_minimum')::BOOLEAN, FALSE) AS minimum
    FROM passes
    WHERE route NOT IN ('marks', 'people')
),

decided AS (
    SELECT
        o.run,
        p.pass_id,
        o.arm,
        o.item,
        coalesce(
            list_filter(
                from_json(o.blocks, '[{"reason": "VARCHAR", "message": "VARCHAR"}]'),
                lambda b: b.reason NOT IN ('identity_leak', 'looks_cut')
            )[1],
            CASE WHEN p.strict AND (o.masked > 0 OR contains(o.flags, '"style_mark')) THEN {
                'reason': 'identity_leak',
                'message': 'identity strings in the output, and --blind strict is set'
            } END,
            CASE WHEN p.block_cut AND contains(o.flags, '"looks_cut') THEN {
                'reason': 'looks_cut',
                'message': 'looks cut; --block-cut is set'
            } END
        ) AS block
    FROM outputs AS o
    INNER JOIN passed AS p ON o.run = p.run
    WHERE o.current AND NOT (p.minimum AND contains(o.flags, '"own_empty"'))
)

SELECT
    run,
    pass_id,
    'output' AS what,
    arm,
    item,
    block.reason AS reason,
    block.message AS message
FROM decided
WHERE block IS NOT NULL
UNION ALL
SELECT
    p.run,
    j.pass_id,
    'judgment' AS what,
    j.arm,
    j.item,
    j.reason,
    j.message
FROM judgments AS j
INNER JOIN passes AS p ON j.pass_id = p.pass_id
WHERE j.current AND j.status = 'blocked';
COMMENT ON VIEW blocked IS
'Public: all outputs and judgments without a fair result in a pass, as it is blinded and read.';
COMMENT ON COLUMN blocked.run IS 'Name of the run.';
COMMENT ON COLUMN blocked.pass_id IS 'Id of the pass; a blocked output stands in each of the run.';
COMMENT ON COLUMN blocked.what IS 'output or judgment.';
COMMENT ON COLUMN blocked.arm IS 'Id of the arm.';
COMMENT ON COLUMN blocked.item IS 'Id of the item.';
COMMENT ON COLUMN blocked.reason IS 'Reason code: the first that applies.';
COMMENT ON COLUMN blocked.message IS 'The facts that show it.';
