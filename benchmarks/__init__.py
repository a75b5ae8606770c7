"""Speed and memory of judgebench beside bare clients: `python -m benchmarks`."""
