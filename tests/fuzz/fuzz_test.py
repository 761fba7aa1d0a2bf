# SPDX-FileCopyrightText: The Trammel authors
# SPDX-License-Identifier: BSD-3-Clause
"""libFuzzer: `build` builds the targets with clang++, `TARGET` runs one on its corpus and goes on from
there for some seconds. Without clang++ both are skipped."""
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

SKIPPED = 77
SOURCE = Path(__file__).resolve().parents[2]
BUILD = SOURCE / "build" / "fuzz"
CORPUS = Path(__file__).resolve().parent / "corpus"


def build():
    subprocess.run(["cmake", "--preset", "fuzz", "--log-level=ERROR"], cwd=SOURCE, check=True)
    subprocess.run(["cmake", "--build", "--preset", "fuzz"], cwd=SOURCE, check=True)


def fuzz(target, seconds):
    program = BUILD / "tests" / "fuzz" / f"fuzz_{target}"
    # inputs that are new stay out of the sources; what fails is kept beside the program
    found = BUILD / "found" / target
    found.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="trammel-fuzz-") as folder:
        shutil.copytree(CORPUS / target, folder, dirs_exist_ok=True)
        command = [str(program), f"-max_total_time={seconds}", "-timeout=60", "-rss_limit_mb=6000",
                   "-detect_leaks=0", "-close_fd_mask=3", "-max_len=200000", "-len_control=20",
                   f"-artifact_prefix={found}/", folder]
        print(" ".join(command), flush=True)
        # libhdf5 does not give everything back that it read from a damaged file
        return subprocess.run(command, check=False,
                              env={**os.environ, "ASAN_OPTIONS": "detect_leaks=0"}).returncode


if __name__ == "__main__":
    if shutil.which("clang++") is None:
        print("there is no clang++")
        sys.exit(SKIPPED)
    if sys.argv[1] == "build":
        build()
    else:
        sys.exit(fuzz(sys.argv[1], int(os.environ.get("TRAMMEL_FUZZ_SECONDS", "10"))))
