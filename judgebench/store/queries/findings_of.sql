-- findings_of: every fault that was reported in the projects of a pass.
-- Needs: $pass_id VARCHAR.
-- Gives: key, label, criterion, entry, evidence, found_by, why, said_path, said_first,
--        said_last, excerpt, patterns, paths, standing, note, path, first_line, last_line,
--        moved. Ordered by request, in the order of the reply.
SELECT
    f.key,
    f.label,
    f.criterion,
    f.entry,
    f.evidence,
    f.found_by,
    f.why,
    f.said_path,
    f.said_first,
    f.said_last,
    f.excerpt,
    f.patterns,
    f.paths,
    f.standing,
    f.note,
    f.path,
    f.first_line,
    f.last_line,
    f.moved
FROM finding_rows AS f
INNER JOIN judgments AS j ON f.pass_id = j.pass_id AND f.key = j.key AND f.label = j.label
WHERE f.pass_id = $pass_id AND j.current
ORDER BY f.key, f.label, f.ordinal
