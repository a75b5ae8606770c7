-- copy_parquet: a table of a report as Parquet.
-- Needs: batch; $file VARCHAR.
-- Gives: nothing.
COPY (SELECT * FROM batch) -- noqa: PRS
TO $file (FORMAT parquet)
