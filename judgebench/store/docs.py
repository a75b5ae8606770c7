"""The page about the database, made from the comments in its schema.

``python -m judgebench.store.docs`` prints it; a test holds docs/storage.md equal.
"""

import sys

import duckdb

from judgebench.store import sql

_HEAD = """\
# What the database holds

`judgments/judgments.duckdb` is one DuckDB file. It needs DuckDB 2.0 or newer to be read
(`duckdb judgments/judgments.duckdb`, or any client library). One process writes at a
time; while a judging runs, another process gets a message that names the holder. A
judging that was killed leaves a journal beside the file (`.wal`), which belongs to it and
is taken in at the next start.

The views are public and stay: query them freely. The tables may change with a version;
older files are brought up to date when they are opened. This page is made from the
comments in `judgebench/store/schema.sql`, which the file carries itself
(`FROM duckdb_columns()`).

```sql
SELECT arm, mean_total, items FROM ratings WHERE run = '2026-09-05' ORDER BY mean_total DESC;
```
"""


def storage_markdown() -> str:
    """The whole page."""
    with duckdb.connect(":memory:") as con:
        con.execute(sql.schema())
        objects = con.execute(sql.query("described_objects")).fetchall()
        columns = con.execute(sql.query("described_columns")).fetchall()
    parts = [_HEAD]
    for kind, title in (("view", "Public views"), ("table", "Tables")):
        parts.append(f"## {title}\n")
        for name, comment in ((name, comment) for what, name, comment in objects if what == kind):
            parts.append(f"### {name}\n\n{comment}\n\n| column | type | |\n| --- | --- | --- |")
            parts.extend(
                f"| `{column}` | {kind_of} | {text} |"
                for table, column, kind_of, text in columns
                if table == name
            )
            parts.append("")
    return "\n".join(parts).rstrip() + "\n"


if __name__ == "__main__":
    sys.stdout.write(storage_markdown())
