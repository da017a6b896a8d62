# The one place for every command. Needs python3 (3.10 or later) and cargo; all else comes from pins.
# Stamp files inside the virtual environments remember what was done, so nothing is done twice.

PYTHON ?= python3
VENV := .venv
BENCH_VENV := .venv-bench
CLEAN_VENV := .venv-clean
DOCS_VENV := .venv-docs
BIN := $(VENV)/bin

MADE := $(VENV)/.made
BUILD_TOOLS := $(VENV)/.build-tools
TEST_TOOLS := $(VENV)/.test-tools
WHEEL_TOOLS := $(VENV)/.wheel-tools
RUN_TOOLS := $(VENV)/.run-tools
BUILT := $(VENV)/.built
INSTALLED := $(VENV)/.installed
BENCH_TOOLS := $(BENCH_VENV)/.tools
BENCH_INSTALLED := $(BENCH_VENV)/.installed
DOCS_TOOLS := $(DOCS_VENV)/.tools
DOCS_INSTALLED := $(DOCS_VENV)/.installed
# The site, and what is made on the way to it among its sources.
SITE := docs/_site
DOCS_MADE := docs/_made docs/reference/made

# All that goes into the wheel. Directories are listed too: they change when a file is removed.
SOURCES := Cargo.toml Cargo.lock pyproject.toml README.md LICENSE \
	$(shell find src python -not -path '*__pycache__*')

# One process per core; four at most, because some tests use several threads of their own. Tests of one group, as those
# that share an engine, stay in one process.
PROCESSES := --numprocesses=auto --maxprocesses=4 --dist=loadgroup

# The browser that reports are tested in, where there is one.
CHROMIUM ?= $(firstword $(foreach name,chromium-headless-shell chromium chromium-browser google-chrome,\
	$(shell command -v $(name))))
# Those tests have a target of their own.
NO_BROWSER := --ignore=tests/browser
# What the peak of a call is depends on how its threads fall together, so other work is kept away from it.
MEMORY := tests/machine/test_memory.py

PIP_OPTIONS := --quiet --disable-pip-version-check
say = @echo "--- $(1)"
# Runs a command that talks too much: what it said is shown only if it fails.
quietly = @$(1) > $(VENV)/log 2>&1 || { cat $(VENV)/log; exit 1; }

# A wheel for others holds no paths of the machine that built it (panic messages quote source files).
REMAP = --remap-path-prefix=$(CURDIR)=polyroc \
	--remap-path-prefix=$${CARGO_HOME:-$$HOME/.cargo}/registry/src=crates

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.NOTPARALLEL:
.PHONY: help run test test-quick test-browser lint bench coverage rejections power docs docs-figures wheel clean lint-rust lint-python test-rust test-python

help: ## List the commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: $(INSTALLED) $(RUN_TOOLS) ## Build, install, evaluate the example predictions, and leave a report
	@$(BIN)/polyroc example --out $(VENV)/example.parquet 2> /dev/null
	@$(BIN)/polyroc evaluate $(VENV)/example.parquet --label y --scores "{model}_p_{class}" \
		--bootstrap 2000 --seed 7 --report example-report.html

test: lint-rust test-rust test-python test-browser lint-python ## All checks: Rust and Python tests, a browser's, and lint

test-quick: $(INSTALLED) $(TEST_TOOLS) ## What to run all day: Python tests without the slow ones, a minute or two
	@POLYROC_HYPOTHESIS=quick $(BIN)/python -m pytest --quiet $(PROCESSES) $(NO_BROWSER) -m "not slow" $(ARGS)

test-browser: $(INSTALLED) $(TEST_TOOLS) ## The page of a report in a real browser, where a Chromium is found
ifeq ($(CHROMIUM),)
	@echo "--- no Chromium found, so the page is not tested in a browser: apt-get install chromium-headless-shell"
else
	$(call say,pytest in $(notdir $(CHROMIUM)))
	@POLYROC_CHROMIUM="$(CHROMIUM)" $(BIN)/python -m pytest --quiet tests/browser $(ARGS)
endif

lint: lint-rust lint-python ## rustfmt, clippy, ruff, mypy --strict, stubtest

bench: $(BENCH_INSTALLED) ## Time polyroc beside its peers, then measure memory and the command line (ARGS="--write": into the pages; "--help": options)
	@$(BENCH_VENV)/bin/python -m benches.speed.peers $(ARGS)
	@$(if $(filter-out --write,$(ARGS)),,$(BENCH_VENV)/bin/python -m benches.speed.command_line $(ARGS))
	@$(if $(filter-out --write,$(ARGS)),,$(BENCH_VENV)/bin/python -m benches.speed.memory $(ARGS))

coverage: $(INSTALLED) $(TEST_TOOLS) ## How often intervals cover the truth, half an hour (ARGS="--quick": one; "--help": options)
	@$(BIN)/python -m benches.studies.interval_coverage $(ARGS)
	@$(BIN)/python -m benches.studies.band_coverage $(ARGS)

rejections: $(INSTALLED) $(TEST_TOOLS) ## How often the tests of compare reject, ten minutes (ARGS="--quick": one; "--help": options)
	@$(BIN)/python -m benches.studies.rejection_rates $(ARGS)

power: $(INSTALLED) $(TEST_TOOLS) ## Promised against simulated power, two minutes (ARGS="--quick": fewer data sets)
	@$(BIN)/python -m benches.studies.power $(ARGS)
	@$(if $(findstring --references,$(ARGS)),,$(BIN)/python -m benches.studies.error_formulas $(ARGS))

docs: $(DOCS_INSTALLED) ## The site of the documentation, with an example report; warnings are errors
	@rm -rf $(SITE) $(DOCS_MADE)
	@$(DOCS_VENV)/bin/python docs/example_report.py
	@$(DOCS_VENV)/bin/python -m sphinx -q -W --keep-going -b html -E -d $(DOCS_VENV)/doctrees docs $(SITE)
	@$(DOCS_VENV)/bin/python docs/check_site.py $(SITE)
	@echo "$(SITE)/index.html"

docs-figures: $(DOCS_INSTALLED) ## Draw the pictures of the gallery and the README anew
	@$(DOCS_VENV)/bin/python docs/figures.py

wheel: $(WHEEL_TOOLS) ## A manylinux2014 abi3 wheel in dist/, audited and tried in a clean environment
	$(call say,building the manylinux2014 wheel)
	@rm -rf dist $(CLEAN_VENV)
	$(call quietly,PATH="$(abspath $(BIN)):$$PATH" RUSTFLAGS="$$RUSTFLAGS $(REMAP)" \
		maturin build --release --locked --zig --compatibility manylinux2014 --out dist)
	$(call say,abi3audit)
	$(call quietly,$(BIN)/abi3audit --strict dist/*.whl)
	$(call say,installing it into a clean environment)
	@$(PYTHON) -m venv $(CLEAN_VENV)
	@$(CLEAN_VENV)/bin/python -m pip install $(PIP_OPTIONS) --only-binary :all: dist/*.whl
	@$(CLEAN_VENV)/bin/python -I -W error -m polyroc > /dev/null
	@rm -rf $(CLEAN_VENV)
	@ls -sh dist/*.whl

clean: ## Remove everything that was built
	@rm -rf $(VENV) $(BENCH_VENV) $(CLEAN_VENV) $(DOCS_VENV) $(SITE) $(DOCS_MADE) dist target
	@rm -rf .hypothesis .mypy_cache .pytest_cache .ruff_cache example-report.html
	@find benches docs python tests -name __pycache__ -type d -prune -exec rm -rf {} +

lint-rust: $(MADE)
	$(call say,cargo fmt and clippy)
	@cargo fmt --check
	@cargo clippy --quiet --locked --all-targets -- -D warnings
	@PYO3_PYTHON="$(abspath $(BIN)/python)" \
		cargo clippy --quiet --locked --all-targets --features python -- -D warnings

test-rust:
	$(call say,cargo test)
	@cargo test --quiet --locked

test-python: $(INSTALLED) $(TEST_TOOLS)
	$(call say,pytest)
	@$(BIN)/python -m pytest --quiet $(PROCESSES) $(NO_BROWSER) --ignore=$(MEMORY)
	$(call say,pytest of memory by itself)
	@$(BIN)/python -m pytest --quiet $(MEMORY)
	$(call say,pytest of the examples in docstrings and README)
	@EAGER_IMPORT=1 $(BIN)/python -m pytest --quiet --doctest-modules --pyargs polyroc
	@$(BIN)/python -m pytest --quiet --doctest-glob="*.md" README.md docs

lint-python: $(INSTALLED) $(TEST_TOOLS)
	$(call say,ruff)
	@$(BIN)/ruff check --quiet python tests benches docs
	@$(BIN)/ruff format --quiet --check python tests benches docs
	$(call say,mypy and stubtest)
	@$(BIN)/mypy
	@$(BIN)/python -m mypy.stubtest polyroc._core

$(MADE):
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 10) and "polyroc needs Python 3.10+")'
	@command -v cargo > /dev/null || { echo "cargo is missing: https://rustup.rs"; exit 1; }
	$(call say,making $(VENV))
	@$(PYTHON) -m venv --clear $(VENV)
	@touch $@

$(BUILD_TOOLS): .ci/build.txt $(MADE)
	@$(BIN)/python -m pip install $(PIP_OPTIONS) -r $<
	@touch $@

$(WHEEL_TOOLS): .ci/wheel.txt .ci/build.txt $(MADE)
	$(call say,installing the tools of make wheel)
	@$(BIN)/python -m pip install $(PIP_OPTIONS) -r $<
	@touch $@

$(RUN_TOOLS): .ci/run.txt $(MADE)
	@$(BIN)/python -m pip install $(PIP_OPTIONS) -r $<
	@touch $@

$(TEST_TOOLS): tests/requirements.txt $(MADE)
	$(call say,installing the tools of make test)
	@$(BIN)/python -m pip install $(PIP_OPTIONS) -r $<
	@touch $@

$(BUILT): $(SOURCES) $(BUILD_TOOLS)
	$(call say,building the release wheel (a minute or two the first time))
	@rm -rf $(VENV)/wheel
	$(call quietly,$(BIN)/maturin build --release --locked --out $(VENV)/wheel \
		--interpreter $(BIN)/python)
	@touch $@

# Two steps, because the version number stays while the wheel changes: the first puts in the new
# wheel whatever is there, the second adds what it depends on.
$(INSTALLED): $(BUILT)
	@$(BIN)/python -m pip install $(PIP_OPTIONS) --force-reinstall --no-deps $(VENV)/wheel/*.whl
	@$(BIN)/python -m pip install $(PIP_OPTIONS) $(VENV)/wheel/*.whl
	@touch $@

$(BENCH_TOOLS): benches/speed/requirements.txt
	$(call say,making $(BENCH_VENV) with the peers)
	@$(PYTHON) -m venv --clear $(BENCH_VENV)
	@$(BENCH_VENV)/bin/python -m pip install $(PIP_OPTIONS) -r $<
	@touch $@

$(BENCH_INSTALLED): $(BENCH_TOOLS) $(BUILT)
	@$(BENCH_VENV)/bin/python -m pip install $(PIP_OPTIONS) --force-reinstall --no-deps \
		$(VENV)/wheel/*.whl
	@$(BENCH_VENV)/bin/python -m pip install $(PIP_OPTIONS) $(VENV)/wheel/*.whl
	@touch $@

$(DOCS_TOOLS): docs/requirements.txt
	$(call say,making $(DOCS_VENV) with the tools of make docs)
	@$(PYTHON) -m venv --clear $(DOCS_VENV)
	@$(DOCS_VENV)/bin/python -m pip install $(PIP_OPTIONS) -r $<
	@touch $@

$(DOCS_INSTALLED): $(DOCS_TOOLS) $(BUILT)
	@$(DOCS_VENV)/bin/python -m pip install $(PIP_OPTIONS) --force-reinstall --no-deps \
		$(VENV)/wheel/*.whl
	@$(DOCS_VENV)/bin/python -m pip install $(PIP_OPTIONS) $(VENV)/wheel/*.whl
	@touch $@
