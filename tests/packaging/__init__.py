"""The wheel as a user gets it."""
