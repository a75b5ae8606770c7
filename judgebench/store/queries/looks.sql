-- looks: which marks by people were shown beside which pass.
-- Needs: $run VARCHAR.
-- Gives: pass_id, rubric_name, ask_sha256, split, labels, shown_at.
SELECT
    pass_id,
    rubric_name,
    ask_sha256,
    split,
    labels,
    shown_at
FROM looks
WHERE run = $run
ORDER BY shown_at, pass_id
