-- exhibit_order: judged outputs, those that a reader should look at first.
-- Needs: $pass_id VARCHAR, $seed BIGINT, $n BIGINT (at most so many).
-- Gives: arm, item, judged (how many there are in all). Ordered: where judgings of one
--        output disagree most (points, summed over criteria; of comparisons those with one
--        and the same opponent), then where most marks lack the quotes they need, then at
--        random but the same for the same seed.
WITH partners AS (
    SELECT
        key,
        label,
        arm
    FROM judgments
    WHERE
        pass_id = $pass_id
        AND pass_id IN (
            SELECT p.pass_id
            FROM passes AS p
            WHERE p.mode = 'pairwise'
        )
),

spread AS (
    SELECT
        m.arm,
        m.item,
        m.criterion,
        o.arm AS opponent,
        max(m.mark) - min(m.mark) AS points,
        count(*) FILTER (WHERE m.unsupported) AS unsupported
    FROM mark_rows AS m
    LEFT JOIN partners AS o ON m.key = o.key AND m.label <> o.label
    WHERE m.pass_id = $pass_id AND m.current AND m.purpose <> 'control'
    GROUP BY m.arm, m.item, m.criterion, o.arm
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
