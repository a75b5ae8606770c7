-- follow_judgments: carry the state of changed requests to judgments.
-- Needs: $pass_id VARCHAR.
-- Gives: nothing.
UPDATE judgments
SET
    current = r.current,
    purpose = r.purpose
FROM requests AS r
WHERE
    judgments.pass_id = $pass_id
    AND r.pass_id = $pass_id
    AND judgments.key = r.key
    AND (judgments.current <> r.current OR judgments.purpose <> r.purpose)
