-- put_pass: a pass with its identity; a repeat changes only name, sums, choices and controls.
-- Needs: the columns of passes, each as a parameter of its name.
-- Gives: nothing.
INSERT INTO passes BY NAME
SELECT
    $pass_id AS pass_id,
    $run AS run,
    $ordinal AS ordinal,
    $judge_sha256 AS judge_sha256,
    $judge_name AS judge_name,
    $judge_model AS judge_model,
    $rubric_name AS rubric_name,
    $rubric_version AS rubric_version,
    $ask_sha256 AS ask_sha256,
    $sum_sha256 AS sum_sha256,
    $prompt_version AS prompt_version,
    $mode AS mode,
    $blinding AS blinding,
    $seed AS seed,
    $repeats AS repeats,
    $route AS route,
    $split_criteria AS split_criteria,
    $first_items AS first_items,
    $recording AS recording,
    $recorded_at AS recorded_at,
    $settled AS settled,
    $choices AS choices,
    $started_at AS started_at,
    $finished_at AS finished_at,
    $content_sha256 AS content_sha256,
    $state AS state,
    $price_source AS price_source,
    $controls AS controls,
    $turns AS turns
ON CONFLICT (pass_id) DO UPDATE SET
    judge_name = excluded.judge_name,
    rubric_name = excluded.rubric_name,
    rubric_version = excluded.rubric_version,
    sum_sha256 = excluded.sum_sha256,
    repeats = excluded.repeats,
    choices = excluded.choices,
    controls = excluded.controls
