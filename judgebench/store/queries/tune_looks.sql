-- tune_looks: every look at labels while a rubric was tuned.
-- Needs: $run VARCHAR.
-- Gives: look, what, split, base_pass, pass_id (or NULL), rubric_name, ask_sha256,
--        sum_sha256, labels, shown_at.
SELECT
    look,
    what,
    split,
    base_pass,
    pass_id,
    rubric_name,
    ask_sha256,
    sum_sha256,
    labels,
    shown_at
FROM tune_looks
WHERE run = $run
ORDER BY look
