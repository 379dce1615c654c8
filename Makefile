# Everything that is done with this repository. Needs Python 3.11+ with venv, and make.

SHELL := /bin/sh
BIN := .venv/bin
PYTEST := $(BIN)/python -m pytest
# Two workers use a small machine well; `make test WORKERS=8` suits a larger one.
WORKERS ?= 2

# Compiled files are kept even where the surroundings say otherwise: tests start dozens of processes.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help

run: .venv/.installed ## Serve Podwright on http://127.0.0.1:8000; the first start fills the database
	$(BIN)/podwright serve

test: check chromium ## Run the checks, then every test, those in the browser included
	$(PYTEST) -n $(WORKERS) --dist loadfile

test-fast: .venv/.installed-dev ## Run the tests that need neither a browser nor patience, within a minute
	$(PYTEST) -n $(WORKERS) --dist loadfile -m "not browser and not slow and not soak" \
		-p no:schemathesis --ignore tests/contract --ignore tests/e2e

# What cannot notice which database there is need not be tried twice; `make test-postgres SAME_ON_BOTH=` tries all.
NOT_STORED = app/engine tests/engine tests/figures tests/validation tests/exports tests/test_architecture.py \
	tests/test_docs.py tests/api/test_openapi.py tests/web/test_palette.py tests/scenarios/fabric \
	tests/scenarios/economics tests/scenarios/facility tests/scenarios/growth tests/scenarios/projecting \
	tests/scenarios/uncertainty tests/scenarios/serving_views tests/scenarios/serving tests/catalog/weather \
	tests/web/validation tests/web/economics tests/web/facility tests/web/fabric tests/web/serving
SAME_ON_BOTH ?= -m "not soak and not browser" $(addprefix --ignore ,$(NOT_STORED))

test-postgres: .venv/.installed-dev chromium ## Run the tests on PostgreSQL: one that is started and thrown away
	sh scripts/postgres.sh $(PYTEST) -n $(WORKERS) --dist loadfile $(SAME_ON_BOTH)

check: .venv/.installed-dev ## Look at style, types and the arrows between rooms, changing nothing
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: .venv/.installed-dev ## Put the code into shape
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: .venv/.installed ## Time the main things; prints a table and writes build/bench.json
	$(BIN)/python -m bench.run --json build/bench.json

soak: .venv/.installed-dev ## Keep a server busy for a while and watch that it stays well
	$(PYTEST) -m soak --verbose

chromium: .venv/.installed-dev
	sh scripts/ensure_chromium.sh

clean: ## Remove caches and build outputs; the database and .venv stay
	rm -rf build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache .benchmarks
	find app tests bench -name __pycache__ -type d -prune -exec rm -rf {} +

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.venv/.installed: pyproject.toml constraints.txt scripts/install.sh
	@sh scripts/install.sh
	@touch $@

.venv/.installed-dev: pyproject.toml constraints.txt scripts/install.sh
	@sh scripts/install.sh "[dev]"
	@touch .venv/.installed $@

.PHONY: run test test-fast test-postgres check format bench soak chromium clean help
