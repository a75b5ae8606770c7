"""One judge under one rubric: its card, and what goes with its marks."""
