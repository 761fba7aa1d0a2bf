# SPDX-FileCopyrightText: The Trammel authors
# SPDX-License-Identifier: BSD-3-Clause
#
# The front door: installs what is missing, configures, builds, runs. Underneath is plain CMake with
# presets (CMakePresets.json), which can be used directly.
.DEFAULT_GOAL := help
.PHONY: help demo test build lint asan tsan fuzz format renew-docs import-reference pictures moving-pictures docs clean again \
        study-invariants study-conditioning bench bench-peers bench-report

preset  := release
release := build/$(preset)
program := $(release)/trammel
demo    := build/demo
bench   := build/bench
starts  := 20
seconds := 600
fuzzers := model table mesh results command

help:
	@echo "make demo    simulate the paper's crank mechanism; results and page in $(demo)/"
	@echo "make test    build everything and run all tests"
	@echo "make build   build the program $(program) and the tests"
	@echo "make lint    check the format of the sources, run clang-tidy"
	@echo "make asan    unit and law tests, clang++ with the address and undefined-behaviour sanitizers"
	@echo "make tsan    tests that use threads, clang++ with the thread sanitizer"
	@echo "make fuzz    libFuzzer, ten CPU minutes per target (seconds=60: less)"
	@echo "make format  format the sources"
	@echo "make import-reference  renew what other programs calculate, for tests of the importers"
	@echo "make renew-docs  renew the parts of docs/ that the program prints: tables, outputs of commands"
	@echo "make docs    build the searchable site of the documentation in build/docs"
	@echo "make pictures  draw the pictures of README.md and docs/"
	@echo "make study-invariants  the tables of docs/studies/invariants.md, minutes"
	@echo "make study-conditioning  the tables of docs/studies/conditioning.md, minutes"
	@echo "make bench   work-precision and scaling, tables and plots in $(bench)/, an hour or more (starts=3: less)"
	@echo "make bench-peers  the same next to Simbody, SUNDIALS, MuJoCo and DART, which it installs; an hour or more"
	@echo "             (model=governor: that alone, minutes)"
	@echo "make clean   remove everything that was built"
	@echo
	@echo "Missing Debian packages are installed first (root or sudo), only those that the target needs."

# Quick when nothing is missing; groups in tools/setup.sh
setup-%:
	@tools/setup.sh $*

# Once; afterwards the build notices changed CMake files by itself. A build without the page is
# configured again, in case npm can fetch now. The demo does without tests and what they need.
$(release)/build.ninja: $(if $(wildcard $(release)/viewer/no_page),again) | setup-demo
	@tests=$$(grep -qs TRAMMEL_BUILD_TESTS:BOOL=ON $(release)/CMakeCache.txt && echo ON || echo OFF) && \
	cmake --preset $(preset) -DTRAMMEL_BUILD_TESTS=$$tests --log-level=NOTICE

build: $(release)/build.ninja | setup-test
	@grep -qs TRAMMEL_BUILD_TESTS:BOOL=ON $(release)/CMakeCache.txt || \
	  cmake --preset $(preset) --log-level=NOTICE
	cmake --build --preset $(preset)

demo: $(release)/build.ninja
	@cmake --build --preset $(preset) --target trammel_program
	@mkdir -p $(demo)
	@page=$$(test -f $(release)/viewer/no_page || echo "-o $(demo)/crank.html") && \
	$(program) run models/paper/crank.yaml -o $(demo)/crank.csv -o $(demo)/crank.json $$page && \
	if [ -n "$$page" ]; then echo "Open $(demo)/crank.html in a browser to see it move."; \
	else echo "No $(demo)/crank.html: $$(cat $(release)/viewer/no_page)."; fi

test: build
	ctest --preset $(preset)

build/asan/build.ninja build/tsan/build.ninja: build/%/build.ninja: | setup-fuzz
	cmake --preset $* --log-level=WARNING

# Accelerations by MuJoCo and Pinocchio, from PyPI, for the tests of the importers
import-reference:
	python3 -m venv build/import-reference
	build/import-reference/bin/pip install -q -r tests/import/requirements.txt
	build/import-reference/bin/python tests/import/make_reference.py tests/import/models/*.xml tests/import/models/*.urdf
	build/import-reference/bin/python tests/import/make_reference.py --states 20 tests/import/robots/5bar_linkage/robot.urdf tests/import/robots/cassie_like/robot.urdf tests/import/robots/pal_talos/talos.xml tests/import/robots/agility_cassie/cassie.xml tests/import/robots/robotiq_2f85_v4/2f85.xml

renew-docs: build
	@TRAMMEL_RENEW_DOCS=1 $(release)/tests/test_unit --source-file='*/generated_docs_test.cpp'
	@TRAMMEL_RENEW_DOCS=1 ctest --preset $(preset) -R '^(cli/docs|install)$$' --output-on-failure

# The search needs a server: a browser does not let a page from a file read its index.
docs: | setup-docs
	@python3 -B tools/make_site.py build/docs
	@echo "To read and search it: python3 -m http.server -d build/docs 8000, then http://localhost:8000"

pictures: $(release)/build.ninja moving-pictures
	@cmake --build --preset $(preset) --target trammel_program
	@python3 -B tools/make_pictures.py $(program)
	@python3 -B tools/draw_joints.py

# The picture at the top of README.md: two revolutions of the crank, so that the end meets the beginning
moving-pictures: $(release)/build.ninja | setup-test
	@cmake --preset $(preset) --log-level=NOTICE
	@cmake --build --preset $(preset) --target trammel_program
	@mkdir -p $(demo)
	@$(program) run models/paper/crank.yaml -q --t-end 4 -o $(demo)/moving.h5
	@$(program) render $(demo)/moving.h5 -o docs/pictures/crank.webp -q --size 560x300 \
	  --from 2.1 --to 2.901 --duration 4 --fps 20

# clang++, warnings are errors; unit and law tests and the fuzz targets are built, the tests run
asan: build/asan/build.ninja
	cmake --build --preset asan
	ctest --preset asan

tsan: build/tsan/build.ninja
	cmake --build --preset tsan
	ctest --preset tsan

# What fails is left in build/asan/found/TARGET; once fixed, it goes into tests/fuzz/corpus/TARGET.
fuzz: build/asan/build.ninja
	cmake --build --preset asan --target $(addprefix fuzz_,$(fuzzers))
	for target in $(fuzzers); do python3 -B tests/fuzz/fuzz.py $$target $(seconds) || exit 1; done

sources = $$(git ls-files --cached --others --exclude-standard -- '*.hpp' '*.cpp')

lint: build/asan/build.ninja | setup-ci
	clang-format --dry-run -Werror $(sources)
	python3 -B tools/tidy.py build/asan

format: | setup-ci
	clang-format -i $(sources)

study-invariants: $(release)/build.ninja
	@cmake --build --preset $(preset) --target invariants_study
	@$(release)/bench/invariants_study

# Simbody's table where it is installed
study-conditioning: $(release)/build.ninja
	@cmake --build --preset $(preset) --target conditioning
	@$(release)/bench/conditioning
	@! cmake --build --preset $(preset) --target simbody_conditioning >/dev/null 2>&1 || \
	  $(release)/bench/peers/simbody_conditioning

# Benches (docs/studies/performance.md). A configured build does not look again for packages installed since:
# hence the reconfiguration. Files of another run are removed, so that all ratios are of one.
bench: $(release)/build.ninja | setup-bench
	@cmake --preset $(preset) --log-level=NOTICE
	@cmake --build --preset $(preset) --target work_precision scaling costs ensemble kernels
	@mkdir -p $(bench) && rm -f $(bench)/*.csv
	$(release)/bench/work_precision $(bench)/work_precision.csv $(starts)
	$(release)/bench/costs $(bench)/costs.csv
	$(release)/bench/ensemble $(bench)/ensemble.csv
	$(release)/bench/scaling $(bench)/scaling.csv
	@$(MAKE) --no-print-directory bench-report

# model=governor: that alone, without costs and growth
bench-peers: $(release)/build.ninja | setup-bench setup-peers
	@cmake --preset $(preset) --log-level=NOTICE
	@cmake --build --preset $(preset) --target work_precision \
	  $(if $(model),sundials_peer simbody_peer,scaling costs peers)
	@mkdir -p $(bench) && rm -f $(bench)/*.csv
	$(release)/bench/work_precision $(bench)/work_precision.csv $(starts) \
	  $(if $(model),"$(model)",pendulum quadrangle crank arm "tree of 30" governor)
	for peer in sundials simbody $(if $(model),,mujoco dart); do \
	  $(release)/bench/peers/$${peer}_peer $(bench)/peer_$$peer.csv $(starts) "$(model)" || \
	  echo "bench-peers: $$peer ended early, the tables have what it wrote" >&2; done
	$(if $(model),,$(release)/bench/costs $(bench)/costs.csv 1000)
	$(if $(model),,$(release)/bench/scaling $(bench)/scaling.csv 1000 chain)
	@$(MAKE) --no-print-directory bench-report

# tables and plots of what is in $(bench)
bench-report:
	@python3 -B bench/tables.py $(bench) | tee $(bench)/tables.md
	@python3 -B bench/plots.py $(bench)

clean:
	rm -rf build
