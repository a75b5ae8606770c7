"""From stored judgments of one pass to figures, and to what each may be said with."""
