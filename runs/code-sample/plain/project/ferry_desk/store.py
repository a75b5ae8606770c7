"""Conversations in SQLite: one row for each question that was answered."""
import sqlite3
from contextlib import closing, contextmanager
from pathlib import Path

SCHEMA = """
CREATE TABLE IF NOT EXISTS turn (
    id INTEGER PRIMARY KEY, conversation TEXT NOT NULL, question TEXT NOT NULL, answer TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS turn_conversation ON turn (conversation, id);
"""


class Store:
    def __init__(self, path):
        self.path = Path(path)
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self._open() as db:
            db.executescript(SCHEMA)

    @contextmanager
    def _open(self):
        """A connection for one piece of work: committed, or rolled back on an error, then closed."""
        with closing(sqlite3.connect(self.path)) as db, db:
            db.row_factory = sqlite3.Row
            yield db

    def turns(self, conversation):
        """The turns of one conversation, oldest first."""
        with self._open() as db:
            return db.execute("SELECT question, answer FROM turn WHERE conversation = ? ORDER BY id",
                              (conversation,)).fetchall()

    def add(self, conversation, question, answer):
        with self._open() as db:
            db.execute("INSERT INTO turn (conversation, question, answer) VALUES (?, ?, ?)",
                       (conversation, question, answer))
