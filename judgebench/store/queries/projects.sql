-- projects: what was read and shown of the project folders of a run.
-- Needs: $run VARCHAR.
-- Gives: arm, item, files, lines, lines_shown, partly, left_out, secrets (JSON lists),
--        identity_visible. Ordered.
SELECT
    arm,
    item,
    files,
    lines,
    lines_shown,
    partly,
    left_out,
    secrets,
    identity_visible
FROM projects
WHERE run = $run
ORDER BY arm, item
