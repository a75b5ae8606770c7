-- put_look: marks by people were shown beside a pass, once more.
-- Needs: the columns of looks but look, each as a parameter of its name.
-- Gives: nothing.
INSERT INTO looks BY NAME
SELECT
    $run AS run,
    (
        SELECT coalesce(max(l.look), 0) + 1 FROM looks AS l
        WHERE l.run = $run
    )::INTEGER AS look,
    $pass_id AS pass_id,
    $rubric_name AS rubric_name,
    $ask_sha256 AS ask_sha256,
    $split AS split,
    $labels AS labels,
    $shown_at AS shown_at
