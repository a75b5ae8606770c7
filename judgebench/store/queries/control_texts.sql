-- control_texts: planted outputs as they are sent.
-- Needs: $pass_id VARCHAR, $controls VARCHAR[] (ids).
-- Gives: control, text. Ordered.
SELECT
    control,
    text
FROM controls
WHERE pass_id = $pass_id AND list_contains($controls, control)
ORDER BY control
