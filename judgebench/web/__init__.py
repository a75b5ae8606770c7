"""A page on this machine on which a person marks answers; nobody else can reach it."""
