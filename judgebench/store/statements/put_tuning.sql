-- put_tuning: the labels of a run were split; what was written once stays.
-- Needs: $run, $split_at, $shown VARCHAR, $share DOUBLE.
-- Gives: nothing.
INSERT INTO tunings BY NAME
SELECT
    $run AS run,
    $share AS share,
    $split_at AS split_at,
    $shown AS shown
ON CONFLICT DO NOTHING
