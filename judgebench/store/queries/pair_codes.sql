-- pair_codes: every verdict of a comparison, as integer codes.
-- Needs: $pass_id VARCHAR, $run VARCHAR, $criteria VARCHAR[] (ids, the first has code 0).
-- Gives: unit (rows of one comparison share it), item, arm_first, arm_second (codes, in the
--        order in which the judge saw them), criterion (code), repeat, won (share of the
--        first: 1, 0, or 0.5 for a tie), ordered (the order is on record), noise (judged
--        for repeatability only), unsupported, rater (code of who gave imported ones; 0 of
--        judged ones). Ordered, so equal stores give equal bytes.
-- Of judged pairs the order stands in the plan; of imported ones in the label.
WITH sided AS (
    SELECT
        m.key,
        m.criterion,
        m.item,
        m.arm,
        m.mark,
        m.repeat,
        m.purpose,
        m.unsupported,
        coalesce(p.ordinal, (regexp_matches(m.label, ' (second|b)$'))::INTEGER) AS place,
        p.key IS NOT NULL OR regexp_matches(m.label, ' (first|second)$') AS ordered,
        p.key IS NULL AS imported,
        CASE
            WHEN p.key IS NULL THEN regexp_replace(m.label, ' (first|second|a|b)$', '') ELSE ''
        END AS rater
    FROM mark_rows AS m
    LEFT JOIN parts AS p ON m.pass_id = p.pass_id AND m.key = p.key AND m.label = p.label
    WHERE m.pass_id = $pass_id AND m.current AND m.purpose <> 'control'
),

joined AS (
    SELECT
        key,
        criterion,
        any_value(item) AS item,
        -- Imported pairs are numbered for each arm.
        min(repeat) AS repeat,
        any_value(purpose) AS purpose,
        bool_or(ordered) AS ordered,
        bool_or(imported) AS imported,
        bool_or(unsupported) AS unsupported,
        min(rater) AS rater,
        max(arm) FILTER (WHERE place = 0) AS arm_first,
        max(arm) FILTER (WHERE place = 1) AS arm_second,
        max(mark) FILTER (WHERE place = 0) AS won
    FROM sided
    GROUP BY key, criterion
)

SELECT
    i.position AS item,
    a.position AS arm_first,
    b.position AS arm_second,
    k.position AS criterion,
    j.repeat,
    j.won,
    j.ordered,
    j.purpose = 'noise' AS noise,
    j.unsupported,
    dense_rank() OVER (ORDER BY j.rater) - 1 AS rater,
    -- Criteria that were asked one by one have requests of their own.
    dense_rank() OVER (
        ORDER BY
            i.position,
            a.position,
            b.position,
            j.repeat,
            j.purpose,
            CASE WHEN j.imported THEN j.key ELSE '' END
    ) - 1 AS unit
FROM joined AS j
INNER JOIN arms AS a ON j.arm_first = a.arm AND a.run = $run
INNER JOIN arms AS b ON j.arm_second = b.arm AND b.run = $run
INNER JOIN items AS i ON j.item = i.item AND i.run = $run
INNER JOIN (
    SELECT
        unnest($criteria) AS criterion,
        unnest(range(len($criteria)))::INTEGER AS position
) AS k ON j.criterion = k.criterion
WHERE j.won IS NOT NULL
ORDER BY unit, k.position
