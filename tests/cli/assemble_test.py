# SPDX-FileCopyrightText: The Trammel authors
# SPDX-License-Identifier: BSD-3-Clause
"""trammel assemble: a rough drawing in, a model with a start that fits out."""
import json
import unittest

from support import CommandLineTest

ROUGH = """\
trammel: 1            # a comment
name: rough four-bar
bodies:
  crank:   {mass: 1, inertia: [0.1, 0.1, 0.1], position: [0, 0.5, 0], orientation: {axis: [0, 0, 1], angle: 92 deg}}
  coupler: {mass: 2, inertia: [0.2, 0.2, 0.2], position: [1.02, 1, 0.01]}
  rocker:  {mass: 1, inertia: [0.1, 0.1, 0.1], position: [2, 0.49, 0], orientation: {axis: [0, 0, 1], angle: 90 deg}}
joints:
  a: {kind: revolute, bodies: [ground, crank], points: [[0, 0, 0], [-0.5, 0, 0]], a_i: [1, 0, 0], b_i: [0, 1, 0], a_j: [0, 0, 1]}
  b: {kind: revolute, bodies: [crank, coupler], points: [[0.5, 0, 0], [-1, 0, 0]], a_i: [1, 0, 0], b_i: [0, 1, 0], a_j: [0, 0, 1]}
  c: {kind: revolute, bodies: [coupler, rocker], points: [[1, 0, 0], [0.5, 0, 0]], a_i: [1, 0, 0], b_i: [0, 1, 0], a_j: [0, 0, 1]}
  d: {kind: revolute, bodies: [ground, rocker], points: [[2, 0, 0], [-0.5, 0, 0]], a_i: [1, 0, 0], b_i: [0, 1, 0], a_j: [0, 0, 1]}
simulation: {t_end: 1}
"""


class Assemble(CommandLineTest):
    def test_writes_the_model_back(self):
        model = self.write("rough.yaml", ROUGH)
        start = self.folder / "start.yaml"
        done = self.trammel("assemble", model, "-o", str(start))
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("moved", done.stdout)
        self.assertIn(f"Written: {start}", done.stdout)
        text = start.read_text(encoding="utf-8")
        self.assertTrue(text.startswith(ROUGH))
        check = json.loads(self.trammel("check", str(start), "--json").stdout)
        self.assertTrue(check["ok"])
        self.assertLess(check["assembly"]["residual_before"], 1e-14)
        self.assertEqual((check["rows"], check["rank"], check["degrees_of_freedom"]), (20, 17, 1))

    def test_quiet_and_without_output(self):
        model = self.write("rough.yaml", ROUGH)
        done = self.trammel("assemble", model, "-q")
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))

    def test_what_cannot_close_is_named_and_nothing_is_written(self):
        model = self.write("far.yaml", ROUGH.replace("points: [[2, 0, 0]", "points: [[9, 0, 0]"))
        start = self.folder / "start.yaml"
        done = self.trammel("assemble", model, "-o", str(start))
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stdout, r"cannot be assembled: .* open: .*d \(")
        self.assertIn("cannot be assembled", done.stderr)
        self.assertFalse(start.exists())


if __name__ == "__main__":
    unittest.main()
