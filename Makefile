# `make` alone lists what can be made.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
COMPILE := $(BIN)/pip-compile -q --strip-extras --generate-hashes --allow-unsafe --no-header \
  --no-emit-index-url --no-emit-find-links --no-emit-trusted-host

.DEFAULT_GOAL := help
.PHONY: help play setup test check postgresql format bench soak pictures lock clean

help:  ## list the targets
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 12

play: $(VENV)/play.stamp  ## play a game in the terminal
	@$(BIN)/qlub play

setup: $(VENV)/dev.stamp  ## make the development environment in .venv

test: check postgresql  ## run all checks and tests
	$(BIN)/pytest -n 2

check: setup  ## formatting, lint, types and the direction of imports
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

postgresql:  ## install PostgreSQL from Debian's packages, for the tests, when there is none
	@tools/install-postgresql.sh

format: setup  ## format the code
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

bench: setup postgresql  ## measure the speed of the rules and of the club
	$(BIN)/python -m benchmarks
	$(BIN)/python -m benchmarks.club

SOAK ?= 20
soak: setup postgresql  ## play and crash SOAK times as long as the tests do, and print the counts
	QLUB_SOAK=$(SOAK) $(BIN)/pytest -n 2 -rP -m soak

pictures: setup  ## take the pictures of the README again
	$(BIN)/python docs/pictures/take.py

lock: setup  ## renew the lock files from pyproject.toml
	$(COMPILE) --extra build -o requirements.lock pyproject.toml
	$(COMPILE) --extra build --extra postgresql --extra sim --extra dev -c requirements.lock -o requirements-dev.lock pyproject.toml

clean:  ## remove the environment and all caches
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .import_linter_cache dist

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Qlub needs Python 3.11 or newer; name one with: make PYTHON=python3.12 ..." >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)

# The package itself is installed as a link to this checkout, built by the locked hatchling.
$(VENV)/play.stamp: requirements.lock pyproject.toml | $(BIN)/python
	@echo "Setting up Qlub in $(VENV) ..."
	@$(BIN)/pip install -qq --disable-pip-version-check --require-hashes -r requirements.lock
	@$(BIN)/pip install -qq --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

$(VENV)/dev.stamp: requirements-dev.lock $(VENV)/play.stamp
	$(BIN)/pip install -qq --disable-pip-version-check --require-hashes -r requirements-dev.lock
	@touch $@
