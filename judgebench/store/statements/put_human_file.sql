-- put_human_file: a file of marks by people that was taken in, or what one person gave here
-- so far.
-- Needs: the columns of human_files, each as a parameter of its name.
-- Gives: nothing.
INSERT INTO human_files BY NAME
SELECT
    $run AS run,
    $sha256 AS sha256,
    $name AS name,
    $blind AS blind,
    $scale_low AS scale_low,
    $scale_high AS scale_high,
    $identified AS identified,
    $raters AS raters,
    $marks AS marks,
    $blanks AS blanks,
    $taken_at AS taken_at
ON CONFLICT DO UPDATE SET
    marks = excluded.marks,
    blanks = excluded.blanks,
    withdrawn_at = NULL
