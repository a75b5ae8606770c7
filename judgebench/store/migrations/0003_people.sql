-- 0003_people: files of marks by people, draws, splits, and what was shown when.

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
    pass_id VARCHAR NOT NULL,
    rubric_name VARCHAR NOT NULL,
    ask_sha256 VARCHAR NOT NULL,
    split VARCHAR NOT NULL,
    labels BIGINT NOT NULL,
    shown_at VARCHAR NOT NULL,
    PRIMARY KEY (run, pass_id, split)
);
COMMENT ON TABLE looks IS
'Marks by people as first shown beside a judge: what came later may rest on it.';
COMMENT ON COLUMN looks.run IS 'Name of the run.';
COMMENT ON COLUMN looks.pass_id IS 'Pass that they were shown beside.';
COMMENT ON COLUMN looks.rubric_name IS 'Name of its rubric.';
COMMENT ON COLUMN looks.ask_sha256 IS 'Hash of what the judge was shown.';
COMMENT ON COLUMN looks.split IS 'all, tune or report.';
COMMENT ON COLUMN looks.labels IS 'Marks that were shown.';
COMMENT ON COLUMN looks.shown_at IS 'When first, ISO 8601 in UTC.';
