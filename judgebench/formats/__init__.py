"""Files that people write: strict YAML, places for faults, and the check by a model.

Every fault is one short line that says where, what and what to write instead.
Nothing here opens a file.
"""

from judgebench.formats.check import all_keys, validate
from judgebench.formats.located import MAX_BYTES, Key, Located, Word, decode, dotted, refuse_word
from judgebench.formats.yaml_text import MAX_DEPTH, MAX_DIGITS, MAX_NODES, parse_yaml

__all__ = [
    "MAX_BYTES",
    "MAX_DEPTH",
    "MAX_DIGITS",
    "MAX_NODES",
    "Key",
    "Located",
    "Word",
    "all_keys",
    "decode",
    "dotted",
    "parse_yaml",
    "refuse_word",
    "validate",
]
