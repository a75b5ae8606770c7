# Five targets, the same lines as .ci/run. Needs Python 3.11 or newer and nothing else.
PYTHON ?= python3
VENV ?= .venv
BIN = $(VENV)/bin

.PHONY: score test lint bench clean

score: $(VENV)/ready ## judge the sample run from its recorded replies: no key, no network
	$(BIN)/judge score runs/2026-09-05 --judge replay:runs/2026-09-05/recorded/pointwise.jsonl

test: $(VENV)/ready ## the whole test suite with coverage
	$(BIN)/python -m pytest -n auto --cov --cov-fail-under=90 $(ARGS)

lint: $(VENV)/ready ## format, lint, types, imports, SQL
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/sqlfluff lint judgebench/store

bench: $(VENV)/ready ## timings as ratios against a baseline of the same round
	$(BIN)/python -m benchmarks

clean:
	rm -rf $(VENV) dist build

$(VENV)/ready: pyproject.toml requirements/dev.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements/dev.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --editable .
	touch $@
