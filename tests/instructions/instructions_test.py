# SPDX-FileCopyrightText: The Trammel authors
# SPDX-License-Identifier: BSD-3-Clause
#
# How many instructions the whole process executes for the paper's models at the paper's tolerances,
# and for the planar twin of one of them (callgrind). Seconds on a shared machine say little;
# instructions do not change. The planar quadrangle must need at most a third of the spatial one's,
# reading the file and starting the program apart, at the same tolerance and with the same steps.
import os
import re
import subprocess
import sys

PROGRAM = os.environ["TRAMMEL_PROGRAM"]
MODELS = os.environ["TRAMMEL_MODELS"]

# millions of instructions
LIMITS = {"paper/pendulum": 40, "paper/quadrangle": 250, "paper/crank": 250,
          "planar/quadrangle": 75}


RATIO = 3.0
TIGHT = ["--rtol", "1e-12", "--atol", "1e-12"]
AN_INSTANT = ["--t-end", "1e-9", "--output-interval", "1e-9"]


def count(model, *options):
    command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null",
               PROGRAM, "run", f"{MODELS}/{model}.yaml", "-q", *options]
    run = subprocess.run(command, capture_output=True, text=True)
    if run.returncode != 0:
        sys.exit(f"{' '.join(command)} failed:\n{run.stderr}")
    return int(re.search(r"Collected : (\d+)", run.stderr).group(1))


failed = 0
for name, limit in LIMITS.items():
    instructions = count(name)
    verdict = "ok" if instructions <= limit * 10**6 else "TOO MANY"
    failed += verdict != "ok"
    print(f"{name:<18} {instructions / 1e6:7.1f} million instructions, limit {limit}: {verdict}")


for options in ([], TIGHT):
    space, plane = (count(f"{kind}/quadrangle", *options) -
                    count(f"{kind}/quadrangle", *options, *AN_INSTANT)
                    for kind in ("paper", "planar"))
    verdict = "ok" if space >= RATIO * plane else "TOO FEW"
    failed += verdict != "ok"
    print(f"quadrangle {' '.join(options):<28} {space / 1e6:.1f} in space, {plane / 1e6:.1f} in the "
          f"plane: {space / plane:.2f} times, at least {RATIO}: {verdict}")
sys.exit(1 if failed else 0)
