#!/usr/bin/env bash
# SPDX-FileCopyrightText: The Trammel authors
# SPDX-License-Identifier: BSD-3-Clause
#
# Installs the Debian packages of the groups named on the command line, if any are missing. Does not
# call apt when all are there.
#   demo    the compiler, the libraries, node and npm for the page: what the program needs
#   test    what `make test` needs
#   docs    what `make docs` needs
#   ci      clang-format and clang-tidy, and all of fuzz
#   fuzz    clang++ with its sanitizers and libFuzzer
#   bench   what `make bench` needs
#   peers   the programs that `make bench-peers` compares with
# Every group but docs includes demo; all but demo and docs include test.
set -euo pipefail

demo_packages=(
  g++ cmake ninja-build
  libeigen3-dev libyaml-cpp-dev libfmt-dev libcli11-dev libhdf5-dev libmetis-dev libxbyak-dev libpugixml-dev
)
# A node that is there stays: Debian's own would replace it.
if ! command -v node >/dev/null; then
  demo_packages+=(nodejs npm)
elif ! command -v npm >/dev/null; then
  echo "setup: node is there but npm is not: Trammel is built without its page" >&2
fi

docs_packages=(python3 mkdocs mkdocs-material)
test_packages=(doctest-dev nlohmann-json3-dev libmuparser-dev librsvg2-bin ffmpeg
               libwebp-dev libpng-dev webp python3 python3-h5py python3-dev python3-venv valgrind qemu-user
               "${docs_packages[@]}")
command -v chromium >/dev/null || test_packages+=(chromium)
clang_packages=(clang libclang-rt-14-dev llvm)

if [[ $# -eq 0 ]]; then
  echo "usage: tools/setup.sh demo|test|docs|ci|fuzz|bench|peers ..." >&2
  exit 3
fi
packages=()
for group in "$@"; do
  [[ $group == docs ]] || packages+=("${demo_packages[@]}")
  [[ $group == demo || $group == docs ]] || packages+=("${test_packages[@]}")
  case $group in
    demo | test) ;;
    docs) packages+=("${docs_packages[@]}") ;;
    ci) packages+=("${clang_packages[@]}" clang-format clang-tidy git) ;;
    fuzz) packages+=("${clang_packages[@]}") ;;
    bench) packages+=(libbenchmark-dev libsuitesparse-dev) ;;
    peers) packages+=(libsundials-dev libsimbody-dev libmujoco-dev libdart-dev
                      libdart-external-ikfast-dev libdart-external-lodepng-dev
                      libdart-external-odelcpsolver-dev) ;;
    *) echo "setup: unknown group $group" >&2; exit 3 ;;
  esac
done

if ! command -v dpkg-query >/dev/null; then
  echo "setup: not a Debian system; install the equivalents of: ${packages[*]}" >&2
  exit 0
fi

missing=()
for package in "${packages[@]}"; do
  status=$(dpkg-query --show --showformat='${db:Status-Status}' "$package" 2>/dev/null || true)
  [[ $status == installed || " ${missing[*]-} " == *" $package "* ]] || missing+=("$package")
done
[[ ${#missing[@]} -eq 0 ]] && exit 0

echo "setup: installing ${missing[*]}"
if [[ $EUID -eq 0 ]]; then
  as_root=()
elif command -v sudo >/dev/null; then
  as_root=(sudo)
else
  echo "setup: neither root nor sudo; have an administrator run" >&2
  echo "  apt-get install ${missing[*]}" >&2
  exit 1
fi
"${as_root[@]}" apt-get update -qq
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
  apt-get install -y -qq --no-install-recommends "${missing[@]}"
