-- 0008_tuning: marks of people by file, draws of single answers, and the loop that tunes a rubric.

ALTER TABLE human_files ADD COLUMN withdrawn_at VARCHAR;
COMMENT ON COLUMN human_files.withdrawn_at IS
'When its marks were taken back, ISO 8601 in UTC; NULL while they count.';

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
