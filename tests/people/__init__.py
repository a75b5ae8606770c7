"""A judge held against people, from the command line down."""
