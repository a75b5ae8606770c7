-- exhibit_marks: the marks of some outputs with their quotes.
-- Needs: $pass_id VARCHAR, $arms VARCHAR[], $items VARCHAR[] (pairs, of equal length).
-- Gives: arm, item, key, criterion, mark, reason, rationale, unsupported, and of one quote
--        a row: text, source, start_offset, end_offset (NULL where there is none). Ordered.
WITH wanted AS (
    SELECT
        unnest($arms) AS arm,
        unnest($items) AS item
),

found AS (
    SELECT m.*
    FROM mark_rows AS m
    INNER JOIN wanted AS w ON m.arm = w.arm AND m.item = w.item
    WHERE m.pass_id = $pass_id AND m.current AND m.purpose <> 'control'
)

SELECT
    m.arm,
    m.item,
    m.key,
    m.criterion,
    m.mark,
    m.reason,
    m.rationale,
    m.unsupported,
    q.text,
    q.source,
    q.start_offset,
    q.end_offset
FROM found AS m
LEFT JOIN quote_rows AS q
    ON
        m.key = q.key
        AND m.label = q.label
        AND m.criterion = q.criterion
        AND q.pass_id = $pass_id
ORDER BY m.arm, m.item, m.key, m.criterion, q.ordinal
