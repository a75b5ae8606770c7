-- checks: what a pass tells about its judge.
-- Needs: $pass_id VARCHAR.
-- Gives: one row: marks, modal_mark, modal_share (share of its most frequent mark),
--        quotes, quotes_found, unsupported (marks), answered_by (models that answered).
WITH given AS (
    SELECT *
    FROM mark_rows
    WHERE pass_id = $pass_id AND current AND mark IS NOT NULL AND purpose <> 'control'
),

counted AS (
    SELECT
        mark,
        count(*) AS n
    FROM given
    GROUP BY mark
    ORDER BY n DESC, mark ASC
    LIMIT 1
)

SELECT
    count(*) AS marks,
    (SELECT mark FROM counted) AS modal_mark,
    (SELECT n FROM counted) / nullif(count(*), 0) AS modal_share,
    coalesce(sum(quotes), 0)::BIGINT AS quotes,
    coalesce(sum(quotes_found), 0)::BIGINT AS quotes_found,
    count(*) FILTER (WHERE unsupported) AS unsupported,
    (
        SELECT list(DISTINCT j.model_answered ORDER BY j.model_answered)
        FROM judgments AS j
        WHERE j.pass_id = $pass_id AND j.current
    ) AS answered_by
FROM given
