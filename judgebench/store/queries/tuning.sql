-- tuning: when the labels of a run were split, and what had been shown by then.
-- Needs: $run VARCHAR.
-- Gives: share, split_at, shown (JSON list); one row, or none.
SELECT
    share,
    split_at,
    shown
FROM tunings
WHERE run = $run
