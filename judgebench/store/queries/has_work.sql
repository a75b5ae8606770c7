-- has_work: whether anything was asked or marked yet, by which the file is worth keeping.
-- Needs: nothing.
-- Gives: one row: found.
SELECT
    EXISTS (FROM sends)
    OR EXISTS (FROM judgments)
    OR EXISTS (FROM given_marks)
    OR EXISTS (FROM contrast_answers) AS found
