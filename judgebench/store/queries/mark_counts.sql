-- mark_counts: marks of each pass of a run that were given elsewhere.
-- Needs: $run VARCHAR.
-- Gives: pass_id, marks.
SELECT
    p.pass_id,
    count(m.mark) AS marks
FROM passes AS p
LEFT JOIN mark_rows AS m ON p.pass_id = m.pass_id AND m.current
WHERE p.run = $run AND p.route IN ('marks', 'people')
GROUP BY p.pass_id
