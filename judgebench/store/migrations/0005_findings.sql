-- 0005_findings: faults found in projects, and what was shown of these.
CREATE TABLE finding_rows (
    pass_id VARCHAR NOT NULL,
    key VARCHAR NOT NULL,
    label VARCHAR NOT NULL,
    ordinal INTEGER NOT NULL,
    criterion VARCHAR NOT NULL,
    entry VARCHAR NOT NULL,
    evidence VARCHAR NOT NULL,
    found_by VARCHAR NOT NULL,
    why VARCHAR NOT NULL,
    said_path VARCHAR NOT NULL,
    said_first INTEGER,
    said_last INTEGER,
    excerpt VARCHAR NOT NULL,
    patterns VARCHAR NOT NULL,
    paths VARCHAR NOT NULL,
    standing VARCHAR NOT NULL,
    note VARCHAR NOT NULL,
    path VARCHAR NOT NULL,
    first_line INTEGER,
    last_line INTEGER,
    moved BOOLEAN NOT NULL
);
COMMENT ON TABLE finding_rows IS
'Faults that were reported in projects, all of them, with what their checks came to.';
COMMENT ON COLUMN finding_rows.pass_id IS 'Id of the pass.';
COMMENT ON COLUMN finding_rows.key IS 'Key of the request.';
COMMENT ON COLUMN finding_rows.label IS 'Neutral name shown to the judge.';
COMMENT ON COLUMN finding_rows.ordinal IS 'Place in the reply, from 0.';
COMMENT ON COLUMN finding_rows.criterion IS 'Id of the criterion.';
COMMENT ON COLUMN finding_rows.entry IS 'Id in the catalogue, or other.';
COMMENT ON COLUMN finding_rows.evidence IS 'present or absent.';
COMMENT ON COLUMN finding_rows.found_by IS 'judge or code.';
COMMENT ON COLUMN finding_rows.why IS 'The judge''s words.';
COMMENT ON COLUMN finding_rows.said_path IS 'File as the judge named it; empty where absent.';
COMMENT ON COLUMN finding_rows.said_first IS 'First line as the judge named it.';
COMMENT ON COLUMN finding_rows.said_last IS 'Last line as the judge named it.';
COMMENT ON COLUMN finding_rows.excerpt IS 'The passage as the judge gave it.';
COMMENT ON COLUMN finding_rows.patterns IS 'Absent: texts that would show the thing, JSON list.';
COMMENT ON COLUMN finding_rows.paths IS 'Absent: files that would show the thing, JSON list.';
COMMENT ON COLUMN finding_rows.standing IS
'supported, unsupported or unverified; only the first costs.';
COMMENT ON COLUMN finding_rows.note IS 'What the check searched and found.';
COMMENT ON COLUMN finding_rows.path IS
'File in which the passage stands; empty where it was not found.';
COMMENT ON COLUMN finding_rows.first_line IS 'First line of the passage where it stands.';
COMMENT ON COLUMN finding_rows.last_line IS 'Last line of the passage where it stands.';
COMMENT ON COLUMN finding_rows.moved IS 'It stands in other lines than the judge named.';

CREATE TABLE projects (
    run VARCHAR NOT NULL,
    arm VARCHAR NOT NULL,
    item VARCHAR NOT NULL,
    files INTEGER NOT NULL,
    lines BIGINT NOT NULL,
    lines_shown BIGINT NOT NULL,
    partly VARCHAR NOT NULL,
    left_out VARCHAR NOT NULL,
    secrets VARCHAR NOT NULL,
    identity_visible INTEGER NOT NULL,
    PRIMARY KEY (run, arm, item)
);
COMMENT ON TABLE projects IS 'What was read and shown of outputs that are project folders.';
COMMENT ON COLUMN projects.run IS 'Name of the run.';
COMMENT ON COLUMN projects.arm IS 'Id of the arm.';
COMMENT ON COLUMN projects.item IS 'Id of the item.';
COMMENT ON COLUMN projects.files IS 'Files whose text was read.';
COMMENT ON COLUMN projects.lines IS 'Lines of these files.';
COMMENT ON COLUMN projects.lines_shown IS 'Lines that a judge is shown.';
COMMENT ON COLUMN projects.partly IS 'Files not shown whole: path, lines shown, lines; JSON list.';
COMMENT ON COLUMN projects.left_out IS 'Files and folders not read: path, reason; JSON list.';
COMMENT ON COLUMN projects.secrets IS 'Keys that were masked: path, line; JSON list.';
COMMENT ON COLUMN projects.identity_visible IS
'Identity strings that are sent, since they stand in code.';

CREATE VIEW findings AS
SELECT
    p.run,
    f.pass_id,
    p.judge_name AS judge,
    j.arm,
    j.item,
    j.repeat,
    f.criterion,
    f.entry,
    f.evidence,
    f.found_by,
    f.standing,
    f.path,
    f.first_line,
    f.last_line,
    f.excerpt,
    f.why,
    f.note,
    f.key
FROM finding_rows AS f
INNER JOIN judgments AS j ON f.pass_id = j.pass_id AND f.key = j.key AND f.label = j.label
INNER JOIN passes AS p ON f.pass_id = p.pass_id
WHERE j.current;
COMMENT ON VIEW findings IS
'Public: every fault that was reported in a project, with the outcome of its check.';
COMMENT ON COLUMN findings.run IS 'Name of the run.';
COMMENT ON COLUMN findings.pass_id IS 'Id of the pass.';
COMMENT ON COLUMN findings.judge IS 'Name of the judge.';
COMMENT ON COLUMN findings.arm IS 'Id of the arm.';
COMMENT ON COLUMN findings.item IS 'Id of the item.';
COMMENT ON COLUMN findings.repeat IS 'Which judging of the project, from 1.';
COMMENT ON COLUMN findings.criterion IS 'Id of the criterion.';
COMMENT ON COLUMN findings.entry IS 'Id in the catalogue, or other.';
COMMENT ON COLUMN findings.evidence IS 'present or absent.';
COMMENT ON COLUMN findings.found_by IS 'judge or code.';
COMMENT ON COLUMN findings.standing IS
'supported, unsupported or unverified; only the first costs.';
COMMENT ON COLUMN findings.path IS 'File in which the passage stands.';
COMMENT ON COLUMN findings.first_line IS 'First line of the passage.';
COMMENT ON COLUMN findings.last_line IS 'Last line of the passage.';
COMMENT ON COLUMN findings.excerpt IS 'The passage as the judge gave it.';
COMMENT ON COLUMN findings.why IS 'The judge''s words.';
COMMENT ON COLUMN findings.note IS 'What the check searched and found.';
COMMENT ON COLUMN findings.key IS 'Key of the request.';
