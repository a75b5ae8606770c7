-- verify_marks: stored marks of a pass beside the totals that were made of them.
-- Needs: $pass_id VARCHAR.
-- Gives: key, label, arm, item, criterion, mark, rationale, reason, split (whether the
--        request asked about one criterion only), total, uncapped, fired, tier,
--        reweighted. Ordered by request and label.
SELECT
    m.key,
    m.label,
    m.arm,
    m.item,
    m.criterion,
    m.mark,
    m.rationale,
    m.reason,
    j.criterion IS NOT NULL AS split,
    j.total,
    j.uncapped,
    j.fired,
    j.tier,
    j.reweighted
FROM mark_rows AS m
INNER JOIN judgments AS j
    ON m.pass_id = j.pass_id AND m.key = j.key AND m.label = j.label
WHERE m.pass_id = $pass_id AND m.current
ORDER BY m.key, m.label, m.criterion
