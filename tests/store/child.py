"""A process that judges without a judge: python child.py FILE COUNT [BYTES ALLOWED].

Prints the key of each judgment once the writer says that it is on disk.
"""

import resource
import sys
from pathlib import Path

from judgebench.errors import StoreError
from judgebench.store.store import Store
from judgebench.store.writer import Writer
from tests.store import build


def main() -> None:
    """Judge what is open, one line a stored judgment."""
    path, count = Path(sys.argv[1]), int(sys.argv[2])
    body = "a long reply " * 2_000
    with Store.open(path, wait_s=5.0) as store:
        store.put_pass(build.pass_row())
        store.set_plan(build.PID, build.requests(count))
        if len(sys.argv) > 3:
            allowed = int(sys.argv[3])
            resource.setrlimit(resource.RLIMIT_FSIZE, (allowed, allowed))
        with Writer(store) as writer:
            for request in store.iter_open(build.PID):
                # Chance is no help to zstd: each body differs.
                reply = build.reply(request, body=body + request.key * 200)
                waiting = [
                    writer.put(writer.reply_op(build.PID, reply)),
                    writer.put(
                        writer.judged_op(
                            build.PID, [build.judgment(request)], totals=[build.total()]
                        )
                    ),
                ]
                try:
                    for one in waiting:
                        one.result()
                except StoreError as exc:
                    sys.stdout.write(f"! {exc}\n")
                    return
                sys.stdout.write(f"{request.key}\n")
                sys.stdout.flush()


main()
