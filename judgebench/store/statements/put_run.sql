-- put_run: what a run folder held when it was last read.
-- Needs: $run, $content_sha256, $use_case, $facts, $updated_at VARCHAR.
-- Gives: nothing.
INSERT OR REPLACE INTO runs BY NAME
SELECT
    $run AS run,
    $content_sha256 AS content_sha256,
    $use_case AS use_case,
    $facts AS facts,
    $updated_at AS updated_at
