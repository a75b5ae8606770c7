-- let_go: what is held of the file in memory is let go.
-- Needs: nothing.
-- Gives: nothing. A lower limit frees what can be read again, and does so at once.
SET memory_limit = '8MB'
