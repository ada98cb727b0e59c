# Fresh machines need Python 3.11 or later and make; tools/setup.sh brings the rest into .venv.
PYTHON ?= python3
# Windows has the programs of an environment in another folder.
BIN := .venv/$(if $(filter Windows_NT,$(OS)),Scripts,bin)
PY := $(BIN)/python
# A worker for each core; tests/kit/harness/spreading.py says which tests stay together. A worker that crashes ends the
# run: xdist would wait for ever for the tests of the one that takes its place.
PARALLEL ?= --numprocesses=auto --dist=loadscope --max-worker-restart=0

# Tests start hundreds of commands, and none should compile all sources anew: an empty value permits Python to keep
# what it compiled, whatever the environment says.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: help setup demo browser browser-picture test lint types check pytest fuzz fuzz-some docs interop bench wheel clean

help:
	@echo "make setup   make .venv and put in it all that the project uses"
	@echo "make demo    a checkpoint, converted, answers on a real MicroPython"
	@echo "make browser a page that runs models in MicroPython in a browser, build/browser/index.html"
	@echo "make test    lint, types, checks, and all tests on every interpreter"
	@echo "make fuzz    the tests of random examples, with many more of them; the fuzzer for ten minutes"
	@echo "make docs    the documentation as a site, build/docs/index.html"
	@echo "make interop build Burn's own crates, where there is a cargo, and test against them"
	@echo "make bench   measurements, as a table and as build/bench.json"
	@echo "make wheel   dist/burnstore-*.whl and the source archive"
	@echo "make clean   remove all that was made"

setup:
	@PYTHON="$(PYTHON)" sh tools/setup.sh

demo: setup
	$(PY) examples/digits/demo.py

browser: setup
	$(PY) examples/browser/build.py --open

# The README's picture of it, by a Chromium without a window.
browser-picture: setup
	$(PY) tests/kit/browser.py docs/pictures/browser.png

# mypy has a core to itself for as long as the tests need to begin.
test:
	$(MAKE) -j2 lint types check pytest

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: setup
	$(BIN)/mypy

check: setup
	$(PY) -m tools.check_portable
	$(PY) -m tools.check_imports
	$(PY) -m tools.asm --check

docs: setup
	rm -rf build/docs build/docs.doctrees
	$(PY) -m tools.docs

# Says so, and skips the tests, where Burn's own crates can't be built.
interop: setup
	$(PY) -m tools.interop
	$(PY) -m pytest $(PARALLEL) tests/host/interop

# Each worker has a core: threads of numpy's BLAS would only wait for each other, and take thrice the time for it.
pytest fuzz interop: export OMP_NUM_THREADS ?= 1

pytest: setup
	$(PY) tools/interpreters.py --list
	$(PY) -m pytest $(PARALLEL)

# The tests of random examples alone, with 25 times as many; then the fuzzer of all parsers.
FUZZED ?= --minutes 10
fuzz: setup
	$(PY) -m pytest $(PARALLEL) --hypothesis-profile=many -m hypothesis
	$(PY) -m tools.fuzz $(FUZZED)

# The fuzzer alone, a few inputs of each parser.
fuzz-some: setup
	$(PY) -m tools.fuzz --inputs 400

bench: setup
	$(PY) -m tools.bench

wheel: setup
	rm -rf dist
	$(PY) -m build --no-isolation

clean:
	rm -rf .venv build dist tools/wasm/node_modules tools/emulated_pico/node_modules .hypothesis .mypy_cache .pytest_cache .ruff_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
