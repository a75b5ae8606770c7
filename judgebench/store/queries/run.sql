-- run: what a run folder held when it was last read.
-- Needs: $run VARCHAR.
-- Gives: content_sha256, use_case, facts, updated_at; no row where it was never read.
SELECT
    content_sha256,
    use_case,
    facts,
    updated_at
FROM runs
WHERE run = $run
