# SPDX-FileCopyrightText: The Trammel authors
# SPDX-License-Identifier: BSD-3-Clause
"""What the command-line tests share: the program, a small model, a folder of their own."""
import csv
import json
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

PROGRAM = os.environ["TRAMMEL_PROGRAM"]
MODELS = Path(os.environ["TRAMMEL_MODELS"])
TIMEOUT = 120  # s; the sanitizer build is slow

PENDULUM = """\
trammel: 1
name: test pendulum
gravity: [0, -9.81, 0]
parameters: {length: 0.5, spin: 1}
bodies:
  bob: {mass: 2, inertia: [0.1, 0.2, 0.2], position: [length, 0, 0], angular_velocity: [spin, 0, 0]}
joints:
  pivot: {kind: spherical, bodies: [ground, bob], points: [[0, 0, 0], [-length, 0, 0]]}
simulation: {t_end: 1, rtol: 1e-8, atol: 1e-8}
"""

# Two hinges on one axis: five of the ten equations repeat the others.
DOOR = """\
trammel: 1
name: door on two hinges
bodies:
  door: {mass: 10, inertia: [1, 1, 1], position: [0.5, 0, 0]}
joints:
  top: {kind: revolute, bodies: [ground, door], at: [0, 0, 1], axis: [0, 0, 1]}
  bottom: {kind: revolute, bodies: [ground, door], at: [0, 0, -1], axis: [0, 0, 1]}
"""


class CommandLineTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="trammel-cli-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.model = self.write("pendulum.yaml", PENDULUM)

    def write(self, name, text):
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        return str(path)

    def path(self, name):
        return str(self.folder / name)

    def trammel(self, *arguments, **options):
        """Runs the program; stdin is empty, stdout and stderr are pipes."""
        return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True,
                              encoding="utf-8", stdin=subprocess.DEVNULL, timeout=TIMEOUT,
                              check=False, **options)

    def run_json(self, *arguments, status=0):
        """The object that `trammel run --json` prints."""
        done = self.trammel("run", *arguments, "--json")
        self.assertEqual(done.returncode, status, done.stderr)
        return json.loads(done.stdout, parse_constant=self.fail)  # no NaN, no Infinity

    def assert_fails(self, status, message, *arguments):
        """Exit status, one message on stderr, nothing on stdout, no new file."""
        before = sorted(self.folder.rglob("*"))
        done = self.trammel(*arguments)
        self.assertEqual(done.returncode, status, done.stderr)
        self.assertIn(message, done.stderr)
        self.assertEqual(done.stdout, "")
        self.assertEqual(sorted(self.folder.rglob("*")), before)
        return done


def read_csv(path):
    """Header and rows of numbers."""
    with open(path, newline="", encoding="utf-8") as file:
        header, *rows = csv.reader(file)
    return header, [[float(field) for field in row] for row in rows]
