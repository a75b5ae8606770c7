-- human_files: files of marks by people of a run, those that were taken back too.
-- Needs: $run VARCHAR.
-- Gives: sha256, name, blind, scale_low, scale_high, identified, raters, marks, blanks,
--        taken_at, withdrawn_at (NULL while its marks count).
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
    taken_at,
    withdrawn_at
FROM human_files
WHERE run = $run
ORDER BY taken_at, sha256
