-- pack: what was written goes into the file proper.
-- Needs: nothing.
-- Gives: nothing.
CHECKPOINT
