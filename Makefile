# Every target runs on a machine that has only Python 3.11 or later, pip and make.
# `make demo` and `make test` are the most important targets.

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

help:  ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' Makefile

demo: $(VENV)/.installed  ## Install into .venv (1 to 4 minutes the first time), play configs/quick.yaml, write its report and chart, build a table of 8 checkers, show a cube action
	rm -rf $(DEMO)/quick
	$(BIN)/bearoff simulate configs/quick.yaml --to $(DEMO)
	$(BIN)/bearoff analyze $(DEMO)/quick
	$(BIN)/bearoff tables build --two-sided --checkers 8
	$(BIN)/bearoff cube 1,2,2,1,1,1 2,2,1,1,1,1

test: $(VENV)/.tools  ## Install into .venv and run the fast tests (6 to 10 minutes on two cores)
	$(PYTEST) -m "not slow"

test-rest: $(VENV)/.tools  ## Run the slow tests: trials, research, benchmarks, documentation, site, wheel
	$(PYTEST) -m slow

test-all: test test-rest  ## Run all tests

check: $(VENV)/.tools  ## Check style, format, types and layers; list the largest files, rooms and faces
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	@$(BIN)/python -m tests.largest
	@$(BIN)/python -m tests.app.serve.types_of_page
	@if command -v npx > /dev/null; \
	  then npx --yes --package typescript@5.6.3 tsc -p app/serve/web/jsconfig.json; \
	  else echo "node is not installed: the types of the page were not checked"; fi

docs: $(VENV)/.tools  ## Build the documentation and the API reference into site/
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict

format: $(VENV)/.tools  ## Format the code
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(VENV)/.tools  ## Measure all speeds as ratios to a baseline, and compare them with results/benchmarks
	$(BIN)/python -m benchmarks

trials: $(VENV)/.tools  ## Run the reliability programs whose pages are older than the code (hours; an interrupted run continues)
	$(BIN)/python -m verify --all

figures: $(VENV)/.installed  ## Draw the paper's figures into results/figures
	$(BIN)/python -m research.figures

formulas: $(VENV)/.paper  ## Build populations, search for formulas, write scores, sheets and the paper; an interrupted run continues
	$(BIN)/python -m research.remake

paper: $(VENV)/.paper  ## Typeset results/paper.pdf with the numbers in results/
	$(BIN)/python -m research.typeset

lock:  ## Pin the newest versions of all packages in requirements.lock; run it with the oldest supported Python
	rm -rf $(VENV).lock
	$(PYTHON) -m venv $(VENV).lock
	$(VENV).lock/bin/python -m pip install --quiet ".[cluster,dev,docs,fuzz,mcp,paper,web]"
	{ sed '/^[^#]/d' requirements.lock; $(VENV).lock/bin/python -m pip freeze --all --exclude bearoff --exclude pip; } > requirements.new
	mv requirements.new requirements.lock
	rm -rf $(VENV).lock

clean:  ## Remove the environment, caches and the demo, but not results/
	rm -rf $(VENV) $(VENV).lock $(DEMO) build site *.egg-info
	rm -rf .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache

# A stamp marks what is installed, so that nothing is installed twice.
$(VENV)/.made:
	@$(PYTHON) -c 'import sys; sys.exit(None if sys.version_info >= (3, 11) else \
	  f"Python 3.11 or later is required, but this is {sys.version.split()[0]}; name another: make PYTHON=python3.13 ...")'
	@echo "Setting up $(VENV), once: 1 to 4 minutes on two cores"
	@$(PYTHON) -m venv $(VENV)
	@touch $@

# Half of an installation's time goes into bytecode of modules that are never imported; the
# others are compiled by importing them, which also lets matplotlib look for fonts. At last
# the kernels are compiled: whoever sets up waits anyhow.
$(VENV)/.installed: $(VENV)/.made pyproject.toml setup.py requirements.lock
	@echo "1 of 3: installing packages"
	@$(PIP) --no-compile --editable ".[web]"
	@echo "2 of 3: loading the packages once"
	@PYTHONDONTWRITEBYTECODE= $(BIN)/python -c \
	  'import bearoff.app.run, bearoff.analysis, bearoff.sim, numba, scipy.special, joblib, pyarrow.parquet, matplotlib.pyplot'
	@echo "3 of 3: compiling the program for this machine (a minute or two)"
	@PYTHONDONTWRITEBYTECODE= $(BIN)/bearoff warm --quiet
	@touch $@

$(VENV)/.tools: $(VENV)/.installed
	@echo "Installing the packages for tests and checks"
	@$(PIP) --no-compile --editable ".[cluster,dev,docs,fuzz,mcp,paper,web]"
	@touch $@

$(VENV)/.paper: $(VENV)/.installed
	@echo "Installing the packages for the paper"
	@$(PIP) --editable ".[paper,web]"
	@touch $@
