"""A small real model behind its real server."""
