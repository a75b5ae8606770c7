-- keep_texts: the different values of one column, and a type that codes them.
-- Needs: batch (value).
-- Gives: nothing.
DROP TYPE IF EXISTS text_code;
CREATE OR REPLACE TEMP TABLE texts AS
SELECT
    value::VARCHAR AS text, -- noqa: CP05
    any_value(value) AS value
FROM batch
WHERE value IS NOT NULL
GROUP BY value::VARCHAR; -- noqa: CP05
CREATE TYPE text_code AS ENUM ( -- noqa: CV07, CP05
    SELECT text
    FROM texts
    ORDER BY rowid
)
