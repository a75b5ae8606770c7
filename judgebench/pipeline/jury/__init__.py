"""Several passes on one run: how far they agree, and what they say together."""
