-- copy_parquet: a table of a report as Parquet.
-- Needs: batch; $file VARCHAR.
-- Gives: nothing.
COPY (SELECT * FROM batch) TO $file (FORMAT parquet)
