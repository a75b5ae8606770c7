-- 0011_judgments_without_total: the public views know answers that the judge could not judge.
-- The linter takes fields of a struct for columns.
-- noqa: disable=RF01,RF03,CP01

DROP VIEW ratings;
CREATE VIEW ratings AS
WITH unquoted AS (
    SELECT DISTINCT
        m.key,
        m.label
    FROM mark_rows AS m
    INNER JOIN passes AS p ON m.pass_id = p.pass_id
    WHERE m.unsupported AND coalesce((p.choices::JSON ->> 'require_quotes')::BOOLEAN, FALSE)
),

cells AS (
    SELECT
        j.pass_id,
        j.arm,
        j.item,
        avg(j.total) FILTER (WHERE u.key IS NULL) AS total,
        count(j.total) FILTER (WHERE u.key IS NULL) AS scored,
        count(*) FILTER (WHERE j.total IS NULL OR u.key IS NOT NULL) AS blocked
    FROM judgments AS j
    LEFT JOIN unquoted AS u ON j.key = u.key AND j.label = u.label
    WHERE j.current AND j.purpose = 'main' AND j.criterion IS NULL
    GROUP BY j.pass_id, j.arm, j.item
)

SELECT
    p.run,
    c.pass_id,
    p.judge_name AS judge,
    p.rubric_name AS rubric,
    c.arm,
    avg(c.total) AS mean_total,
    count(c.total) AS items,
    sum(c.scored)::BIGINT AS judgments,
    sum(c.blocked)::BIGINT AS judgments_blocked
FROM cells AS c
INNER JOIN passes AS p ON c.pass_id = p.pass_id
GROUP BY p.run, c.pass_id, p.judge_name, p.rubric_name, c.arm;
COMMENT ON VIEW ratings IS
'Public: mean total of each arm in each pass; repeats averaged per item first, no interval.';
COMMENT ON COLUMN ratings.run IS 'Name of the run.';
COMMENT ON COLUMN ratings.pass_id IS 'Id of the pass.';
COMMENT ON COLUMN ratings.judge IS 'Name of the judge.';
COMMENT ON COLUMN ratings.rubric IS 'Name of the rubric.';
COMMENT ON COLUMN ratings.arm IS 'Id of the arm.';
COMMENT ON COLUMN ratings.mean_total IS 'Mean over its scored items, scale points.';
COMMENT ON COLUMN ratings.items IS 'Items with a total.';
COMMENT ON COLUMN ratings.judgments IS 'Judgments with a total.';
COMMENT ON COLUMN ratings.judgments_blocked IS
'Judgments without one: failed, or the judge could not judge.';

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
),

-- A whole reply that leaves a needed criterion without a mark has no total.
lacking AS (
    SELECT
        p.run,
        m.pass_id,
        m.arm,
        m.item,
        coalesce(min(m.reason), 'quote_missing') AS reason,
        'no mark for ' || string_agg(m.criterion, ', ' ORDER BY m.criterion) AS message
    FROM mark_rows AS m
    INNER JOIN passes AS p ON m.pass_id = p.pass_id
    INNER JOIN judgments AS j ON m.key = j.key AND m.label = j.label
    WHERE
        m.current
        AND m.purpose <> 'control'
        AND j.status = 'ok'
        AND p.route NOT IN ('marks', 'people')
        AND (
            (m.reason IS NOT NULL AND j.total IS NULL)
            OR (
                m.unsupported
                AND coalesce((p.choices::JSON ->> 'require_quotes')::BOOLEAN, FALSE)
            )
        )
    GROUP BY p.run, m.pass_id, m.arm, m.item, m.key, m.label
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
WHERE j.current AND j.status = 'blocked' AND j.purpose <> 'control'
UNION ALL
SELECT
    run,
    pass_id,
    'judgment' AS what,
    arm,
    item,
    reason,
    message
FROM lacking;
COMMENT ON VIEW blocked IS
'Public: all outputs and judgments without a fair result in a pass, as it is blinded and read.';
COMMENT ON COLUMN blocked.run IS 'Name of the run.';
COMMENT ON COLUMN blocked.pass_id IS 'Id of the pass; a blocked output stands in each of the run.';
COMMENT ON COLUMN blocked.what IS 'output or judgment.';
COMMENT ON COLUMN blocked.arm IS 'Id of the arm.';
COMMENT ON COLUMN blocked.item IS 'Id of the item.';
COMMENT ON COLUMN blocked.reason IS 'Reason code: the first that applies.';
COMMENT ON COLUMN blocked.message IS 'The facts that show it.';
