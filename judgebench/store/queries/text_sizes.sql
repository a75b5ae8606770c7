-- text_sizes: how much text a checkpoint of a table may hold at once, without reading any.
-- Needs: $table VARCHAR; $n BIGINT: rows that are packed together.
-- Gives: held (rows, at most $n), size (bytes of the column that has most, never too few).
--        One row.
WITH segments AS (
    SELECT
        column_name,
        count AS held,
        stats.max_string_length::BIGINT AS longest,
        stats.total_string_length::BIGINT AS total
    FROM pragma_storage_info($table)
    WHERE segment_type = 'VARCHAR'
),

-- A file of an older DuckDB has no totals. A checkpoint joins small row groups.
by_column AS (
    SELECT
        least(sum(held), $n) AS held,
        least(sum(coalesce(total, held * longest)), max(longest) * $n) AS size
    FROM segments
    GROUP BY column_name
)

SELECT
    coalesce(max(held), 0)::BIGINT AS held,
    coalesce(max(size), 0)::BIGINT AS size
FROM by_column
