PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
UV := $(BIN)/uv
Q ?=
CONNECTION ?=
ARGS ?=
TEST_ARGS ?= -n 2
# The drivers of the services are left out: their tests replay what a driver gives.
LOCKED := --extra models --extra mysql --extra stats
ENGINES := $(foreach each,bigquery clickhouse databricks redshift snowflake sqlserver trino,--extra $(each))
COMPILE = $(UV) pip compile pyproject.toml --quiet --universal --generate-hashes --no-header --no-annotate --python-version 3.11

.DEFAULT_GOAL := help

.PHONY: help run ask test cover check engines fix lint types floors bench lock

help:  ## Show this list.
	@awk 'BEGIN {FS = ":.*## "} /^[a-z]+:.*## / {printf "  %-8s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

$(UV):
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Resona needs Python 3.11 or newer: make PYTHON=python3.12")'
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check uv==0.13.9

$(VENV)/.runtime: requirements.lock pyproject.toml | $(UV)
	@echo "Setting up (once): installing the locked dependencies into $(VENV)" >&2
	@$(UV) pip install --quiet --python $(BIN)/python --require-hashes -r requirements.lock
	@$(UV) pip install --quiet --python $(BIN)/python --no-deps --no-build-isolation -e .
	@touch $@

$(VENV)/.dev: requirements-dev.lock $(VENV)/.runtime
	@$(UV) pip install --quiet --python $(BIN)/python --require-hashes -r requirements-dev.lock
	@touch $@

run: $(VENV)/.runtime  ## Set up, make the demo database if needed, serve the page.
	@$(BIN)/resona serve $(ARGS)

# Handed on by the environment, as they were typed: a question may hold quotes, dollars and backticks.
unexport Q CONNECTION THREAD
ask: export ASKED := $(value Q)
ask: export ASKED_OF := $(value CONNECTION)
ask: export ASKED_IN := $(value THREAD)
ask: $(VENV)/.runtime  ## Ask one question: make ask Q="monthly revenue by region in 2025"
	@$(BIN)/resona ask $${ASKED_OF:+--connection="$$ASKED_OF"} $${ASKED_IN:+--thread="$$ASKED_IN"} $(ARGS) -- "$$ASKED"

test: $(VENV)/.dev  ## Set up and run every test: make test ARGS="-k retention"
	@$(BIN)/pytest $(TEST_ARGS) $(ARGS)

$(VENV)/.engines: requirements-engines.lock $(VENV)/.dev
	@$(UV) pip install --quiet --python $(BIN)/python --require-hashes -r requirements-engines.lock
	@touch $@

engines: $(VENV)/.engines  ## Install what the tests of the warehouse engines need, 1 GB.

cover: $(VENV)/.dev
	@$(BIN)/pytest $(TEST_ARGS) --cov $(ARGS)

lint: $(VENV)/.dev
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .

types: $(VENV)/.dev
	@$(BIN)/basedpyright

floors: $(VENV)/.dev  ## Hold the imports against the contracts.
	@$(BIN)/lint-imports

check: lint types floors cover  ## Everything that a change must pass; CI runs this.

fix: $(VENV)/.dev  ## Format, and mend what can be mended by a machine.
	@$(BIN)/ruff check --fix .
	@$(BIN)/ruff format .

bench/peers/.venv/.ready: bench/peers/requirements.lock | $(UV)
	@$(UV) venv --quiet --clear bench/peers/.venv --python $(BIN)/python
	@$(UV) pip install --quiet --python bench/peers/.venv/bin/python --require-hashes -r $<
	@touch $@

bench: $(VENV)/.dev bench/peers/.venv/.ready  ## Measure the goals; prints ratios, keeps JSON in bench/out.
	@$(BIN)/python -m bench $(ARGS)

lock: | $(UV)  ## Renew the lock files after a change in pyproject.toml.
	@$(COMPILE) $(LOCKED) --group build --group dev -o requirements-dev.lock
	@$(COMPILE) $(LOCKED) --group build -c requirements-dev.lock -o requirements.lock
	@$(COMPILE) $(LOCKED) $(ENGINES) --group engines -c requirements-dev.lock -o requirements-engines.lock
