"""Anchors and controls judged again: does a judge still mark as it did?"""
