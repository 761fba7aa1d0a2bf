# SPDX-FileCopyrightText: The Trammel authors
# SPDX-License-Identifier: BSD-3-Clause
"""Code for a better processor shares no function with the rest: its object files have no weak symbol,
which the linker might take for all, and need nothing but the factorisation and the C library."""
import os
import re
import subprocess
import sys

ALLOWED = re.compile(r"void trammel::(solve|factorise)<double>|mem(set|cpy|move)$|sqrt$|"
                     r"__stack_chk_fail$|_GLOBAL_OFFSET_TABLE_$|__(asan|ubsan)_")

listing = subprocess.run(["nm", "-C", os.environ["TRAMMEL_LIBRARY"]], capture_output=True, text=True,
                         check=True).stdout
objects = dict(re.findall(r"^(\S+\.o):\n((?:.+\n)*)", listing, re.MULTILINE))
symbols = objects.get("avx2.cpp.o", "") + objects.get("avx2_planar.cpp.o", "")
if "avx2_kernel_in_space" not in symbols or "avx2_kernel_in_plane" not in symbols:
    print("this build has no kernel for AVX2")
    sys.exit(0 if os.uname().machine != "x86_64" else 1)
offences = []
for line in symbols.splitlines():
    kind, name = re.match(r"[0-9a-f ]{16} (\S) (.*)", line).groups()
    if kind in "WVu" or kind == "U" and not ALLOWED.search(name):
        offences.append(line.strip())
print("\n".join(offences) or f"{len(symbols.splitlines())} symbols, none shared")
sys.exit(1 if offences else 0)
