-- exhibit_order: judged outputs, those that a reader should look at first.
-- Needs: $pass_id VARCHAR, $seed BIGINT, $n BIGINT (at most so many).
-- Gives: arm, item, judged (how many there are in all). Ordered: where judgings of one
--        output disagree most (points, summed over criteria), then where most marks lack
--        the quotes they need, then at random but the same for the same seed.
WITH spread AS (
    SELECT
        arm,
        item,
        criterion,
        max(mark) - min(mark) AS points,
        count(*) FILTER (WHERE unsupported) AS unsupported
    FROM mark_rows
    WHERE pass_id = $pass_id AND current AND purpose <> 'control'
    GROUP BY arm, item, criterion
),

telling AS (
    SELECT
        arm,
        item,
        coalesce(sum(points), 0) AS points,
        sum(unsupported) AS unsupported
    FROM spread
    GROUP BY arm, item
),

judged AS (
    SELECT DISTINCT
        arm,
        item
    FROM judgments
    WHERE pass_id = $pass_id AND current AND purpose <> 'control'
)

SELECT
    j.arm,
    j.item,
    count(*) OVER () AS judged
FROM judged AS j
LEFT JOIN telling AS t ON j.arm = t.arm AND j.item = t.item
ORDER BY
    coalesce(t.points, 0) DESC,
    coalesce(t.unsupported, 0) DESC,
    md5(concat_ws(chr(31), $seed, j.arm, j.item)),
    j.arm,
    j.item
LIMIT $n
