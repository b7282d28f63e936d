# Two commands for everybody: `make demo` and `make test`. Each does all its own set-up.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
TOOLS := $(VENV)/.tools
WAITING_WORKERS = $(shell expr $$(nproc) + 2)
export PYTHONDONTWRITEBYTECODE :=  # each worker and each process of a test would compile everything again
# After an upgrade of the system there is another Python in it, which finds nothing of what was installed for the old one.
STALE := $(if $(wildcard $(READY)),$(shell $(BIN)/python -c 'import pip' 2>/dev/null || echo stale))

.PHONY: demo test counted test-long test-versions kernel-test crash soak fuzz check bench docs clean stale

# Ctrl-C goes to the shell too; without the trap it would die of it, and make would report that as an error.
demo: $(READY)  ## Play in the browser against simulated people, on a simulated table
	@trap : INT; $(BIN)/ligretto-table demo $(ARGS) || [ $$? -eq 130 ]

# What counts for coverage runs apart: measuring makes the other tests three times as slow. Many of those wait now and then.
test: $(TOOLS)  ## All checks and all tests; every branch of the pure core must have been taken
ifdef ARGS
	@$(MAKE) --no-print-directory check
	@$(BIN)/python -m pytest $(ARGS)
else
	@$(MAKE) --no-print-directory -j 2 check counted
	@$(BIN)/python -m pytest -q -n $(WAITING_WORKERS) --dist loadgroup -m "not counted"
endif

counted: $(TOOLS)
	@$(BIN)/python -m pytest -q -n auto --dist worksteal -m counted --cov --cov-report=term

test-long: test test-versions kernel-test crash soak fuzz  ## What a release needs: hours, with many more examples of everything
	@$(MAKE) --no-print-directory kernel-test ARCH=aarch64
	@$(BIN)/python -m tests.damage
	@$(BIN)/python -m pytest -q -n auto --dist loadgroup --long

test-versions: $(TOOLS)  ## The tests with the oldest and newest libraries, on Python 3.11 and 3.13; ARGS=3.11-lowest
	@$(BIN)/python -m tests.versions $(ARGS)

kernel-test: $(TOOLS)  ## The real drivers on a real kernel in an emulator; ARGS="-k lamps" runs some of it, ARCH=aarch64 all of it as on a Pi
	@$(BIN)/python -m tests.kernel $(if $(ARCH),--arch=$(ARCH)) $(if $(DEBIAN),--debian=$(DEBIAN)) $(ARGS)

crash: $(TOOLS)  ## Kill the daemon in the middle of matches, again and again; CRASHES=n says how often
	@$(BIN)/python -m tests.crash --runs $(or $(CRASHES),300) $(ARGS)

soak: $(TOOLS)  ## Play 200 matches while devices fail and people walk away; REAL=30min in real time
	@$(BIN)/python -m tests.soak $(if $(REAL),--real $(REAL)) $(ARGS)

fuzz: $(TOOLS)  ## Arbitrary inputs for the referee, of each kind of table: N=200000 SEED=1
	@$(BIN)/python -m tests.fuzz $(if $(N),--inputs $(N)) $(if $(SEED),--seed $(SEED)) $(ARGS)

check: $(TOOLS)  ## Style, types and import contracts
	@$(BIN)/ruff format --check --quiet .
	@$(BIN)/ruff check --quiet .
	@$(BIN)/mypy --no-error-summary
	@$(BIN)/lint-imports --no-cache > .lint-imports.log || { cat .lint-imports.log; exit 1; }
	@echo "check: style, types and import contracts are clean"

bench: $(READY)  ## Measure this machine
	@$(BIN)/ligretto-table bench $(ARGS)

docs: $(TOOLS)  ## Draw again what the docs show: the session diagram, the times and the pictures
	@$(BIN)/python -m tests.guides
	@$(BIN)/python docs/draw.py
	@$(BIN)/python docs/tables.py
	@$(BIN)/python docs/evening.py
	@$(BIN)/python docs/drawings.py

# Playing needs little; testing needs the tools too.
$(READY): pyproject.toml Makefile $(STALE)
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "ligretto-table needs Python 3.11 or newer; name one with: make PYTHON=python3.x"; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null \
	  || { echo "Python can't make virtual environments here; install it with: sudo apt install python3-venv"; exit 1; }
	@echo "setting up $(VENV) (once) ..."
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install -qq --upgrade "pip>=25.1"
	@$(BIN)/python -m pip install -qq --editable ".[web]"
	@touch $@

stale:
	@echo "$(VENV) was made for another version of Python; making it again"
	@rm -rf $(VENV)

$(TOOLS): $(READY)
	@echo "adding the tools for tests and plots (once) ..."
	@$(BIN)/python -m pip install -qq --editable ".[plot,web]" --group dev
	@touch $@

clean:  ## Remove everything that the other commands made
	rm -rf $(VENV) build dist *.egg-info .lint-imports.log .coverage .coverage.* \
	  .hypothesis .mypy_cache .pytest_cache .ruff_cache
