-- put_look: marks by people were shown beside a pass.
-- Needs: the columns of looks, each as a parameter of its name.
-- Gives: nothing; only the first look is kept.
INSERT INTO looks BY NAME
SELECT
    $run AS run,
    $pass_id AS pass_id,
    $rubric_name AS rubric_name,
    $ask_sha256 AS ask_sha256,
    $split AS split,
    $labels AS labels,
    $shown_at AS shown_at
ON CONFLICT DO NOTHING
