-- put_contrast_pass: a question in what outputs differ; a repeat changes what may change.
-- Needs: the columns of contrast_passes but settled, each as a parameter of its name.
-- Gives: nothing.
INSERT INTO contrast_passes BY NAME
SELECT
    $pass_id AS pass_id,
    $run AS run,
    $judge_sha256 AS judge_sha256,
    $judge_name AS judge_name,
    $judge_model AS judge_model,
    $prompt_version AS prompt_version,
    $blinding AS blinding,
    $seed AS seed,
    $route AS route,
    $recording AS recording,
    $recorded_at AS recorded_at,
    $settled AS settled,
    $left_out AS left_out,
    $not_drawn AS not_drawn,
    $started_at AS started_at
ON CONFLICT (pass_id) DO UPDATE SET
    judge_name = excluded.judge_name,
    left_out = excluded.left_out,
    not_drawn = excluded.not_drawn,
    started_at = excluded.started_at
