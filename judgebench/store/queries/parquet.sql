-- parquet: every row of a Parquet file, in the order of the file.
-- Needs: $path VARCHAR.
-- Gives: the columns of the file.
SELECT *
FROM read_parquet($path)
