-- 0002_controls: planted controls, and how many of them a pass was asked for.
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
COMMENT ON COLUMN requests.purpose IS 'main counts towards ratings; noise and control do not.';
COMMENT ON COLUMN parts.arm IS 'Id of the arm, or of a control.';
COMMENT ON COLUMN judgments.arm IS 'Id of the arm, or of a control.';
COMMENT ON COLUMN judgments.purpose IS 'main, noise or control.';
COMMENT ON COLUMN mark_rows.arm IS 'Id of the arm, or of a control.';
COMMENT ON COLUMN mark_rows.purpose IS 'main, noise or control.';

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
COMMENT ON COLUMN marks.purpose IS 'main counts towards ratings; noise does not.';
COMMENT ON COLUMN marks.mark IS 'Scale points; NULL where blocked.';
COMMENT ON COLUMN marks.reason IS 'Why it is blocked.';
COMMENT ON COLUMN marks.rationale IS 'The judge''s words.';
COMMENT ON COLUMN marks.unsupported IS 'Not all required quotes were found.';
COMMENT ON COLUMN marks.quotes IS 'Quotes given.';
COMMENT ON COLUMN marks.quotes_found IS 'Quotes found.';
COMMENT ON COLUMN marks.key IS 'Key of the request.';

CREATE OR REPLACE VIEW blocked AS
SELECT
    run,
    NULL::VARCHAR AS pass_id,
    'output' AS what,
    arm,
    item,
    blocked AS reason,
    blocks AS message
FROM outputs
WHERE current AND blocked IS NOT NULL
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
COMMENT ON VIEW blocked IS 'Public: all outputs and judgments without a fair result, and why.';
COMMENT ON COLUMN blocked.run IS 'Name of the run.';
COMMENT ON COLUMN blocked.pass_id IS 'Id of the pass; NULL for an output, which no pass judges.';
COMMENT ON COLUMN blocked.what IS 'output or judgment.';
COMMENT ON COLUMN blocked.arm IS 'Id of the arm.';
COMMENT ON COLUMN blocked.item IS 'Id of the item.';
COMMENT ON COLUMN blocked.reason IS 'Reason code.';
COMMENT ON COLUMN blocked.message IS 'The facts that show it (JSON for outputs).';
