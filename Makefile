# uv when it is there, else venv and pip; the lock file is the same.
VENV ?= .venv
BIN := $(VENV)/bin
UV := $(shell command -v uv 2>/dev/null)
PYTHON ?= python3

.PHONY: install demo test lint bench reference clean

install: $(VENV)/.installed

$(VENV)/.installed: requirements.lock pyproject.toml
	@echo "installing into $(VENV) (once; several minutes on a slow connection)"
ifdef UV
	test -x $(BIN)/python || uv venv --quiet --seed $(VENV)
	uv pip install --quiet --python $(BIN)/python --require-hashes -r requirements.lock
	uv pip install --quiet --python $(BIN)/python --no-deps --editable .
else
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --editable .
endif
	touch $@

demo: install
	$(BIN)/jevhouse demo

test: install
	$(BIN)/sqlmesh test
	$(BIN)/python -m pytest

lint: install
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/sqlmesh lint

bench: install
	$(BIN)/python -m bench.image
	$(BIN)/python -m bench.documents
	$(BIN)/python -m bench.harness

reference: install
	$(BIN)/python -m ingest.reference

clean:
	rm -rf out logs .cache
