-- set_checkpoint: how long the journal grows before the file proper takes it in.
-- Needs: $value VARCHAR, such as 8000000B.
-- Gives: nothing.
SET checkpoint_threshold = $value
