-- control_by_id: where one planted output comes from, and how it is rightly treated.
-- Needs: $pass_id VARCHAR, $control VARCHAR.
-- Gives: kind, treatment, source_arm, donor_item, donor_arm, note; no row for an output.
SELECT
    kind,
    treatment,
    source_arm,
    donor_item,
    donor_arm,
    note
FROM controls
WHERE pass_id = $pass_id AND control = $control
