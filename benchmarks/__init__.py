"""Measurements of judgebench itself; nothing here is part of the package."""
