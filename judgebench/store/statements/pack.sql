-- pack: what was written goes into the file proper, and what is held of it is let go.
-- Needs: nothing.
-- Gives: nothing. A lower limit frees what can be read again, and does so at once; the
--        limit after it is that of every connection.
CHECKPOINT;
SET memory_limit = '8MB';
SET memory_limit = '64MB'
