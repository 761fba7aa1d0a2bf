# SPDX-FileCopyrightText: The Trammel authors
# SPDX-License-Identifier: BSD-3-Clause
#
# A model is checked once on its way from the file to the run: of the pendulum, which has one joint, callgrind
# sees check_joint called once.
import os
import re
import subprocess
import tempfile
import unittest

PROGRAM = os.environ["TRAMMEL_PROGRAM"]
MODEL = os.environ["TRAMMEL_MODELS"] + "/paper/pendulum.yaml"


def count_calls(function, *arguments):
    with tempfile.TemporaryDirectory() as folder:
        profile = folder + "/profile"
        subprocess.run(["valgrind", "--tool=callgrind", f"--callgrind-out-file={profile}",
                        "--compress-strings=no", PROGRAM, *arguments],
                       check=True, capture_output=True)
        with open(profile, encoding="utf-8", errors="replace") as file:
            lines = file.read().splitlines()
    calls = 0
    for called, count in zip(lines, lines[1:]):
        if called.startswith("cfn=") and f"::{function}(" in called:
            calls += int(re.match(r"calls=(\d+)", count).group(1))
    return calls


class CheckedOnce(unittest.TestCase):
    def test_run(self):
        self.assertEqual(count_calls("check_joint", "run", MODEL, "-q", "--t-end", "0.01"), 1)

    def test_check(self):
        self.assertEqual(count_calls("check_joint", "check", MODEL, "-q"), 1)


if __name__ == "__main__":
    unittest.main()
