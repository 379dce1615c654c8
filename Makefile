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

test: chromium ## Run the checks, then every test, those in the browser last
	$(MAKE) -j 2 check collected
	$(PYTEST) -n $(WORKERS) --dist loadfile -m "not browser and not soak"
	$(PYTEST) -n $(WORKERS) --dist loadfile -m "browser and not soak" tests/e2e tests/test_browser.py

# Compiles each test once, on the core that the checks leave idle, where each worker would compile all of them.
collected: .venv/.installed-dev
	@mkdir -p build
	@$(PYTEST) -n 0 --collect-only -q >build/collected.txt || { tail -n 50 build/collected.txt; exit 1; }

test-fast: .venv/.installed-dev ## Run the tests that need neither a browser nor patience, within a minute
	$(PYTEST) -n $(WORKERS) --dist loadfile -m "not browser and not slow and not soak" \
		-p no:schemathesis --ignore tests/contract --ignore tests/e2e --ignore tests/surfaces --ignore tests/access \
		--ignore tests/validation

# The tests that write to the database or read what was written; the others cannot notice which database there is,
# and the catalog that pages and the engine read is the same from either: tests/catalog/test_load.py compares them.
# `make test-postgres STORED=` runs all of them on PostgreSQL.
STORED = -m "stored and not soak and not browser" tests/access tests/catalog/test_bad_rows.py tests/catalog/test_load.py \
	tests/catalog/test_lookup.py tests/contract/test_schemathesis.py tests/db tests/jobs \
	tests/server/test_application.py tests/server/test_heavy_server.py tests/server/test_server.py \
	tests/teams tests/saved tests/scenarios/sweeping tests/saved/team_catalog tests/scenarios/test_access.py \
	tests/surfaces/rest/people tests/surfaces/rest/saved tests/surfaces/rest/test_bad_input.py tests/surfaces/rest/test_batches.py \
	tests/surfaces/rest/test_own_runs.py tests/surfaces/rest/test_projections.py \
	tests/surfaces/rest/test_sweeps.py tests/surfaces/rest/test_fleets.py tests/surfaces/rest/test_team_catalog.py tests/surfaces/rest/test_team_climate.py tests/surfaces/cli/test_backup.py \
	tests/surfaces/cli/test_catalog.py tests/surfaces/cli/test_database.py tests/surfaces/cli/test_saved.py tests/surfaces/cli/test_sweeps.py tests/surfaces/cli/test_user.py \
	tests/surfaces/pages/catalog/test_climate_upload.py tests/surfaces/pages/catalog/test_own.py tests/surfaces/pages/catalog/test_own_model.py \
	tests/surfaces/pages/catalog/test_own_quote.py tests/surfaces/pages/people tests/surfaces/pages/saved tests/surfaces/pages/sharing tests/surfaces/pages/studies tests/surfaces/pages/fleet tests/surfaces/pages/sweeps \
	tests/surfaces/pages/together tests/surfaces/pages/test_pages.py
# Requests are made up anew each time: CONTRACT_SEED=N, which each run prints first, tries the same again.
# CONTRACT_SECONDS is how long that may take, about: 60 where it is not set.
# Operations that only compute are tried with made-up requests on SQLite alone, and so is what the server cuts off itself.
COMPUTED = -k "not no_request_is_refused and not (schemathesis and (economics or fabric or facility or serving or validations or figures or trends))"

test-postgres: .venv/.installed-dev chromium ## Run the tests of what is stored on PostgreSQL: one that is started and thrown away
	sh scripts/postgres.sh $(PYTEST) -n $(WORKERS) --dist loadfile $(STORED) $(if $(STORED),$(COMPUTED))

check: .venv/.installed-dev ## Look at style, types, the arrows between rooms and the wording, changing nothing
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m scripts.plain_words

format: .venv/.installed-dev ## Put the code into shape
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# `make bench ONLY='studio openings'` times these sections of bench/run.py alone.
bench: .venv/.installed ## Time the main things; prints a table and writes build/bench.json
	$(BIN)/python -m bench.run --json build/bench.json $(if $(ONLY),--only $(ONLY))

# `make golden ONLY='rest .*/economics/cost'` records only what matches; see the head of tests/golden/__main__.py.
golden: .venv/.installed-dev ## Record every answer of the examples again, and show what differs from the golden record
	$(BIN)/python -m tests.golden --processes $(WORKERS) $(if $(ONLY),--only '$(ONLY)')

golden-accept: .venv/.installed-dev ## Take what `make golden` recorded last as the golden record
	$(BIN)/python -m tests.golden --accept

# The commit must have this target as well; its code runs with the environment of this checkout.
golden-texts: .venv/.installed-dev ## Make the texts of the golden record of a commit, REF=main, for `make golden` to compare with
	-@git worktree remove --force build/golden/commit 2>/dev/null
	git worktree add --force --detach build/golden/commit $(or $(REF),HEAD)
	cd build/golden/commit && $(CURDIR)/$(BIN)/python -m tests.golden --processes $(WORKERS) --into $(CURDIR)/build/golden/before \
		$(if $(ONLY),--only '$(ONLY)'); result=$$?; cd $(CURDIR) && git worktree remove --force build/golden/commit; exit $$result

# `make soak LENGTH=short` makes the same checks with a fifth to a half of the kills, time and designs.
LENGTH ?= long

soak: .venv/.installed-dev ## Keep a server busy for a while and watch that it stays well
	PODWRIGHT_TEST_SOAK=$(LENGTH) $(PYTEST) -m soak --verbose -p tests.soak.figures $$(grep -rl --include="*.py" "mark\.soak" tests)
	$(if $(filter long,$(LENGTH)),CONTRACT_SECONDS=600 $(PYTEST) -p tests.soak.figures tests/contract)

lock: ## Write the versions of constraints.txt with hashes, licences and a bill of software
	sh scripts/lock.sh

audit: ## Ask for known vulnerabilities of what the image holds; needs the internet
	sh scripts/audit.sh

chromium: .venv/.installed-dev
	sh scripts/ensure_chromium.sh

clean: ## Remove caches and build outputs; the database and .venv stay
	rm -rf build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache .benchmarks
	find app tests bench -name __pycache__ -type d -prune -exec rm -rf {} +

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.venv/.installed: pyproject.toml requirements/build.txt requirements/run.txt scripts/install.sh
	@sh scripts/install.sh run
	@touch $@

.venv/.installed-dev: pyproject.toml requirements/build.txt requirements/dev.txt scripts/install.sh
	@sh scripts/install.sh dev
	@touch .venv/.installed $@

.PHONY: run test collected test-fast test-postgres check format bench golden golden-accept golden-texts soak lock audit chromium clean help
