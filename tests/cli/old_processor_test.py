# SPDX-FileCopyrightText: The Trammel authors
# SPDX-License-Identifier: BSD-3-Clause
"""The program runs on a processor without AVX (qemu-user), and gives the same bits there."""
import shutil
import subprocess
import unittest

from support import MODELS, PROGRAM, CommandLineTest

EMULATOR = shutil.which("qemu-x86_64") or shutil.which("qemu-x86_64-static")


@unittest.skipUnless(EMULATOR, "qemu-x86_64 is not installed")
class OldProcessor(CommandLineTest):
    def run_on(self, prefix, model, name):
        path = self.path(name)
        command = [*prefix, PROGRAM, "run", f"{MODELS}/{model}.yaml", "-q", "-o", path,
                   "--t-end", "1", "--output-interval", "0.1"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""), command)
        with open(path, "rb") as file:
            return file.read()

    def test_bits(self):
        for model in ("paper/crank", "planar/quadrangle", "gallery/chain"):
            old = self.run_on([EMULATOR, "-cpu", "Nehalem"], model, "old.csv")
            self.assertEqual(self.run_on([], model, "new.csv"), old, model)


if __name__ == "__main__":
    unittest.main()
