"""Nouns, rubric, reasons and result: what all rooms share."""
