# SPDX-FileCopyrightText: The Trammel authors
# SPDX-License-Identifier: BSD-3-Clause
#
# The front door: installs what is missing, configures, builds, runs. Underneath is plain CMake with
# presets (CMakePresets.json); who knows it may use it directly.
.DEFAULT_GOAL := help
.PHONY: help demo test build asan setup format clean study-invariants

release := build/release
program := $(release)/trammel
demo    := build/demo

help:
	@echo "make demo    simulate the paper's crank mechanism, results and its page in $(demo)/"
	@echo "make test    build everything and run all tests"
	@echo "make build   build the program $(program) and the tests"
	@echo "make asan    build and test with the address and undefined-behaviour sanitizers"
	@echo "make format  put the sources into the house's format (needs clang-format)"
	@echo "make study-invariants  the tables of docs/invariants.md, minutes"
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

asan: build/asan/build.ninja | setup
	cmake --build --preset asan
	ctest --preset asan

study-invariants: $(release)/build.ninja | setup
	@cmake --build --preset release --target invariants_study
	@$(release)/bench/invariants_study

format:
	find include src cli tests bench -name '*.hpp' -o -name '*.cpp' | xargs clang-format -i

clean:
	rm -rf build
