-- quotes_best: words of each output that a judge found telling, the best first.
-- Needs: $pass_id VARCHAR, $n BIGINT (an arm).
-- Gives: arm, item, criterion, mark, text. Only quotes found in the answer. Ordered: the
--        marks furthest from the arm's own mean tell most, then the longer words.
-- Only the most distant marks of an arm meet their quotes: joining all is slow.
-- Their number bounds the sort: a window over all marks does not fit into little memory.
WITH means AS (
    SELECT
        arm,
        avg(mark) AS mean
    FROM mark_rows
    WHERE pass_id = $pass_id AND current AND mark IS NOT NULL AND purpose <> 'control'
    GROUP BY arm
),

ranked AS (
    SELECT
        m.arm,
        unnest(
            min_by(
                {
                    'key': m.key,
                    'label': m.label,
                    'item': m.item,
                    'criterion': m.criterion,
                    'mark': m.mark,
                    'distance': abs(m.mark - a.mean)
                },
                (m.quotes_found = 0, -abs(m.mark - a.mean), m.item, m.criterion),
                50 * $n
            )
        ) AS one
    FROM mark_rows AS m
    INNER JOIN means AS a ON m.arm = a.arm
    WHERE
        m.pass_id = $pass_id
        AND m.current
        AND m.mark IS NOT NULL
        AND m.purpose <> 'control'
    GROUP BY m.arm
),

telling AS (
    SELECT
        arm,
        unnest(one) -- noqa: AL03
    FROM ranked
),

found AS (
    SELECT
        m.*,
        q.text
    FROM telling AS m
    INNER JOIN quote_rows AS q
        ON
            q.pass_id = $pass_id
            AND m.key = q.key
            AND m.label = q.label
            AND m.criterion = q.criterion
    WHERE q.source = 'answer' AND q.start_offset IS NOT NULL
)

SELECT
    arm,
    item,
    criterion,
    mark,
    text
FROM found
QUALIFY
    row_number() OVER (
        PARTITION BY arm
        ORDER BY distance DESC, len(text) DESC, item ASC, criterion ASC, text ASC
    ) <= $n
ORDER BY arm, distance DESC, len(text) DESC, item, criterion, text
