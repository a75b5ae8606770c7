-- told_facts: what code had found out about each project, as the judge was told it.
-- Needs: $pass_id VARCHAR.
-- Gives: arm, item, facts (the frame's lines, empty where there was none). One row a
--        project, of its first judging that counts. Ordered.
WITH asked AS (
    SELECT
        j.arm,
        j.item,
        c.user_text,
        regexp_extract(c.user_text, '^The frames of this message carry the word ([0-9a-f]+)\.', 1)
            AS word
    FROM judgments AS j
    INNER JOIN calls AS c ON j.pass_id = c.pass_id AND j.key = c.key
    WHERE j.pass_id = $pass_id AND j.current AND j.status = 'ok' AND j.purpose = 'main'
    QUALIFY row_number() OVER (PARTITION BY j.arm, j.item ORDER BY j.repeat, c.attempt) = 1
)

SELECT
    arm,
    item,
    split_part(
        split_part(user_text, '<<<' || word || ':facts' || chr(10), 2),
        chr(10) || word || ':facts>>>',
        1
    ) AS facts
FROM asked
ORDER BY arm, item
