-- quotes_best: words of each output that a judge found telling, the best first.
-- Needs: $pass_id VARCHAR, $n BIGINT (an arm).
-- Gives: arm, item, criterion, mark, text. Only quotes found in the answer. Ordered: the
--        marks furthest from the arm's own mean tell most, then the longer words.
WITH found AS (
    SELECT
        m.arm,
        m.item,
        m.criterion,
        m.mark,
        q.text,
        abs(m.mark - avg(m.mark) OVER (PARTITION BY m.arm)) AS distance
    FROM mark_rows AS m
    INNER JOIN quote_rows AS q
        ON
            m.pass_id = q.pass_id
            AND m.key = q.key
            AND m.label = q.label
            AND m.criterion = q.criterion
    WHERE
        m.pass_id = $pass_id
        AND m.current
        AND m.mark IS NOT NULL
        AND q.source = 'answer'
        AND q.start_offset IS NOT NULL
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
