"""Files that people write: strict YAML, places for faults, and the check by a model.

Every fault is one short line that says where, what and what to write instead.
Nothing here opens a file.
"""
