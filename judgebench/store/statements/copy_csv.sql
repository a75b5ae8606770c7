-- copy_csv: a table of a report as CSV.
-- Needs: batch; $file VARCHAR.
-- Gives: nothing.
COPY (SELECT * FROM batch) -- noqa: PRS
TO $file (FORMAT csv, HEADER)
