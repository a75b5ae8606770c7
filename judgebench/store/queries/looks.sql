-- looks: which marks by people were shown beside which pass, every time.
-- Needs: $run VARCHAR.
-- Gives: pass_id, rubric_name, ask_sha256, split, labels, shown_at, in the order of the looks.
SELECT
    pass_id,
    rubric_name,
    ask_sha256,
    split,
    labels,
    shown_at
FROM looks
WHERE run = $run
ORDER BY look
