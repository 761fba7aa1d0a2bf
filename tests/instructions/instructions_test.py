# SPDX-FileCopyrightText: The Trammel authors
# SPDX-License-Identifier: BSD-3-Clause
#
# How many instructions the whole process executes for the paper's models at the paper's tolerances,
# and for the planar twin of one of them (callgrind), by machine code and by loops. Seconds on a shared
# machine say little; instructions do not change. A rise by more than 3 % fails; what is counted here
# is renewed, by hand and with a reason, when it falls or has to rise.
import os
import re
import subprocess
import sys

PROGRAM = os.environ["TRAMMEL_PROGRAM"]
MODELS = os.environ["TRAMMEL_MODELS"]

MARGIN = 1.03
# millions of instructions: with machine code (a processor with AVX2), with loops
COUNTED = {"paper/pendulum": (22.8, 21.4), "paper/quadrangle": (103.8, 135.5),
           "paper/crank": (93.9, 138.1), "planar/quadrangle": (42.5, 64.4)}


def count(model, *options):
    command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null",
               PROGRAM, "run", f"{MODELS}/{model}.yaml", "-q", *options]
    run = subprocess.run(command, capture_output=True, text=True)
    if run.returncode != 0:
        sys.exit(f"{' '.join(command)} failed:\n{run.stderr}")
    return int(re.search(r"Collected : (\d+)", run.stderr).group(1)) / 1e6


def has_avx2():
    try:
        with open("/proc/cpuinfo", encoding="ascii") as file:
            return " avx2 " in file.read().replace("\n", " ")
    except OSError:
        return False


failed = 0
for kernel in ("auto", "loops"):
    if kernel == "auto" and not has_avx2():
        print("no AVX2 here: machine code is not counted")
        continue
    for name, counted in COUNTED.items():
        limit = MARGIN * counted[kernel == "loops"]
        instructions = count(name, "--kernel", kernel)
        verdict = "ok" if instructions <= limit else "TOO MANY"
        failed += verdict != "ok"
        print(f"{name:<18} {kernel:<6}{instructions:8.2f} million instructions, limit {limit:.1f}: "
              f"{verdict}")
sys.exit(1 if failed else 0)
