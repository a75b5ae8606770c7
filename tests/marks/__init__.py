"""Imported marks, planning, and whether the answer would change."""
