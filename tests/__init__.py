"""Tests of judgebench, one folder a room."""
