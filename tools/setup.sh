#!/usr/bin/env bash
# SPDX-FileCopyrightText: The Trammel authors
# SPDX-License-Identifier: BSD-3-Clause
#
# Installs the Debian packages that building and testing need, if any are missing. Asks apt nothing
# when all are there.
#   --bench   also what `make bench` needs
#   --fuzz    also what `make fuzz` needs
#   --peers   also the programs that `make bench-peers` runs beside ours
set -euo pipefail

packages=(
  g++ cmake ninja-build
  libeigen3-dev libyaml-cpp-dev libmuparser-dev libfmt-dev libcli11-dev libhdf5-dev libmetis-dev libxbyak-dev
  librsvg2-bin
  doctest-dev nlohmann-json3-dev python3 python3-h5py valgrind qemu-user
)

for option in "$@"; do
  case $option in
    --bench) packages+=(libbenchmark-dev libsuitesparse-dev) ;;
    --fuzz) packages+=(clang libclang-rt-14-dev) ;;
    --peers) packages+=(libsundials-dev libsimbody-dev libmujoco-dev libdart-dev
                        libdart-external-ikfast-dev libdart-external-lodepng-dev
                        libdart-external-odelcpsolver-dev) ;;
    *) echo "setup: unknown option $option" >&2; exit 3 ;;
  esac
done

# The page is built with node and npm and tested in Chromium. A node that is there stays: Debian's own
# would come over it.
if ! command -v node >/dev/null; then
  packages+=(nodejs npm)
elif ! command -v npm >/dev/null; then
  echo "setup: node is there but npm is not: Trammel is built without pages" >&2
fi
command -v chromium >/dev/null || packages+=(chromium)

if ! command -v dpkg-query >/dev/null; then
  echo "setup: not a Debian system; install the likes of: ${packages[*]}" >&2
  exit 0
fi

missing=()
for package in "${packages[@]}"; do
  status=$(dpkg-query --show --showformat='${db:Status-Status}' "$package" 2>/dev/null || true)
  [[ $status == installed ]] || missing+=("$package")
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
