-- put_tune_look: one more look at labels while a rubric is tuned.
-- Needs: the columns of tune_looks but look, each as a parameter of its name.
-- Gives: nothing.
INSERT INTO tune_looks BY NAME
SELECT
    $run AS run,
    (
        SELECT coalesce(max(t.look), 0) + 1 FROM tune_looks AS t
        WHERE t.run = $run
    )::INTEGER AS look,
    $what AS what,
    $split AS split,
    $base_pass AS base_pass,
    $pass_id AS pass_id,
    $rubric_name AS rubric_name,
    $ask_sha256 AS ask_sha256,
    $sum_sha256 AS sum_sha256,
    $labels AS labels,
    $shown_at AS shown_at
