"""Run folders: found, read, blocked, written."""
