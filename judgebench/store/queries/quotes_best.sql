-- quotes_best: words of each output that a judge found telling, the best first.
-- Needs: $pass_id VARCHAR, $n BIGINT (an arm).
-- Gives: arm, item, criterion, mark, text. Only quotes found in the answer. Ordered: the
--        marks furthest from the arm's own mean tell most, then the longer words.
-- Only the most distant marks of an arm meet their quotes: joining all is slow.
WITH placed AS (
    SELECT
        *,
        abs(mark - avg(mark) OVER (PARTITION BY arm)) AS distance
    FROM mark_rows
    WHERE pass_id = $pass_id AND current AND mark IS NOT NULL
),

telling AS (
    SELECT * EXCLUDE (rationale)
    FROM placed
    QUALIFY
        row_number() OVER (
            PARTITION BY arm
            ORDER BY quotes_found > 0 DESC, distance DESC, item ASC, criterion ASC
        ) <= 50 * $n
),

found AS (
    SELECT
        m.*,
        q.text
    FROM telling AS m
    INNER JOIN quote_rows AS q
        ON
            m.pass_id = q.pass_id
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
