-- schema: every table and view of judgments.duckdb, as a new file gets it.
-- migrations/ leads an old file to the same; a test holds the two equal.
-- The views at the end are public: ratings, marks, findings, blocked, costs, calls. Tables
-- may change with a version. Requests and replies are kept under zstd (which the linter
-- cannot read): half the file, and half the work of a checkpoint.

CREATE TABLE schema_version (
    name VARCHAR NOT NULL PRIMARY KEY,
    applied_at VARCHAR NOT NULL
);
COMMENT ON TABLE schema_version IS 'Migrations that this file has seen.';
COMMENT ON COLUMN schema_version.name IS 'File name of the migration without its ending.';
COMMENT ON COLUMN schema_version.applied_at IS 'When it was applied, ISO 8601 in UTC.';

CREATE TABLE runs (
    run VARCHAR NOT NULL PRIMARY KEY,
    content_sha256 VARCHAR NOT NULL,
    use_case VARCHAR,
    facts VARCHAR NOT NULL,
    updated_at VARCHAR NOT NULL
);
COMMENT ON TABLE runs IS 'Run folders, as they were last read.';
COMMENT ON COLUMN runs.run IS 'Name of the run folder.';
COMMENT ON COLUMN runs.content_sha256 IS 'Hash over all of the folder that matters.';
COMMENT ON COLUMN runs.use_case IS 'Key of the use case.';
COMMENT ON COLUMN runs.facts IS 'Settings, arms and notes of the run as canonical JSON.';
COMMENT ON COLUMN runs.updated_at IS 'When the folder was last read, ISO 8601 in UTC.';

CREATE TABLE arms (
    run VARCHAR NOT NULL,
    arm VARCHAR NOT NULL,
    position INTEGER NOT NULL,
    provider VARCHAR,
    model VARCHAR,
    harness VARCHAR,
    kind VARCHAR NOT NULL,
    note VARCHAR NOT NULL,
    PRIMARY KEY (run, arm)
);
COMMENT ON TABLE arms IS 'Who answered: one row an arm of a run.';
COMMENT ON COLUMN arms.run IS 'Name of the run.';
COMMENT ON COLUMN arms.arm IS 'Id of the arm.';
COMMENT ON COLUMN arms.position IS 'Place in the run, from 0; the arm code of the columns.';
COMMENT ON COLUMN arms.provider IS 'Provider; NULL where unknown.';
COMMENT ON COLUMN arms.model IS 'Model; NULL where unknown.';
COMMENT ON COLUMN arms.harness IS 'Program around the model; NULL where unknown.';
COMMENT ON COLUMN arms.kind IS 'api or cli.';
COMMENT ON COLUMN arms.note IS 'Condition under which it answered, in words.';

CREATE TABLE items (
    run VARCHAR NOT NULL,
    item VARCHAR NOT NULL,
    position INTEGER NOT NULL,
    sha256 VARCHAR NOT NULL,
    has_evidence BOOLEAN NOT NULL,
    has_reference BOOLEAN NOT NULL,
    ambiguous BOOLEAN NOT NULL,
    chars BIGINT NOT NULL,
    PRIMARY KEY (run, item)
);
COMMENT ON TABLE items IS 'Prompts of a run, without their texts.';
COMMENT ON COLUMN items.run IS 'Name of the run.';
COMMENT ON COLUMN items.item IS 'Id of the item.';
COMMENT ON COLUMN items.position IS 'Place in the run, from 0; the item code of the columns.';
COMMENT ON COLUMN items.sha256 IS 'Hash over prompt, evidence and reference.';
COMMENT ON COLUMN items.has_evidence IS 'Evidence is supplied with it.';
COMMENT ON COLUMN items.has_reference IS 'A reference answer is supplied with it.';
COMMENT ON COLUMN items.ambiguous IS 'The run declares an ambiguity for it.';
COMMENT ON COLUMN items.chars IS 'Characters of prompt and evidence.';

CREATE TABLE outputs (
    run VARCHAR NOT NULL,
    arm VARCHAR NOT NULL,
    item VARCHAR NOT NULL,
    sha256 VARCHAR NOT NULL,
    sent_sha256 VARCHAR,
    chars BIGINT,
    path VARCHAR NOT NULL,
    byte_offset BIGINT,
    blocked VARCHAR,
    blocks VARCHAR NOT NULL,
    flags VARCHAR NOT NULL,
    masked INTEGER NOT NULL,
    finish_reason VARCHAR,
    prompt_tokens BIGINT,
    completion_tokens BIGINT,
    reasoning_tokens BIGINT,
    wall_s DOUBLE,
    cost_usd DOUBLE,
    current BOOLEAN NOT NULL,
    PRIMARY KEY (run, arm, item)
);
COMMENT ON TABLE outputs IS 'What the arms returned: record and checks, without the texts.';
COMMENT ON COLUMN outputs.run IS 'Name of the run.';
COMMENT ON COLUMN outputs.arm IS 'Id of the arm.';
COMMENT ON COLUMN outputs.item IS 'Id of the item.';
COMMENT ON COLUMN outputs.sha256 IS 'Hash of the bytes as delivered.';
COMMENT ON COLUMN outputs.sent_sha256 IS 'Hash of the text as sent; NULL where blocked.';
COMMENT ON COLUMN outputs.chars IS 'Characters of the answer; NULL where there is none.';
COMMENT ON COLUMN outputs.path IS 'File, relative to the run folder.';
COMMENT ON COLUMN outputs.byte_offset IS 'Byte where its line begins in a table; NULL for a file.';
COMMENT ON COLUMN outputs.blocked IS 'First reason that blocks it; NULL where it may be judged.';
COMMENT ON COLUMN outputs.blocks IS 'All reasons with their messages, JSON.';
COMMENT ON COLUMN outputs.flags IS 'What is remarkable but does not block, JSON list.';
COMMENT ON COLUMN outputs.masked IS 'Identity strings masked or flagged.';
COMMENT ON COLUMN outputs.finish_reason IS 'As the provider gave it; NULL where unknown.';
COMMENT ON COLUMN outputs.prompt_tokens IS 'As reported; NULL where unknown.';
COMMENT ON COLUMN outputs.completion_tokens IS 'As reported; NULL where unknown.';
COMMENT ON COLUMN outputs.reasoning_tokens IS 'As reported; NULL where unknown.';
COMMENT ON COLUMN outputs.wall_s IS 'Seconds that the answer took; NULL where unknown.';
COMMENT ON COLUMN outputs.cost_usd IS 'Cost of the answer; NULL where unknown.';
COMMENT ON COLUMN outputs.current IS 'The run folder still holds it.';

CREATE TABLE rubrics (
    ask_sha256 VARCHAR NOT NULL,
    sum_sha256 VARCHAR NOT NULL,
    name VARCHAR NOT NULL,
    version VARCHAR NOT NULL,
    source VARCHAR NOT NULL,
    PRIMARY KEY (ask_sha256, sum_sha256)
);
COMMENT ON TABLE rubrics IS 'Rubrics as they were scored with.';
COMMENT ON COLUMN rubrics.ask_sha256 IS 'Hash of what the judge is shown.';
COMMENT ON COLUMN rubrics.sum_sha256 IS 'Hash of what code does with the marks.';
COMMENT ON COLUMN rubrics.name IS 'Name of the rubric.';
COMMENT ON COLUMN rubrics.version IS 'Its version, as written in the file.';
COMMENT ON COLUMN rubrics.source IS 'The text of the file.';

CREATE TABLE judges (
    sha256 VARCHAR NOT NULL PRIMARY KEY,
    name VARCHAR NOT NULL,
    model VARCHAR NOT NULL,
    facts VARCHAR NOT NULL
);
COMMENT ON TABLE judges IS 'Judges by identity: model, endpoint, parameters, mode.';
COMMENT ON COLUMN judges.sha256 IS 'Identity of the judge.';
COMMENT ON COLUMN judges.name IS 'As the user named it.';
COMMENT ON COLUMN judges.model IS 'Model name as sent.';
COMMENT ON COLUMN judges.facts IS 'What makes the identity, JSON, never a key.';

CREATE TABLE passes (
    pass_id VARCHAR NOT NULL PRIMARY KEY,
    run VARCHAR NOT NULL,
    ordinal INTEGER NOT NULL,
    judge_sha256 VARCHAR NOT NULL,
    judge_name VARCHAR NOT NULL,
    judge_model VARCHAR NOT NULL,
    rubric_name VARCHAR NOT NULL,
    rubric_version VARCHAR NOT NULL,
    ask_sha256 VARCHAR NOT NULL,
    sum_sha256 VARCHAR NOT NULL,
    prompt_version VARCHAR NOT NULL,
    mode VARCHAR NOT NULL,
    blinding VARCHAR NOT NULL,
    seed BIGINT NOT NULL,
    repeats INTEGER NOT NULL,
    route VARCHAR NOT NULL,
    split_criteria BOOLEAN NOT NULL,
    first_items INTEGER NOT NULL,
    recording VARCHAR,
    recorded_at VARCHAR,
    settled VARCHAR,
    choices VARCHAR NOT NULL,
    started_at VARCHAR NOT NULL,
    finished_at VARCHAR,
    content_sha256 VARCHAR,
    state VARCHAR NOT NULL,
    price_source VARCHAR,
    controls INTEGER,
    turns INTEGER
);
COMMENT ON TABLE passes IS 'Blind judgings of a run by one judge under one rubric.';
COMMENT ON COLUMN passes.pass_id IS 'Id of the pass.';
COMMENT ON COLUMN passes.run IS 'Name of the run.';
COMMENT ON COLUMN passes.ordinal IS 'First, second … pass on the run.';
COMMENT ON COLUMN passes.judge_sha256 IS 'Identity of the judge.';
COMMENT ON COLUMN passes.judge_name IS 'As the user named it.';
COMMENT ON COLUMN passes.judge_model IS 'Model name as sent.';
COMMENT ON COLUMN passes.rubric_name IS 'Name of the rubric.';
COMMENT ON COLUMN passes.rubric_version IS 'Its version.';
COMMENT ON COLUMN passes.ask_sha256 IS 'Hash of what the judge is shown.';
COMMENT ON COLUMN passes.sum_sha256 IS 'Hash of the sums that the totals were made with.';
COMMENT ON COLUMN passes.prompt_version IS 'Hash of the prompt templates.';
COMMENT ON COLUMN passes.mode IS 'pointwise, listwise or pairwise.';
COMMENT ON COLUMN passes.blinding IS 'mask, flag or strict.';
COMMENT ON COLUMN passes.seed IS 'Seed of order, labels and frames.';
COMMENT ON COLUMN passes.repeats IS 'Judgings of each cell that count.';
COMMENT ON COLUMN passes.route IS
'live, batch or replay; marks or people where marks were imported.';
COMMENT ON COLUMN passes.split_criteria IS 'Each criterion was asked for by itself.';
COMMENT ON COLUMN passes.first_items IS 'Items that the first plan had.';
COMMENT ON COLUMN passes.recording IS 'File that was replayed; NULL where none.';
COMMENT ON COLUMN passes.recorded_at IS 'When that recording was made.';
COMMENT ON COLUMN passes.settled IS 'Mode and parameters really sent, canonical JSON.';
COMMENT ON COLUMN passes.choices IS 'How judgments are read where not by default, JSON.';
COMMENT ON COLUMN passes.started_at IS 'First start, ISO 8601 in UTC.';
COMMENT ON COLUMN passes.finished_at IS 'When its plan was last complete; NULL while it is not.';
COMMENT ON COLUMN passes.content_sha256 IS 'Content of the run for which the plan was complete.';
COMMENT ON COLUMN passes.state IS 'open or complete.';
COMMENT ON COLUMN passes.price_source IS 'Where the price of its calls is from; NULL if unknown.';
COMMENT ON COLUMN passes.controls IS 'Controls that were asked for; NULL: by the rule.';
COMMENT ON COLUMN passes.turns IS
'Replies at most of a judge that reads with tools; NULL where it has none.';

CREATE TABLE prompts (
    sha256 VARCHAR NOT NULL PRIMARY KEY,
    text VARCHAR NOT NULL
);
COMMENT ON TABLE prompts IS 'System prompts, which many requests share.';
COMMENT ON COLUMN prompts.sha256 IS 'Hash of the text.';
COMMENT ON COLUMN prompts.text IS 'The text as sent.';

CREATE TABLE requests (
    pass_id VARCHAR NOT NULL,
    key VARCHAR NOT NULL,
    position BIGINT NOT NULL,
    item VARCHAR NOT NULL,
    item_sha256 VARCHAR NOT NULL,
    repeat INTEGER NOT NULL,
    purpose VARCHAR NOT NULL,
    criterion VARCHAR,
    current BOOLEAN NOT NULL,
    PRIMARY KEY (key)
);
COMMENT ON TABLE requests IS 'What a pass plans and sends.';
COMMENT ON COLUMN requests.pass_id IS 'Id of the pass.';
COMMENT ON COLUMN requests.key IS 'Hash over pass, texts in their order, item, repeat.';
COMMENT ON COLUMN requests.position IS 'Place in the shuffled queue.';
COMMENT ON COLUMN requests.item IS 'Id of the item.';
COMMENT ON COLUMN requests.item_sha256 IS 'Hash of the item when it was planned.';
COMMENT ON COLUMN requests.repeat IS 'Which judging of its cells, from 1.';
COMMENT ON COLUMN requests.purpose IS
'main counts towards ratings; noise, drift and control do not.';
COMMENT ON COLUMN requests.criterion IS 'The one criterion asked for; NULL where all are.';
COMMENT ON COLUMN requests.current IS 'In the plan; false where a text has changed since.';

CREATE TABLE parts (
    pass_id VARCHAR NOT NULL,
    key VARCHAR NOT NULL,
    ordinal INTEGER NOT NULL,
    label VARCHAR NOT NULL,
    arm VARCHAR NOT NULL,
    output_sha256 VARCHAR NOT NULL,
    sent_sha256 VARCHAR NOT NULL
);
COMMENT ON TABLE parts IS 'The outputs inside a request, in the order shown: the key label to arm.';
COMMENT ON COLUMN parts.pass_id IS 'Id of the pass.';
COMMENT ON COLUMN parts.key IS 'Key of the request.';
COMMENT ON COLUMN parts.ordinal IS 'Place inside the request, from 0.';
COMMENT ON COLUMN parts.label IS 'Neutral name shown to the judge.';
COMMENT ON COLUMN parts.arm IS 'Id of the arm, or of a control.';
COMMENT ON COLUMN parts.output_sha256 IS 'Hash of the output as delivered.';
COMMENT ON COLUMN parts.sent_sha256 IS 'Hash of the text as sent.';

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

CREATE TABLE sends ( -- noqa: PRS
    pass_id VARCHAR NOT NULL,
    key VARCHAR NOT NULL,
    attempt INTEGER NOT NULL,
    sent_at DOUBLE NOT NULL,
    request_sha256 VARCHAR NOT NULL,
    system_sha256 VARCHAR NOT NULL,
    user_text VARCHAR NOT NULL USING COMPRESSION zstd,
    PRIMARY KEY (key, attempt)
);
COMMENT ON TABLE sends IS 'Intentions: written before a call goes out.';
COMMENT ON COLUMN sends.pass_id IS 'Id of the pass.';
COMMENT ON COLUMN sends.key IS 'Key of the request.';
COMMENT ON COLUMN sends.attempt IS 'Call of this request, counted from 1 over all starts.';
COMMENT ON COLUMN sends.sent_at IS 'Seconds since 1970.';
COMMENT ON COLUMN sends.request_sha256 IS 'Hash of the rendered request.';
COMMENT ON COLUMN sends.system_sha256 IS 'Hash of the system prompt.';
COMMENT ON COLUMN sends.user_text IS
'What is new in the request: the user message, or the answers of tools as JSON.';

CREATE TABLE replies ( -- noqa: PRS
    pass_id VARCHAR NOT NULL,
    key VARCHAR NOT NULL,
    attempt INTEGER NOT NULL,
    received_at DOUBLE NOT NULL,
    outcome VARCHAR NOT NULL,
    status INTEGER,
    body VARCHAR NOT NULL USING COMPRESSION zstd,
    error VARCHAR NOT NULL,
    elapsed_s DOUBLE NOT NULL,
    PRIMARY KEY (key, attempt)
);
COMMENT ON TABLE replies IS 'What came back for a call, written before anybody looked at it.';
COMMENT ON COLUMN replies.pass_id IS 'Id of the pass.';
COMMENT ON COLUMN replies.key IS 'Key of the request.';
COMMENT ON COLUMN replies.attempt IS 'Call of this request.';
COMMENT ON COLUMN replies.received_at IS 'Seconds since 1970.';
COMMENT ON COLUMN replies.outcome IS 'received, timeout, connection or unknown.';
COMMENT ON COLUMN replies.status IS 'HTTP status; NULL where no answer came.';
COMMENT ON COLUMN replies.body IS 'The body as received; lone surrogates as escapes.';
COMMENT ON COLUMN replies.error IS 'What the connection said; empty where nothing.';
COMMENT ON COLUMN replies.elapsed_s IS 'Seconds from sending to the end of the answer.';

CREATE TABLE turns ( -- noqa: PRS
    pass_id VARCHAR NOT NULL,
    key VARCHAR NOT NULL,
    number INTEGER NOT NULL,
    attempt INTEGER NOT NULL,
    answers VARCHAR NOT NULL USING COMPRESSION zstd,
    PRIMARY KEY (key, number)
);
COMMENT ON TABLE turns IS
'Replies in which a judge asked for more of a project than it was shown, in place of a report.';
COMMENT ON COLUMN turns.pass_id IS 'Id of the pass.';
COMMENT ON COLUMN turns.key IS 'Key of the request.';
COMMENT ON COLUMN turns.number IS 'Turn of the conversation, from 1.';
COMMENT ON COLUMN turns.attempt IS 'Call of this request that brought the reply.';
COMMENT ON COLUMN turns.answers IS
'Tool calls with what came of them, JSON list: name, arguments, said, read (path, lines) of each.';

CREATE TABLE judgments (
    pass_id VARCHAR NOT NULL,
    key VARCHAR NOT NULL,
    label VARCHAR NOT NULL,
    arm VARCHAR NOT NULL,
    item VARCHAR NOT NULL,
    repeat INTEGER NOT NULL,
    purpose VARCHAR NOT NULL,
    criterion VARCHAR,
    current BOOLEAN NOT NULL,
    status VARCHAR NOT NULL,
    reason VARCHAR,
    message VARCHAR,
    total DOUBLE,
    uncapped DOUBLE,
    fired VARCHAR NOT NULL,
    tier VARCHAR,
    reweighted BOOLEAN NOT NULL,
    calls INTEGER NOT NULL,
    in_doubt INTEGER NOT NULL,
    prompt_tokens BIGINT,
    completion_tokens BIGINT,
    reasoning_tokens BIGINT,
    cost_usd DOUBLE,
    model_answered VARCHAR,
    fingerprint VARCHAR,
    judged_at DOUBLE NOT NULL,
    PRIMARY KEY (key, label)
);
COMMENT ON TABLE judgments IS 'Readings of replies, one row a request and output.';
COMMENT ON COLUMN judgments.pass_id IS 'Id of the pass.';
COMMENT ON COLUMN judgments.key IS 'Key of the request.';
COMMENT ON COLUMN judgments.label IS
'Neutral name shown to the judge; of imported marks, the rater.';
COMMENT ON COLUMN judgments.arm IS 'Id of the arm, or of a control.';
COMMENT ON COLUMN judgments.item IS 'Id of the item.';
COMMENT ON COLUMN judgments.repeat IS 'Which judging of the cell, from 1.';
COMMENT ON COLUMN judgments.purpose IS 'main, noise, drift or control.';
COMMENT ON COLUMN judgments.criterion IS 'The one criterion asked for; NULL where all were.';
COMMENT ON COLUMN judgments.current IS 'The plan still holds its request; else it is superseded.';
COMMENT ON COLUMN judgments.status IS 'ok or blocked.';
COMMENT ON COLUMN judgments.reason IS 'Why it is blocked; NULL where ok.';
COMMENT ON COLUMN judgments.message IS 'The facts that show it.';
COMMENT ON COLUMN judgments.total IS 'Total in scale points; NULL where there is none.';
COMMENT ON COLUMN judgments.uncapped IS 'Total before gates and caps.';
COMMENT ON COLUMN judgments.fired IS 'Gates and caps that held something down, JSON list.';
COMMENT ON COLUMN judgments.tier IS 'Tier of the total; NULL where the rubric has none.';
COMMENT ON COLUMN judgments.reweighted IS 'A criterion did not apply to the item and dropped out.';
COMMENT ON COLUMN judgments.calls IS 'Calls of the whole request.';
COMMENT ON COLUMN judgments.in_doubt IS 'Of these, sent with the answer unknown.';
COMMENT ON COLUMN judgments.prompt_tokens IS 'Of the whole request; NULL where unreported.';
COMMENT ON COLUMN judgments.completion_tokens IS 'Of the whole request; NULL where unreported.';
COMMENT ON COLUMN judgments.reasoning_tokens IS 'Of the whole request; NULL where unreported.';
COMMENT ON COLUMN judgments.cost_usd IS 'Of the whole request; NULL where unknown.';
COMMENT ON COLUMN judgments.model_answered IS 'Model named in the reply.';
COMMENT ON COLUMN judgments.fingerprint IS 'System fingerprint of the provider.';
COMMENT ON COLUMN judgments.judged_at IS 'Seconds since 1970.';

CREATE TABLE earlier_judgments (
    pass_id VARCHAR NOT NULL,
    key VARCHAR NOT NULL,
    label VARCHAR NOT NULL,
    status VARCHAR NOT NULL,
    reason VARCHAR,
    message VARCHAR,
    calls INTEGER NOT NULL,
    in_doubt INTEGER NOT NULL,
    prompt_tokens BIGINT,
    completion_tokens BIGINT,
    reasoning_tokens BIGINT,
    cost_usd DOUBLE,
    judged_at DOUBLE NOT NULL
);
COMMENT ON TABLE earlier_judgments IS
'Judgments whose request was sent again, with what they cost; never part of a figure.';
COMMENT ON COLUMN earlier_judgments.pass_id IS 'Id of the pass.';
COMMENT ON COLUMN earlier_judgments.key IS 'Key of the request.';
COMMENT ON COLUMN earlier_judgments.label IS 'Neutral name shown to the judge.';
COMMENT ON COLUMN earlier_judgments.status IS 'ok or blocked.';
COMMENT ON COLUMN earlier_judgments.reason IS 'Why it was blocked.';
COMMENT ON COLUMN earlier_judgments.message IS 'The facts that showed it.';
COMMENT ON COLUMN earlier_judgments.calls IS 'Calls of the whole request.';
COMMENT ON COLUMN earlier_judgments.in_doubt IS 'Of these, sent with the answer unknown.';
COMMENT ON COLUMN earlier_judgments.prompt_tokens IS 'Of the whole request.';
COMMENT ON COLUMN earlier_judgments.completion_tokens IS 'Of the whole request.';
COMMENT ON COLUMN earlier_judgments.reasoning_tokens IS 'Of the whole request.';
COMMENT ON COLUMN earlier_judgments.cost_usd IS 'Of the whole request.';
COMMENT ON COLUMN earlier_judgments.judged_at IS 'Seconds since 1970.';

CREATE TABLE mark_rows (
    pass_id VARCHAR NOT NULL,
    key VARCHAR NOT NULL,
    label VARCHAR NOT NULL,
    arm VARCHAR NOT NULL,
    item VARCHAR NOT NULL,
    repeat INTEGER NOT NULL,
    purpose VARCHAR NOT NULL,
    current BOOLEAN NOT NULL,
    criterion VARCHAR NOT NULL,
    mark DOUBLE,
    rationale VARCHAR NOT NULL,
    reason VARCHAR,
    unsupported BOOLEAN NOT NULL,
    quotes INTEGER NOT NULL,
    quotes_found INTEGER NOT NULL
);
COMMENT ON TABLE mark_rows IS
'Marks; written and replaced with their judgment in one transaction, which keeps them unique.';
COMMENT ON COLUMN mark_rows.pass_id IS 'Id of the pass.';
COMMENT ON COLUMN mark_rows.key IS 'Key of the request.';
COMMENT ON COLUMN mark_rows.label IS
'Neutral name shown to the judge; of imported marks, the rater.';
COMMENT ON COLUMN mark_rows.arm IS 'Id of the arm, or of a control.';
COMMENT ON COLUMN mark_rows.item IS 'Id of the item.';
COMMENT ON COLUMN mark_rows.repeat IS 'Which judging of the cell, from 1.';
COMMENT ON COLUMN mark_rows.purpose IS 'main, noise, drift or control.';
COMMENT ON COLUMN mark_rows.current IS 'The plan still holds its request.';
COMMENT ON COLUMN mark_rows.criterion IS 'Id of the criterion.';
COMMENT ON COLUMN mark_rows.mark IS 'Scale points; NULL where blocked.';
COMMENT ON COLUMN mark_rows.rationale IS 'The judge''s words.';
COMMENT ON COLUMN mark_rows.reason IS 'Why it is blocked; NULL where there is a mark.';
COMMENT ON COLUMN mark_rows.unsupported IS 'Not all required quotes were found.';
COMMENT ON COLUMN mark_rows.quotes IS 'Quotes given.';
COMMENT ON COLUMN mark_rows.quotes_found IS 'Quotes found in the text they claim to come from.';

CREATE TABLE quote_rows (
    pass_id VARCHAR NOT NULL,
    key VARCHAR NOT NULL,
    label VARCHAR NOT NULL,
    criterion VARCHAR NOT NULL,
    ordinal INTEGER NOT NULL,
    text VARCHAR NOT NULL,
    source VARCHAR NOT NULL,
    start_offset INTEGER,
    end_offset INTEGER
);
COMMENT ON TABLE quote_rows IS 'Words that the judge cites for a mark.';
COMMENT ON COLUMN quote_rows.pass_id IS 'Id of the pass.';
COMMENT ON COLUMN quote_rows.key IS 'Key of the request.';
COMMENT ON COLUMN quote_rows.label IS 'Neutral name shown to the judge.';
COMMENT ON COLUMN quote_rows.criterion IS 'Id of the criterion.';
COMMENT ON COLUMN quote_rows.ordinal IS 'Place in the mark, from 0.';
COMMENT ON COLUMN quote_rows.text IS 'The words as the judge gave them.';
COMMENT ON COLUMN quote_rows.source IS 'answer, prompt, evidence or reference, as claimed; other: of a pair.';
COMMENT ON COLUMN quote_rows.start_offset IS 'Character in the text as sent; NULL where not found.';
COMMENT ON COLUMN quote_rows.end_offset IS 'Character after the last; NULL where not found.';

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

CREATE TABLE human_files (
    run VARCHAR NOT NULL,
    sha256 VARCHAR NOT NULL,
    name VARCHAR NOT NULL,
    blind VARCHAR NOT NULL,
    scale_low DOUBLE NOT NULL,
    scale_high DOUBLE NOT NULL,
    identified BOOLEAN NOT NULL,
    raters INTEGER NOT NULL,
    marks BIGINT NOT NULL,
    blanks BIGINT NOT NULL,
    taken_at VARCHAR NOT NULL,
    withdrawn_at VARCHAR,
    PRIMARY KEY (run, sha256)
);
COMMENT ON TABLE human_files IS 'Files of marks by people that were taken in.';
COMMENT ON COLUMN human_files.run IS 'Name of the run.';
COMMENT ON COLUMN human_files.sha256 IS 'Hash over the file and how it was read.';
COMMENT ON COLUMN human_files.name IS 'Name of the file.';
COMMENT ON COLUMN human_files.blind IS 'Whether people did not see the arms: yes, no or unknown.';
COMMENT ON COLUMN human_files.scale_low IS 'Lowest mark of the scale that people used.';
COMMENT ON COLUMN human_files.scale_high IS 'Highest mark of that scale.';
COMMENT ON COLUMN human_files.identified IS 'A rater is one person throughout; else a place.';
COMMENT ON COLUMN human_files.raters IS 'People in the file.';
COMMENT ON COLUMN human_files.marks IS 'Marks and preferences in the file.';
COMMENT ON COLUMN human_files.blanks IS 'Cells without a mark.';
COMMENT ON COLUMN human_files.taken_at IS 'When it was taken in, ISO 8601 in UTC.';
COMMENT ON COLUMN human_files.withdrawn_at IS
'When its marks were taken back, ISO 8601 in UTC; NULL while they count.';

CREATE TABLE draws (
    run VARCHAR NOT NULL,
    draw VARCHAR NOT NULL,
    position INTEGER NOT NULL,
    item VARCHAR NOT NULL,
    probability DOUBLE NOT NULL,
    arms VARCHAR NOT NULL,
    seed BIGINT NOT NULL,
    drawn_at VARCHAR NOT NULL,
    PRIMARY KEY (run, draw, position)
);
COMMENT ON TABLE draws IS 'Items that were drawn at random for people to mark.';
COMMENT ON COLUMN draws.run IS 'Name of the run.';
COMMENT ON COLUMN draws.draw IS 'Id of the draw.';
COMMENT ON COLUMN draws.position IS 'Place in the draw, from 0: a draw may stop early.';
COMMENT ON COLUMN draws.item IS 'Id of the item.';
COMMENT ON COLUMN draws.probability IS 'Chance that this item had of being drawn.';
COMMENT ON COLUMN draws.arms IS 'Arms to be marked on it, JSON list.';
COMMENT ON COLUMN draws.seed IS 'Seed of the draw.';
COMMENT ON COLUMN draws.drawn_at IS 'When it was drawn, ISO 8601 in UTC.';

CREATE TABLE label_splits (
    run VARCHAR NOT NULL,
    item VARCHAR NOT NULL,
    split VARCHAR NOT NULL,
    assigned_at VARCHAR NOT NULL,
    PRIMARY KEY (run, item)
);
COMMENT ON TABLE label_splits IS
'Items whose marks by people serve for tuning a rubric, or for reporting; all where none is split.';
COMMENT ON COLUMN label_splits.run IS 'Name of the run.';
COMMENT ON COLUMN label_splits.item IS 'Id of the item.';
COMMENT ON COLUMN label_splits.split IS 'tune or report.';
COMMENT ON COLUMN label_splits.assigned_at IS 'When it was assigned, ISO 8601 in UTC.';

CREATE TABLE looks (
    run VARCHAR NOT NULL,
    look INTEGER NOT NULL,
    pass_id VARCHAR NOT NULL,
    rubric_name VARCHAR NOT NULL,
    ask_sha256 VARCHAR NOT NULL,
    split VARCHAR NOT NULL,
    labels BIGINT NOT NULL,
    shown_at VARCHAR NOT NULL,
    PRIMARY KEY (run, look)
);
COMMENT ON TABLE looks IS
'Every time that marks by people were shown beside a judge: what came later may rest on it.';
COMMENT ON COLUMN looks.run IS 'Name of the run.';
COMMENT ON COLUMN looks.look IS 'Number of the look in the run, from 1.';
COMMENT ON COLUMN looks.pass_id IS 'Pass that they were shown beside.';
COMMENT ON COLUMN looks.rubric_name IS 'Name of its rubric.';
COMMENT ON COLUMN looks.ask_sha256 IS 'Hash of what the judge was shown.';
COMMENT ON COLUMN looks.split IS 'all, tune or report.';
COMMENT ON COLUMN looks.labels IS 'Marks that were shown.';
COMMENT ON COLUMN looks.shown_at IS 'When, ISO 8601 in UTC.';

CREATE TABLE given_marks (
    run VARCHAR NOT NULL,
    entry BIGINT NOT NULL,
    file VARCHAR NOT NULL,
    item VARCHAR NOT NULL,
    arm VARCHAR NOT NULL,
    other VARCHAR NOT NULL,
    criterion VARCHAR NOT NULL,
    rater VARCHAR NOT NULL,
    mark DOUBLE,
    given_at VARCHAR NOT NULL,
    withdrawn_at VARCHAR,
    PRIMARY KEY (run, entry)
);
COMMENT ON TABLE given_marks IS
'Every mark that people gave with the file it came from; what was taken back stays with its time.';
COMMENT ON COLUMN given_marks.run IS 'Name of the run.';
COMMENT ON COLUMN given_marks.entry IS 'Number of the entry in the run, from 0.';
COMMENT ON COLUMN given_marks.file IS 'Hash of the file in human_files.';
COMMENT ON COLUMN given_marks.item IS 'Id of the item.';
COMMENT ON COLUMN given_marks.arm IS 'Id of the arm; of a comparison, the first.';
COMMENT ON COLUMN given_marks.other IS 'Of a comparison, the second arm; else empty.';
COMMENT ON COLUMN given_marks.criterion IS 'Id of the criterion, overall or preference.';
COMMENT ON COLUMN given_marks.rater IS 'Who gave it.';
COMMENT ON COLUMN given_marks.mark IS
'Scale points; of a comparison, the share of the first; NULL for cannot judge.';
COMMENT ON COLUMN given_marks.given_at IS 'When it was taken in, ISO 8601 in UTC.';
COMMENT ON COLUMN given_marks.withdrawn_at IS
'When it was taken back or given anew, ISO 8601 in UTC; NULL while it counts.';

CREATE TABLE packet_draws (
    run VARCHAR NOT NULL,
    draw VARCHAR NOT NULL,
    position INTEGER NOT NULL,
    item VARCHAR NOT NULL,
    arm VARCHAR NOT NULL,
    stratum INTEGER NOT NULL,
    probability DOUBLE NOT NULL,
    population BIGINT NOT NULL,
    chosen BOOLEAN NOT NULL,
    seed BIGINT NOT NULL,
    drawn_at VARCHAR NOT NULL,
    PRIMARY KEY (run, draw, position)
);
COMMENT ON TABLE packet_draws IS
'Draws of single answers for people to mark: all answers that could have been drawn.';
COMMENT ON COLUMN packet_draws.run IS 'Name of the run.';
COMMENT ON COLUMN packet_draws.draw IS 'Id of the draw.';
COMMENT ON COLUMN packet_draws.position IS 'Place in the draw, from 0; those not drawn come last.';
COMMENT ON COLUMN packet_draws.item IS 'Id of the item.';
COMMENT ON COLUMN packet_draws.arm IS 'Id of the arm.';
COMMENT ON COLUMN packet_draws.stratum IS 'Third of the arm''s totals by the judge, from 0.';
COMMENT ON COLUMN packet_draws.probability IS 'Chance that this answer had of being drawn.';
COMMENT ON COLUMN packet_draws.population IS 'Answers in its stratum of its arm.';
COMMENT ON COLUMN packet_draws.chosen IS 'It was drawn.';
COMMENT ON COLUMN packet_draws.seed IS 'Seed of the draw.';
COMMENT ON COLUMN packet_draws.drawn_at IS 'When it was drawn, ISO 8601 in UTC.';

CREATE TABLE tunings (
    run VARCHAR NOT NULL PRIMARY KEY,
    share DOUBLE NOT NULL,
    split_at VARCHAR NOT NULL,
    shown VARCHAR NOT NULL
);
COMMENT ON TABLE tunings IS
'When the labels of a run were split, and what had been shown beside a judge by then.';
COMMENT ON COLUMN tunings.run IS 'Name of the run.';
COMMENT ON COLUMN tunings.share IS 'Share of the items that was asked for.';
COMMENT ON COLUMN tunings.split_at IS 'When they were split, ISO 8601 in UTC.';
COMMENT ON COLUMN tunings.shown IS 'Rows of looks at that time, JSON list.';

CREATE TABLE tune_looks (
    run VARCHAR NOT NULL,
    look INTEGER NOT NULL,
    what VARCHAR NOT NULL,
    split VARCHAR NOT NULL,
    base_pass VARCHAR NOT NULL,
    pass_id VARCHAR,
    rubric_name VARCHAR NOT NULL,
    ask_sha256 VARCHAR NOT NULL,
    sum_sha256 VARCHAR NOT NULL,
    labels BIGINT NOT NULL,
    shown_at VARCHAR NOT NULL,
    PRIMARY KEY (run, look)
);
COMMENT ON TABLE tune_looks IS 'Every look at labels while a rubric was tuned, in order.';
COMMENT ON COLUMN tune_looks.run IS 'Name of the run.';
COMMENT ON COLUMN tune_looks.look IS 'Number of the look in the run, from 1.';
COMMENT ON COLUMN tune_looks.what IS 'answers, versions or report: what was shown.';
COMMENT ON COLUMN tune_looks.split IS 'tune or report.';
COMMENT ON COLUMN tune_looks.base_pass IS 'Pass that versions are held against.';
COMMENT ON COLUMN tune_looks.pass_id IS 'Pass of the version; NULL where the base alone was shown.';
COMMENT ON COLUMN tune_looks.rubric_name IS 'Name of the rubric that was shown.';
COMMENT ON COLUMN tune_looks.ask_sha256 IS 'Hash of what its judge was shown.';
COMMENT ON COLUMN tune_looks.sum_sha256 IS 'Hash of what code does with its marks.';
COMMENT ON COLUMN tune_looks.labels IS 'Marks by people that were shown.';
COMMENT ON COLUMN tune_looks.shown_at IS 'When, ISO 8601 in UTC.';

CREATE TABLE contrast_passes (
    pass_id VARCHAR NOT NULL PRIMARY KEY,
    run VARCHAR NOT NULL,
    judge_sha256 VARCHAR NOT NULL,
    judge_name VARCHAR NOT NULL,
    judge_model VARCHAR NOT NULL,
    prompt_version VARCHAR NOT NULL,
    blinding VARCHAR NOT NULL,
    seed BIGINT NOT NULL,
    route VARCHAR NOT NULL,
    recording VARCHAR,
    recorded_at VARCHAR,
    settled VARCHAR,
    left_out INTEGER NOT NULL,
    not_drawn INTEGER NOT NULL,
    started_at VARCHAR NOT NULL
);
COMMENT ON TABLE contrast_passes IS
'Blind questions in what the outputs of a run differ in kind, by one judge; no part of a rating.';
COMMENT ON COLUMN contrast_passes.pass_id IS 'Its id, which its calls carry too.';
COMMENT ON COLUMN contrast_passes.run IS 'Name of the run.';
COMMENT ON COLUMN contrast_passes.judge_sha256 IS 'Identity of the judge.';
COMMENT ON COLUMN contrast_passes.judge_name IS 'As the user named it.';
COMMENT ON COLUMN contrast_passes.judge_model IS 'Model name as sent.';
COMMENT ON COLUMN contrast_passes.prompt_version IS 'Hash of templates, kinds and reply.';
COMMENT ON COLUMN contrast_passes.blinding IS 'mask, flag or strict.';
COMMENT ON COLUMN contrast_passes.seed IS 'Seed of draw, order, labels and frames.';
COMMENT ON COLUMN contrast_passes.route IS 'live or replay.';
COMMENT ON COLUMN contrast_passes.recording IS 'File that was replayed; NULL where none.';
COMMENT ON COLUMN contrast_passes.recorded_at IS 'When that recording was made.';
COMMENT ON COLUMN contrast_passes.settled IS 'Mode and parameters really sent, canonical JSON.';
COMMENT ON COLUMN contrast_passes.left_out IS
'Items with fewer than two outputs that may be compared.';
COMMENT ON COLUMN contrast_passes.not_drawn IS 'Items that could be compared and were not drawn.';
COMMENT ON COLUMN contrast_passes.started_at IS 'Last start, ISO 8601 in UTC.';

CREATE TABLE contrast_requests (
    pass_id VARCHAR NOT NULL,
    key VARCHAR NOT NULL PRIMARY KEY,
    position BIGINT NOT NULL,
    item VARCHAR NOT NULL,
    item_sha256 VARCHAR NOT NULL,
    parts VARCHAR NOT NULL,
    current BOOLEAN NOT NULL
);
COMMENT ON TABLE contrast_requests IS 'What is asked: all comparable outputs of one item.';
COMMENT ON COLUMN contrast_requests.pass_id IS 'Id in contrast_passes.';
COMMENT ON COLUMN contrast_requests.key IS 'Hash over pass, item, texts in their order.';
COMMENT ON COLUMN contrast_requests.position IS 'Place in the shuffled queue.';
COMMENT ON COLUMN contrast_requests.item IS 'Id of the item.';
COMMENT ON COLUMN contrast_requests.item_sha256 IS 'Hash of the item when it was planned.';
COMMENT ON COLUMN contrast_requests.parts IS
'The outputs in the order shown, JSON: label, arm, output_sha256, sent_sha256 of each.';
COMMENT ON COLUMN contrast_requests.current IS 'In the plan; false where a text has changed since.';

CREATE TABLE contrast_answers ( -- noqa: PRS
    pass_id VARCHAR NOT NULL,
    key VARCHAR NOT NULL PRIMARY KEY,
    calls INTEGER NOT NULL,
    in_doubt INTEGER NOT NULL,
    status VARCHAR NOT NULL,
    reason VARCHAR,
    message VARCHAR NOT NULL,
    contrasts VARCHAR NOT NULL USING COMPRESSION zstd,
    prompt_tokens BIGINT,
    completion_tokens BIGINT,
    reasoning_tokens BIGINT,
    cost_usd DOUBLE,
    model_answered VARCHAR,
    judged_at DOUBLE NOT NULL
);
COMMENT ON TABLE contrast_answers IS 'What the judge said, quotes checked; by label.';
COMMENT ON COLUMN contrast_answers.pass_id IS 'Id in contrast_passes.';
COMMENT ON COLUMN contrast_answers.key IS 'Key of the request.';
COMMENT ON COLUMN contrast_answers.calls IS 'Calls over all starts.';
COMMENT ON COLUMN contrast_answers.in_doubt IS 'Of these, sent with the answer unknown.';
COMMENT ON COLUMN contrast_answers.status IS 'ok or blocked.';
COMMENT ON COLUMN contrast_answers.reason IS 'Why it is blocked; NULL where it is not.';
COMMENT ON COLUMN contrast_answers.message IS 'The facts that show it.';
COMMENT ON COLUMN contrast_answers.contrasts IS
'Differences in kind, JSON: kind, sides with amount, trait and quotes (by label, found or not).';
COMMENT ON COLUMN contrast_answers.prompt_tokens IS 'Over all calls; NULL where unknown.';
COMMENT ON COLUMN contrast_answers.completion_tokens IS 'Over all calls; NULL where unknown.';
COMMENT ON COLUMN contrast_answers.reasoning_tokens IS 'Over all calls; NULL where unknown.';
COMMENT ON COLUMN contrast_answers.cost_usd IS 'Of the whole request; NULL where unknown.';
COMMENT ON COLUMN contrast_answers.model_answered IS 'Model that the reply names.';
COMMENT ON COLUMN contrast_answers.judged_at IS 'Seconds since 1970.';

CREATE VIEW marks AS
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

CREATE VIEW calls AS
SELECT
    s.pass_id,
    s.key,
    s.attempt,
    s.sent_at,
    s.request_sha256,
    s.system_sha256,
    s.user_text,
    r.received_at,
    r.status,
    r.body,
    r.error,
    r.elapsed_s,
    coalesce(r.outcome, 'intended') AS outcome
FROM sends AS s
LEFT JOIN replies AS r
    ON s.pass_id = r.pass_id AND s.key = r.key AND s.attempt = r.attempt;
COMMENT ON VIEW calls IS 'Public: every call that was meant to go out, with what came back.';
COMMENT ON COLUMN calls.pass_id IS 'Id of the pass.';
COMMENT ON COLUMN calls.key IS 'Key of the request.';
COMMENT ON COLUMN calls.attempt IS 'Call of this request, from 1.';
COMMENT ON COLUMN calls.sent_at IS 'Seconds since 1970.';
COMMENT ON COLUMN calls.request_sha256 IS 'Hash of the rendered request.';
COMMENT ON COLUMN calls.system_sha256 IS 'Hash of the system prompt.';
COMMENT ON COLUMN calls.user_text IS 'The user message as sent.';
COMMENT ON COLUMN calls.received_at IS 'Seconds since 1970; NULL where nothing came.';
COMMENT ON COLUMN calls.status IS 'HTTP status.';
COMMENT ON COLUMN calls.body IS 'The body as received.';
COMMENT ON COLUMN calls.error IS 'What the connection said.';
COMMENT ON COLUMN calls.elapsed_s IS 'Seconds from sending to the end of the answer.';
COMMENT ON COLUMN calls.outcome IS
'received, timeout, connection, unknown; intended where nothing is known (in doubt).';

CREATE VIEW costs AS
WITH spent AS (
    SELECT
        pass_id,
        key,
        judged_at,
        calls,
        in_doubt,
        prompt_tokens,
        completion_tokens,
        reasoning_tokens,
        cost_usd
    FROM judgments
    UNION ALL
    SELECT
        pass_id,
        key,
        judged_at,
        calls,
        in_doubt,
        prompt_tokens,
        completion_tokens,
        reasoning_tokens,
        cost_usd
    FROM earlier_judgments
),

asked AS (
    SELECT
        pass_id,
        key,
        judged_at,
        max(calls) AS calls,
        max(in_doubt) AS in_doubt,
        max(prompt_tokens) AS prompt_tokens,
        max(completion_tokens) AS completion_tokens,
        max(reasoning_tokens) AS reasoning_tokens,
        max(cost_usd) AS cost_usd
    FROM spent
    GROUP BY pass_id, key, judged_at
)

SELECT
    p.run,
    a.pass_id,
    p.judge_name AS judge,
    count(*) AS requests,
    sum(a.calls)::BIGINT AS calls,
    sum(a.in_doubt)::BIGINT AS calls_in_doubt,
    sum(a.prompt_tokens)::BIGINT AS prompt_tokens,
    sum(a.completion_tokens)::BIGINT AS completion_tokens,
    sum(a.reasoning_tokens)::BIGINT AS reasoning_tokens,
    sum(a.cost_usd) AS cost_usd,
    count(*) FILTER (WHERE a.calls > 0 AND a.prompt_tokens IS NULL) AS tokens_unknown,
    count(*) FILTER (WHERE a.calls > 0 AND a.cost_usd IS NULL) AS cost_unknown
FROM asked AS a
INNER JOIN passes AS p ON a.pass_id = p.pass_id
GROUP BY p.run, a.pass_id, p.judge_name;
COMMENT ON VIEW costs IS
'Public: what each pass took over all starts; a shared request counts once.';
COMMENT ON COLUMN costs.run IS 'Name of the run.';
COMMENT ON COLUMN costs.pass_id IS 'Id of the pass.';
COMMENT ON COLUMN costs.judge IS 'Name of the judge.';
COMMENT ON COLUMN costs.requests IS 'Requests answered or given up, superseded ones too.';
COMMENT ON COLUMN costs.calls IS 'Calls to the judge.';
COMMENT ON COLUMN costs.calls_in_doubt IS 'Of these, sent with the answer unknown.';
COMMENT ON COLUMN costs.prompt_tokens IS 'Sum of what was reported.';
COMMENT ON COLUMN costs.completion_tokens IS 'Sum of what was reported.';
COMMENT ON COLUMN costs.reasoning_tokens IS 'Sum of what was reported.';
COMMENT ON COLUMN costs.cost_usd IS 'Sum of what is known.';
COMMENT ON COLUMN costs.tokens_unknown IS 'Requests that were sent without a report of tokens.';
COMMENT ON COLUMN costs.cost_unknown IS 'Requests that were sent and whose cost is unknown.';
