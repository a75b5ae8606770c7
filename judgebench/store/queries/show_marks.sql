-- show_marks: the marks of one output with their quotes.
-- Needs: $pass_id, $arm, $item VARCHAR.
-- Gives: key, repeat, criterion, mark, reason, rationale, unsupported, and of one quote a
--        row: text, source, start_offset, end_offset (NULL where there is none). Ordered.
SELECT
    m.key,
    m.repeat,
    m.criterion,
    m.mark,
    m.reason,
    m.rationale,
    m.unsupported,
    q.text,
    q.source,
    q.start_offset,
    q.end_offset
FROM mark_rows AS m
LEFT JOIN quote_rows AS q
    ON
        m.pass_id = q.pass_id
        AND m.key = q.key
        AND m.label = q.label
        AND m.criterion = q.criterion
WHERE
    m.pass_id = $pass_id
    AND m.arm = $arm
    AND m.item = $item
    AND m.current
    AND (
        m.purpose <> 'control'
        OR m.arm IN (
            SELECT c.control
            FROM controls AS c
            WHERE c.pass_id = $pass_id
        )
    )
ORDER BY m.repeat, m.key, m.criterion, q.ordinal
