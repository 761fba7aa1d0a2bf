# SPDX-FileCopyrightText: The Trammel authors
# SPDX-License-Identifier: BSD-3-Clause
"""Runs a libFuzzer target of the build `asan` on its corpus and goes on from there.

Usage: fuzz.py TARGET SECONDS    SECONDS: CPU time, so that a loaded machine does as much as an idle one
"""
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
BUILD = FOLDER.parents[1] / "build" / "asan"


def used_seconds():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def fuzz(target, seconds):
    program = BUILD / "tests" / "fuzz" / f"fuzz_{target}"
    # inputs that are new stay out of the sources; what fails is kept in the build folder
    found = BUILD / "found" / target
    found.mkdir(parents=True, exist_ok=True)
    # libhdf5 does not free everything that it read from a damaged file
    environment = {**os.environ, "ASAN_OPTIONS": "detect_leaks=0"}
    executions = 0
    with tempfile.TemporaryDirectory(prefix="trammel-fuzz-") as folder:
        shutil.copytree(FOLDER / "corpus" / target, folder, dirs_exist_ok=True)
        while used_seconds() < seconds:
            # libFuzzer counts wall time: it is started again until the CPU time is used up
            wall = max(1, round(seconds - used_seconds()))
            command = [str(program), f"-max_total_time={wall}", "-timeout=60", "-rss_limit_mb=6000",
                       "-detect_leaks=0", "-close_fd_mask=3", "-max_len=200000", "-len_control=20",
                       "-print_final_stats=1", f"-artifact_prefix={found}/", folder]
            done = subprocess.run(command, check=False, env=environment, capture_output=True,
                                  text=True, errors="replace")
            if done.returncode != 0:
                print("\n".join(done.stderr.splitlines()[-80:]))
                print(f"fuzz {target}: exit status {done.returncode}, the input is in {found}")
                return 1
            executions += int(re.search(r"number_of_executed_units: *(\d+)", done.stderr).group(1))
    print(f"fuzz {target}: {executions} executions, {used_seconds():.0f} s of CPU, nothing found")
    return 0


if __name__ == "__main__":
    sys.exit(fuzz(sys.argv[1], float(sys.argv[2])))
