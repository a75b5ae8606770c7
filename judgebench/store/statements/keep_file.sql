-- keep_file: the wanted columns of a file, so that it is parsed once.
-- Needs: batch (any columns).
-- Gives: nothing.
CREATE TEMP TABLE file_rows AS SELECT * FROM batch
