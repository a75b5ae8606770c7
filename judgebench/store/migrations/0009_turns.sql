-- 0009_turns: a judge that reads a project with tools, turn by turn.

ALTER TABLE passes ADD COLUMN turns INTEGER;
COMMENT ON COLUMN passes.turns IS
'Replies at most of a judge that reads with tools; NULL where it has none.';

COMMENT ON COLUMN sends.user_text IS
'What is new in the request: the user message, or the answers of tools as JSON.';

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
