-- 0004_controls: planted controls, and how many of them a pass was asked for.
CREATE TABLE controls ( -- noqa: PRS
    pass_id VARCHAR NOT NULL,
    control VARCHAR NOT NULL,
    kind VARCHAR NOT NULL,
    treatment VARCHAR NOT NULL,
    item VARCHAR NOT NULL,
    source_arm VARCHAR NOT NULL,
    source_sent_sha256 VARCHAR NOT NULL,
    donor_item VARCHAR,
    donor_arm VARCHAR,
    text VARCHAR NOT NULL USING COMPRESSION zstd,
    sent_sha256 VARCHAR NOT NULL,
    note VARCHAR NOT NULL,
    PRIMARY KEY (pass_id, control)
);
COMMENT ON TABLE controls IS
'Planted outputs with a known right treatment, judged blind; never part of a rating.';
COMMENT ON COLUMN controls.pass_id IS 'Id of the pass.';
COMMENT ON COLUMN controls.control IS 'Its id, which stands where an arm''s id stands.';
COMMENT ON COLUMN controls.kind IS
'near_empty, damaged, duplicate, off_task, talks_to_judge or padded.';
COMMENT ON COLUMN controls.treatment IS 'The right treatment in words.';
COMMENT ON COLUMN controls.item IS 'Id of the item that it is judged under.';
COMMENT ON COLUMN controls.source_arm IS 'Arm of the output that it is held against.';
COMMENT ON COLUMN controls.source_sent_sha256 IS 'Hash of that output as sent.';
COMMENT ON COLUMN controls.donor_item IS 'Off task: item of the answer; NULL for other kinds.';
COMMENT ON COLUMN controls.donor_arm IS 'Off task: arm of the answer; NULL for other kinds.';
COMMENT ON COLUMN controls.text IS 'The text as sent.';
COMMENT ON COLUMN controls.sent_sha256 IS 'Hash of the text as sent.';
COMMENT ON COLUMN controls.note IS 'What was done to make it.';

ALTER TABLE passes ADD COLUMN controls INTEGER;
-- What was judged before had none, and a later start adds none by itself.
UPDATE passes SET controls = 0;
COMMENT ON COLUMN passes.controls IS 'Controls that were asked for; NULL: by the rule.';
COMMENT ON COLUMN requests.purpose IS
'main counts towards ratings; noise, drift and control do not.';
COMMENT ON COLUMN parts.arm IS 'Id of the arm, or of a control.';
COMMENT ON COLUMN judgments.arm IS 'Id of the arm, or of a control.';
COMMENT ON COLUMN judgments.purpose IS 'main, noise, drift or control.';
COMMENT ON COLUMN mark_rows.arm IS 'Id of the arm, or of a control.';
COMMENT ON COLUMN mark_rows.purpose IS 'main, noise, drift or control.';

CREATE OR REPLACE VIEW marks AS
SELECT
    p.run,
    m.pass_id,
    p.judge_name AS judge,
    m.arm,
    m.item,
    m.criterion,
    m.repeat,
    m.purpose,
    m.mark,
    m.reason,
    m.rationale,
    m.unsupported,
    m.quotes,
    m.quotes_found,
    m.key
FROM mark_rows AS m
INNER JOIN passes AS p ON m.pass_id = p.pass_id
WHERE m.current AND m.purpose <> 'control';
COMMENT ON VIEW marks IS
'Public: every mark that the plan still holds, one row a criterion; controls left out.';
COMMENT ON COLUMN marks.run IS 'Name of the run.';
COMMENT ON COLUMN marks.pass_id IS 'Id of the pass.';
COMMENT ON COLUMN marks.judge IS 'Name of the judge.';
COMMENT ON COLUMN marks.arm IS 'Id of the arm.';
COMMENT ON COLUMN marks.item IS 'Id of the item.';
COMMENT ON COLUMN marks.criterion IS 'Id of the criterion.';
COMMENT ON COLUMN marks.repeat IS 'Which judging of the cell, from 1.';
COMMENT ON COLUMN marks.purpose IS 'main counts towards ratings; noise and drift do not.';
COMMENT ON COLUMN marks.mark IS 'Scale points; NULL where blocked.';
COMMENT ON COLUMN marks.reason IS 'Why it is blocked.';
COMMENT ON COLUMN marks.rationale IS 'The judge''s words.';
COMMENT ON COLUMN marks.unsupported IS 'Not all required quotes were found.';
COMMENT ON COLUMN marks.quotes IS 'Quotes given.';
COMMENT ON COLUMN marks.quotes_found IS 'Quotes found.';
COMMENT ON COLUMN marks.key IS 'Key of the request.';

CREATE OR REPLACE VIEW blocked AS -- noqa: PRS
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
WHERE j.current AND j.status = 'blocked' AND j.purpose <> 'control';
COMMENT ON VIEW blocked IS
'Public: all outputs and judgments without a fair result in a pass, as it is blinded and read.';
COMMENT ON COLUMN blocked.run IS 'Name of the run.';
COMMENT ON COLUMN blocked.pass_id IS 'Id of the pass; a blocked output stands in each of the run.';
COMMENT ON COLUMN blocked.what IS 'output or judgment.';
COMMENT ON COLUMN blocked.arm IS 'Id of the arm.';
COMMENT ON COLUMN blocked.item IS 'Id of the item.';
COMMENT ON COLUMN blocked.reason IS 'Reason code: the first that applies.';
COMMENT ON COLUMN blocked.message IS 'The facts that show it.';
