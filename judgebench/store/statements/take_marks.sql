-- take_marks: marks that were given elsewhere, as columns of codes.
-- Needs: batch (pass, rater, arm, item, criterion, side: codes; repeat; unit; mark; off_scale),
--        $passes, $raters, $arms, $items, $criteria, $sides VARCHAR[] (names behind the codes).
-- Gives: nothing.
INSERT INTO mark_rows BY NAME
SELECT
    $passes[b.pass + 1] AS pass_id,
    sha256(concat($passes[b.pass + 1], '/', b.unit)) AS key,
    concat_ws(' ', $raters[b.rater + 1], nullif($sides[b.side + 1], '')) AS label,
    $arms[b.arm + 1] AS arm,
    $items[b.item + 1] AS item,
    b.repeat,
    'main' AS purpose,
    TRUE AS current,
    $criteria[b.criterion + 1] AS criterion,
    b.mark,
    '' AS rationale,
    CASE WHEN b.off_scale THEN 'off_scale' WHEN b.mark IS NULL THEN 'no_verdict' END AS reason,
    FALSE AS unsupported,
    0 AS quotes,
    0 AS quotes_found
FROM batch AS b
