# Everything here runs on a machine that has only Python 3.11 or later, pip and make.
# `make demo` and `make test` are the two to know.

PYTHON ?= python3
VENV ?= .venv
DEMO ?= demo
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint requirements.lock
# What is compiled for one worker serves all, and the processes that tests start. One arena
# of memory: what is freed in one per thread is not given back, a third of all that a worker has.
PYTEST := MALLOC_ARENA_MAX=1 PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest -n auto --maxprocesses 8 --dist worksteal

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help demo test test-rest test-all check docs format bench trials figures formulas paper lock clean

help:  ## List what there is
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' Makefile

demo: $(VENV)/.installed  ## Set up (1 to 4 minutes the first time), play configs/quick.yaml, show its table and chart, solve 8 checkers
	rm -rf $(DEMO)/quick
	$(BIN)/bearoff simulate configs/quick.yaml --to $(DEMO)
	$(BIN)/bearoff analyze $(DEMO)/quick
	$(BIN)/bearoff tables build --two-sided --checkers 8
	$(BIN)/bearoff cube 1,2,2,1,1,1 2,2,1,1,1,1

test: $(VENV)/.tools  ## Set up and run the tests of all that is installed: about 7 minutes on two cores
	$(PYTEST) -m "not slow"

test-rest: $(VENV)/.tools  ## The slow ones: trials, research, benchmarks, site, wheel, transcripts
	$(PYTEST) -m slow

test-all: test test-rest  ## Every test

check: $(VENV)/.tools  ## Lint, format, types, layers; the largest files, rooms and faces
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	@$(BIN)/python -m tests.largest
	@$(BIN)/python -m tests.app.serve.types_of_page
	@if command -v npx > /dev/null; \
	  then npx --yes --package typescript@5.6.3 tsc -p app/serve/web/jsconfig.json; \
	  else echo "node is not here: the types of the page are not checked"; fi

docs: $(VENV)/.tools  ## Build the documentation and the API reference into site/
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict

format: $(VENV)/.tools  ## Put the code into the one format
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(VENV)/.tools  ## Every speed as a ratio to a baseline, held to results/benchmarks
	$(BIN)/python -m benchmarks

trials: $(VENV)/.tools  ## Try to break it at full scale, kills to clusters: hours; goes on where it was
	$(BIN)/python -m verify --all

figures: $(VENV)/.installed  ## Draw the paper's figures into results/figures
	$(BIN)/python -m research.figures

formulas: $(VENV)/.paper  ## Populations, search, scores, sheets, paper; continues where it stopped
	$(BIN)/python -m research.remake

paper: $(VENV)/.paper  ## Set results/paper.pdf from the numbers in results/
	$(BIN)/python -m research.typeset

lock:  ## Pin what the newest packages are; with the oldest Python supported
	rm -rf $(VENV).lock
	$(PYTHON) -m venv $(VENV).lock
	$(VENV).lock/bin/python -m pip install --quiet ".[cluster,dev,docs,fuzz,mcp,paper,web]"
	{ sed '/^[^#]/d' requirements.lock; $(VENV).lock/bin/python -m pip freeze --all --exclude bearoff --exclude pip; } > requirements.new
	mv requirements.new requirements.lock
	rm -rf $(VENV).lock

clean:  ## Remove the environment, caches and the demo; results/ stays
	rm -rf $(VENV) $(VENV).lock $(DEMO) build site *.egg-info
	rm -rf .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache

# A stamp marks what is installed, so that nothing is installed twice.
$(VENV)/.made:
	@$(PYTHON) -c 'import sys; sys.exit(None if sys.version_info >= (3, 11) else \
	  f"Python 3.11 or later is needed, {sys.version.split()[0]} found; say which: make PYTHON=python3.13 ...")'
	@echo "Setting up $(VENV), once: 1 to 4 minutes on two cores"
	@$(PYTHON) -m venv $(VENV)
	@touch $@

# Half of an installation's time goes into bytecode of modules that are never imported; the
# others are compiled by importing them, which also lets matplotlib look for fonts. At last
# the kernels are compiled: whoever sets up waits anyhow.
$(VENV)/.installed: $(VENV)/.made pyproject.toml setup.py requirements.lock
	@echo "1 of 3: installing packages"
	@$(PIP) --no-compile --editable ".[web]"
	@echo "2 of 3: loading them once"
	@PYTHONDONTWRITEBYTECODE= $(BIN)/python -c \
	  'import bearoff.app.run, bearoff.analysis, bearoff.sim, numba, scipy.special, joblib, pyarrow.parquet, matplotlib.pyplot'
	@echo "3 of 3: compiling for this machine, a minute or two"
	@PYTHONDONTWRITEBYTECODE= $(BIN)/bearoff warm --quiet
	@touch $@

$(VENV)/.tools: $(VENV)/.installed
	@echo "Installing what tests and checks need"
	@$(PIP) --no-compile --editable ".[cluster,dev,docs,fuzz,mcp,paper,web]"
	@touch $@

$(VENV)/.paper: $(VENV)/.installed
	@echo "Installing what the paper needs"
	@$(PIP) --editable ".[paper,web]"
	@touch $@
