-- human_files: files of marks by people of a run.
-- Needs: $run VARCHAR.
-- Gives: sha256, name, blind, scale_low, scale_high, identified, raters, marks, blanks,
--        taken_at.
SELECT
    sha256,
    name,
    blind,
    scale_low,
    scale_high,
    identified,
    raters,
    marks,
    blanks,
    taken_at
FROM human_files
WHERE run = $run
ORDER BY taken_at, sha256
