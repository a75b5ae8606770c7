"""The main job: check, judge or replay, batch, probe, analyse."""
