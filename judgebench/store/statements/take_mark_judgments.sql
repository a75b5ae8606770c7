-- take_mark_judgments: judgments behind the marks that `take_marks` wrote.
-- Needs: $passes VARCHAR[], $criteria BIGINT (how many a whole judgment has),
--        $judged_at DOUBLE.
-- Gives: nothing. The total is the plain mean where every criterion has a mark.
INSERT INTO judgments BY NAME
SELECT
    pass_id,
    key,
    label,
    arm,
    item,
    repeat,
    'main' AS purpose,
    NULL AS criterion,
    TRUE AS current,
    CASE WHEN count(mark) > 0 THEN 'ok' ELSE 'blocked' END AS status,
    CASE WHEN count(mark) = 0 THEN max(reason) END AS reason,
    CASE
        WHEN count(mark) > 0 THEN NULL
        WHEN max(reason) = 'off_scale' THEN 'the file has a mark outside of the scale'
        ELSE 'the file has no mark'
    END AS message,
    CASE WHEN count(mark) = $criteria THEN avg(mark) END AS total,
    CASE WHEN count(mark) = $criteria THEN avg(mark) END AS uncapped,
    '[]' AS fired,
    NULL AS tier,
    FALSE AS reweighted,
    0 AS calls,
    0 AS in_doubt,
    $judged_at AS judged_at
FROM mark_rows
WHERE list_contains($passes, pass_id)
GROUP BY pass_id, key, label, arm, item, repeat
