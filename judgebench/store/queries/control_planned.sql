-- control_planned: the controls of the plan, without their texts.
-- Needs: $pass_id VARCHAR.
-- Gives: control, kind, item, source_arm, source_sent_sha256, donor_item, donor_arm,
--        sent_sha256, note. Ordered.
SELECT
    c.control,
    c.kind,
    c.item,
    c.source_arm,
    c.source_sent_sha256,
    c.donor_item,
    c.donor_arm,
    c.sent_sha256,
    c.note
FROM controls AS c
WHERE
    c.pass_id = $pass_id
    AND c.control IN (
        SELECT p.arm
        FROM parts AS p
        INNER JOIN requests AS r ON p.pass_id = r.pass_id AND p.key = r.key
        WHERE p.pass_id = $pass_id AND r.current AND r.purpose = 'control' AND r.repeat = 1
    )
ORDER BY c.control
