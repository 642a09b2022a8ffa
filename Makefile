# Everything lands in .venv, .cache and build of this checkout; nothing is installed elsewhere.
#   make demo   run the quickstart: scripts and a query log through Spark into a store, and a picture
#   make test   every check there is: style, types, import direction, tests on both supported parsers, the wheel

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

PYTHON ?= python3
WORKERS ?= 2
UV_VERSION := 0.13.7
BUILD := --build-constraints requirements/build.txt

VENV := .venv
VENV29 := .cache/venv-sqlglot29
VENVOM := .cache/venv-openmetadata
NODE := .cache/node
BIN := $(VENV)/bin
UV := .cache/tools/bin/uv
TESTS29 := $(wildcard $(addprefix tests/,analysis export golden metadata model sql))

export UV_CACHE_DIR := $(CURDIR)/.cache/uv
export UV_PYTHON_DOWNLOADS := never
export HYPOTHESIS_STORAGE_DIRECTORY := $(CURDIR)/.cache/hypothesis
export PIP_DISABLE_PIP_VERSION_CHECK := 1
# Hundreds of processes are started by the tests: none of them should have to compile what it imports.
export PYTHONPYCACHEPREFIX := $(CURDIR)/.cache/bytecode
unexport PYTHONDONTWRITEBYTECODE
unexport VIRTUAL_ENV
unexport UV_PROJECT_ENVIRONMENT
unexport PYTHONPATH
unexport CONDA_PREFIX

# install ENVIRONMENT LOCK: the pinned packages, each checked against its hash, then the checkout itself, editable. What builds the
# checkout is checked against its hashes too.
install = $(UV) venv --quiet --allow-existing --python $(PYTHON) $(1) && \
  $(UV) pip install --quiet --python $(1)/bin/python --require-hashes -r requirements/$(2).txt && \
  $(UV) pip install --quiet --python $(1)/bin/python --no-deps $(BUILD) --editable .
LOCK := pip compile --quiet --generate-hashes --upgrade --universal --python-version 3.10 --no-annotate --no-header
COMPILE := $(LOCK) pyproject.toml

say = @printf '\n==> %s\n' $(1)

.PHONY: help demo test lint types layers unit unit29 openmetadata package format lock licences wheel clean

help:
	@printf '%s\n' \
	  'make demo     run the quickstart into build/quickstart and show the result' \
	  'make test     style, types, import direction, the tests on sqlglot 30 and 29, the wheel' \
	  'make format   let ruff format and mend the sources' \
	  'make lock     resolve the dependencies anew into requirements/' \
	  'make wheel    build the distribution into dist' \
	  'make clean    remove what the other targets made'

# --- set-up -----------------------------------------------------------------------------------------------------

$(UV):
	$(call say,"Fetching uv $(UV_VERSION) from PyPI into .cache/tools")
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 10))' \
	  || { echo "Python 3.10 or newer is needed; name one with: make PYTHON=/path/to/python3 $(MAKECMDGOALS)" >&2; exit 2; }
	@if $(PYTHON) -m pip --version >/dev/null 2>&1; then \
	  $(PYTHON) -m pip install --quiet --upgrade --root-user-action=ignore --target .cache/tools --require-hashes -r requirements/uv.txt; \
	elif $(PYTHON) -m venv .cache/tools-venv >/dev/null 2>&1; then \
	  .cache/tools-venv/bin/python -m pip install --quiet --upgrade --root-user-action=ignore --target .cache/tools --require-hashes -r requirements/uv.txt; \
	else \
	  echo "$(PYTHON) has neither pip nor venv; on Debian: apt-get install python3-venv" >&2; exit 2; \
	fi

# The stamps lie inside the environments, so that removing an environment removes its stamp. What a developer has added
# to .venv stays there.
$(VENV)/.ready-run: pyproject.toml requirements/run.txt | $(UV)
	$(call say,"Installing the connector into $(VENV) as requirements/run.txt says")
	@$(call install,$(VENV),run)
	@touch $@

$(VENV)/.ready-test: pyproject.toml requirements/dev.txt | $(UV)
	$(call say,"Installing the connector and the test tools into $(VENV) as requirements/dev.txt says")
	@$(call install,$(VENV),dev)
	@touch $@ $(VENV)/.ready-run

$(VENV29)/.ready-test: pyproject.toml requirements/sqlglot29.txt | $(UV)
	$(call say,"Installing the connector with sqlglot 29.0.1 into $(VENV29)")
	@$(call install,$(VENV29),sqlglot29)
	@touch $@

$(VENVOM)/.ready-test: pyproject.toml requirements/openmetadata.txt | $(UV)
	$(call say,"Installing the connector beside OpenMetadata's ingestion client into $(VENVOM): 160 packages")
	@$(call install,$(VENVOM),openmetadata)
	@touch $@

# What checks the page's JavaScript. Node itself comes from the machine; the page needs none of it.
$(NODE)/.ready: requirements/node/package.json requirements/node/package-lock.json
	$(call say,"Installing eslint and TypeScript into $(NODE) as requirements/node/package-lock.json says")
	@command -v npm >/dev/null \
	  || { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && export DEBIAN_FRONTEND=noninteractive \
	    && { apt-get install -y -qq --no-install-recommends nodejs npm >/dev/null 2>&1 \
	      || { apt-get update -qq && apt-get install -y -qq --no-install-recommends nodejs npm >/dev/null; }; }; } \
	  || { echo "Node.js 18.18 or newer with npm is needed to check the page; on Debian: apt-get install nodejs npm" >&2; exit 2; }
	@mkdir -p $(NODE) && cp requirements/node/package.json requirements/node/package-lock.json $(NODE)/
	@npm ci --prefix $(NODE) --silent --no-audit --no-fund
	@touch $@

# --- demo -------------------------------------------------------------------------------------------------------

demo: $(VENV)/.ready-run
	@BIN=$(BIN) examples/demo.sh

# --- checks -----------------------------------------------------------------------------------------------------

test: lint types layers unit unit29 openmetadata package
	$(call say,"All checks passed")

lint: $(VENV)/.ready-test $(NODE)/.ready
	$(call say,"Style: ruff")
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	$(call say,"The JavaScript of the page: eslint and tsc")
	@$(NODE)/node_modules/.bin/eslint --max-warnings 0 connector/export/page/assets
	@$(NODE)/node_modules/.bin/tsc --project tsconfig.json

types: $(VENV)/.ready-test
	$(call say,"Types: mypy --strict")
	@$(BIN)/mypy

layers: $(VENV)/.ready-test
	$(call say,"Import direction: import-linter")
	@$(BIN)/lint-imports --cache-dir .cache/import-linter

unit: $(VENV)/.ready-test
	$(call say,"Tests with sqlglot 30")
	@$(BIN)/pytest -q -n $(WORKERS)

unit29: $(VENV29)/.ready-test
	$(call say,"Tests with sqlglot 29.0.1: what reads SQL and what is made of it")
	@$(VENV29)/bin/pytest -q -n $(WORKERS) -o cache_dir=.cache/pytest29 --ignore tests/export/page $(TESTS29)

# A scheduled run of $(VENV) is held against the plugin, too.
openmetadata: $(VENVOM)/.ready-test $(VENV)/.ready-test
	$(call say,"The OpenMetadata plugin under the real ingestion client")
	@$(VENVOM)/bin/python -m pytest -q -n $(WORKERS) -o cache_dir=.cache/pytest-openmetadata tests/catalogs/openmetadata_plugin

# The wheel's own code, with the dependencies of $(VENV), away from the checkout.
package: $(VENV)/.ready-test
	$(call say,"The wheel: built and used by itself")
	@rm -rf .cache/wheel
	@$(UV) build --quiet --wheel --python $(PYTHON) --require-hashes $(BUILD) --out-dir .cache/wheel
	@$(UV) pip install --quiet --python $(BIN)/python --no-deps --target .cache/wheel/site .cache/wheel/*.whl
	@cp examples/daily_revenue.sql .cache/wheel/
	@cd .cache/wheel && PYTHONPATH=site ../../$(BIN)/python -c 'import connector.common.resources as r; \
	  print(*(r.resource_folder(name).relative_to(r.Path.cwd()) for name in ("typedefs", "mappings")), sep="\n")'
	@cd .cache/wheel && PYTHONPATH=site ../../$(BIN)/python -m connector analyze daily_revenue.sql --level table

# --- upkeep -----------------------------------------------------------------------------------------------------

format: $(VENV)/.ready-test
	@$(BIN)/ruff check --fix .
	@$(BIN)/ruff format .

lock: $(UV)
	@$(UV) $(COMPILE) --group sqlglot30 --extra spark --extra atlas --output-file requirements/run.txt
	@$(UV) $(COMPILE) --group sqlglot30 --extra spark --extra atlas --extra serve --extra notebook --extra mcp --group test --group systems --group lint --output-file requirements/dev.txt
	@$(UV) $(COMPILE) --group sqlglot29 --group test --output-file requirements/sqlglot29.txt
	@$(UV) $(COMPILE) --extra openmetadata --group openmetadata --output-file requirements/openmetadata.txt
	@echo 'uv==$(UV_VERSION)' | $(UV) $(LOCK) --output-file requirements/uv.txt -
	@$(PYTHON) -c 'import re; print(*re.findall(r"^requires = \[\"(.*)\"\]", open("pyproject.toml").read(), re.M))' \
	  | $(UV) $(LOCK) --output-file requirements/build.txt -
	@cd requirements/node && npm install --silent --package-lock-only --omit-lockfile-registry-resolved --no-audit --no-fund

licences: $(VENV)/.ready-test
	@$(BIN)/python requirements/list_licences.py

wheel: $(UV)
	$(call say,"Building the distribution into dist")
	@$(UV) build --quiet --python $(PYTHON) --require-hashes $(BUILD)

clean:
	rm -rf $(VENV) .cache build dist
