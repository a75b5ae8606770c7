-- 0010_every_look: every look at marks of people is kept, where only the first of each pass was.

ALTER TABLE looks RENAME TO first_looks;

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

INSERT INTO looks BY NAME
SELECT
    run,
    row_number() OVER (
        PARTITION BY run
        ORDER BY shown_at, pass_id, split
    )::INTEGER AS look,
    pass_id,
    rubric_name,
    ask_sha256,
    split,
    labels,
    shown_at
FROM first_looks;

DROP TABLE first_looks;
