# SPDX-FileCopyrightText: The Trammel authors
# SPDX-License-Identifier: BSD-3-Clause
#
# How many instructions the whole process executes for the paper's models at the paper's tolerances,
# for the planar twin of one of them and for a mechanism with redundant rows (callgrind), by machine code
# and by loops. Recorded is the motion, with reactions and energies; loads of force elements come on top.
# Seconds on a shared machine say little; instructions do not change. A rise by more than 3 % fails;
# what is counted here is renewed, by hand and with a reason, when it falls or has to rise.
import os
import re
import subprocess
import sys

PROGRAM = os.environ["TRAMMEL_PROGRAM"]
MODELS = os.environ["TRAMMEL_MODELS"]

MARGIN = 1.03
# millions of instructions: with machine code (a processor with AVX2), with loops
# The loops, which only large mechanisms use, went through one function per evaluation once; now the
# sequence is the one that is traced, too (+3 to 6 %). Start-up: 0.3 for a further command and options, 0.3
# for units, frames and states of the model file.
RECORD = "positions,velocities,reactions,energies,violations,steps"
COUNTED = {"paper/pendulum": (15.7, 22.0), "paper/quadrangle": (82.4, 139.4),
           "paper/crank": (71.8, 142.1), "planar/quadrangle": (31.8, 68.1),
           "planar/andrews": (42.1, 61.8), "gallery/n_four_bar": (168.9, 192.0)}


def count(model, *options):
    command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null",
               PROGRAM, "run", f"{MODELS}/{model}.yaml", "-q", "--record", RECORD, *options]
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
