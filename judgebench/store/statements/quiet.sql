-- quiet: no bar of progress, which DuckDB draws on standard output after two seconds.
-- Needs: nothing.
-- Gives: nothing.
SET enable_progress_bar = FALSE
