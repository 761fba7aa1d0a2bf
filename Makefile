# SPDX-FileCopyrightText: The Trammel authors
# SPDX-License-Identifier: BSD-3-Clause
#
# The front door: installs what is missing, configures, builds, runs. Underneath is plain CMake with
# presets (CMakePresets.json); who knows it may use it directly.
.DEFAULT_GOAL := help
.PHONY: help demo test build asan fuzz setup setup-fuzz format clean study-invariants study-conditioning \
        bench bench-peers bench-report

release := build/release
program := $(release)/trammel
demo    := build/demo
bench   := build/bench
starts  := 20

help:
	@echo "make demo    simulate the paper's crank mechanism, results and its page in $(demo)/"
	@echo "make test    build everything and run all tests"
	@echo "make build   build the program $(program) and the tests"
	@echo "make asan    build and test with the address and undefined-behaviour sanitizers"
	@echo "make fuzz    ten minutes of libFuzzer per target (seconds=60: less); needs clang++, which it installs"
	@echo "make format  put the sources into the house's format (needs clang-format)"
	@echo "make study-invariants  the tables of docs/invariants.md, minutes"
	@echo "make study-conditioning  the tables of docs/conditioning.md, minutes"
	@echo "make bench   work-precision and scaling, tables and plots in $(bench)/, an hour or more (starts=3: less)"
	@echo "make bench-peers  the same beside Simbody, SUNDIALS, MuJoCo and DART, which it installs; an hour or more"
	@echo "make clean   remove everything that was built"
	@echo
	@echo "demo, test, build and asan first install missing Debian packages (root or sudo)."

# Quick when nothing is missing.
setup:
	@tools/setup.sh

# Once; afterwards the build notices changed CMake files by itself.
build/%/build.ninja: | setup
	cmake --preset $* --log-level=WARNING

build: $(release)/build.ninja | setup
	cmake --build --preset release

demo: $(release)/build.ninja | setup
	@cmake --build --preset release --target trammel_program
	@mkdir -p $(demo)
	@page=$$(test ! -f $(release)/viewer/page_template.cpp || echo "-o $(demo)/crank.html") && \
	$(program) run models/paper/crank.yaml -o $(demo)/crank.csv -o $(demo)/crank.json $$page && \
	if [ -n "$$page" ]; then echo "Open $(demo)/crank.html in a browser to see it move."; \
	else echo "Built without pages (node and npm are missing): no $(demo)/crank.html."; fi

test: build
	ctest --preset release

setup-fuzz:
	@tools/setup.sh --fuzz

# What fails is left in build/fuzz/found/TARGET; mended, it goes into tests/fuzz/corpus/TARGET.
seconds := 600
fuzz: | setup-fuzz
	python3 -B tests/fuzz/fuzz_test.py build
	for target in model table results command; do \
	  TRAMMEL_FUZZ_SECONDS=$(seconds) python3 -B tests/fuzz/fuzz_test.py $$target || exit 1; done

asan: build/asan/build.ninja | setup
	cmake --build --preset asan
	ctest --preset asan

study-invariants: $(release)/build.ninja | setup
	@cmake --build --preset release --target invariants_study
	@$(release)/bench/invariants_study

# Simbody's table where it is installed
study-conditioning: $(release)/build.ninja | setup
	@cmake --build --preset release --target conditioning
	@$(release)/bench/conditioning
	@! cmake --build --preset release --target simbody_conditioning >/dev/null 2>&1 || \
	  $(release)/bench/peers/simbody_conditioning

# Benches (docs/performance.md). A configured build does not look again for packages installed since:
# hence the reconfiguration. Files of another run are removed, so that all ratios are of one.
bench: $(release)/build.ninja | setup
	@tools/setup.sh --bench
	@cmake --preset release --log-level=WARNING
	@cmake --build --preset release --target work_precision scaling costs ensemble kernels
	@mkdir -p $(bench) && rm -f $(bench)/*.csv
	$(release)/bench/work_precision $(bench)/work_precision.csv $(starts)
	$(release)/bench/costs $(bench)/costs.csv
	$(release)/bench/ensemble $(bench)/ensemble.csv
	$(release)/bench/scaling $(bench)/scaling.csv
	@$(MAKE) --no-print-directory bench-report

bench-peers: $(release)/build.ninja | setup
	@tools/setup.sh --bench --peers
	@cmake --preset release --log-level=WARNING
	@cmake --build --preset release --target work_precision scaling costs peers
	@mkdir -p $(bench) && rm -f $(bench)/*.csv
	$(release)/bench/work_precision $(bench)/work_precision.csv $(starts) \
	  pendulum quadrangle crank arm "tree of 30" governor
	for peer in sundials simbody mujoco dart; do \
	  $(release)/bench/peers/$${peer}_peer $(bench)/peer_$$peer.csv $(starts) || \
	  echo "bench-peers: $$peer ended early, the tables have what it wrote" >&2; done
	$(release)/bench/costs $(bench)/costs.csv 1000
	$(release)/bench/scaling $(bench)/scaling.csv 1000 chain
	@$(MAKE) --no-print-directory bench-report

# tables and plots of what is in $(bench)
bench-report:
	@python3 -B bench/tables.py $(bench) | tee $(bench)/tables.md
	@python3 -B bench/plots.py $(bench)

format:
	find include src cli tests bench -name '*.hpp' -o -name '*.cpp' | xargs clang-format -i

clean:
	rm -rf build
