-- set_totals: totals made anew from stored marks.
-- Needs: $pass_id VARCHAR; batch, columns key, label, total, uncapped, fired, tier, reweighted.
-- Gives: nothing.
UPDATE judgments
SET
    total = b.total,
    uncapped = b.uncapped,
    fired = b.fired,
    tier = b.tier,
    reweighted = b.reweighted
FROM batch AS b
WHERE
    judgments.pass_id = $pass_id
    AND judgments.key = b.key
    AND judgments.label = b.label
