-- 0006_contrasts: in what the outputs of a run differ in kind, as a judge says.
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
