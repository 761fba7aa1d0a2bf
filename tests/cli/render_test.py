# SPDX-FileCopyrightText: The Trammel authors
# SPDX-License-Identifier: BSD-3-Clause
"""Pictures: the one of the README is what the command makes; SVG and PNG; errors."""
import re
import shlex
import unittest
import xml.etree.ElementTree
from pathlib import Path

from support import MODELS, CommandLineTest

ROOT = MODELS.parent
NUMBER = re.compile(r"-?\d+(?:\.\d+)?")


class Picture(CommandLineTest):
    def setUp(self):
        super().setUp()
        self.h5 = self.path("crank.h5")

    def run_crank(self):
        done = self.trammel("run", MODELS / "paper" / "crank.yaml", "-q", "-o", self.h5)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_the_picture_of_the_readme(self):
        readme = (ROOT / "README.md").read_text("utf-8")
        command = re.search(r"trammel (render .*?crank\.svg.*)", readme).group(1)
        self.run_crank()
        words = [self.path("crank.svg") if word.endswith("crank.svg") else
                 self.h5 if word == "crank.h5" else word for word in shlex.split(command)]
        done = self.trammel(*words)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))
        made = (self.folder / "crank.svg").read_text("utf-8")
        kept = (ROOT / "docs" / "images" / "crank.svg").read_text("utf-8")
        self.assertIn("docs/images/crank.svg", readme)
        # the same drawing; a processor may round the last digit another way
        self.assertEqual(NUMBER.sub("#", made), NUMBER.sub("#", kept))
        for a, b in zip(NUMBER.findall(made), NUMBER.findall(kept)):
            self.assertAlmostEqual(float(a), float(b), delta=0.0201)

    def test_svg_is_xml_and_inside_its_frame(self):
        self.run_crank()
        for t in (0, 3.21, 10):
            done = self.trammel("render", self.h5, "-o", self.path("a.svg"), "--t", t, "--labels",
                                "--trail", "1", "--width", "640")
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            root = xml.etree.ElementTree.parse(self.path("a.svg")).getroot()
            self.assertEqual((root.get("width"), root.get("height")), ("640", "384"))
            polygons = root.findall(".//{http://www.w3.org/2000/svg}polygon")
            self.assertGreater(len(polygons), 50)
            for polygon in polygons:
                for point in polygon.get("points").split():
                    x, y = map(float, point.split(","))
                    self.assertTrue(0 <= x <= 640 and 0 <= y <= 384, point)
            names = [text.text for text in root.iter("{http://www.w3.org/2000/svg}text")]
            for name in ("crank", "rod", "slider", "g", "x", "y", "z"):
                self.assertIn(name, names)

    def test_png(self):
        self.run_crank()
        done = self.trammel("render", self.h5, "-o", self.path("a.png"), "--energies")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        image = (self.folder / "a.png").read_bytes()
        self.assertEqual(image[:8], b"\x89PNG\r\n\x1a\n")
        self.assertEqual(int.from_bytes(image[16:20], "big"), 1600)  # two pixels for one

    def test_png_without_the_converter(self):
        self.run_crank()
        done = self.trammel("render", self.h5, "-o", self.path("a.png"), env={"PATH": "/nowhere"})
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stderr, f"trammel: {self.path('a.png')}: cannot be written: the "
                         "program rsvg-convert is missing (Debian: librsvg2-bin); .svg does "
                         "without it\n")
        self.assertFalse((self.folder / "a.png").exists())

    def test_every_model_of_the_repository_can_be_drawn(self):
        drawn = 0
        for model in sorted(Path(MODELS).rglob("*.yaml")):
            if "bad" in model.parts:
                continue
            done = self.trammel("run", model, "-q", "--max-steps", "40", "-o", self.h5)
            if done.returncode not in (0, 2):
                continue
            done = self.trammel("render", self.h5, "-o", self.path("a.svg"), "--labels",
                                "--energies")
            self.assertEqual((done.returncode, done.stderr), (0, ""), model)
            text = (self.folder / "a.svg").read_text("utf-8")
            xml.etree.ElementTree.fromstring(text)
            self.assertNotRegex(text, r"\b(nan|inf)\b")
            drawn += 1
        self.assertGreater(drawn, 8)

    def test_errors(self):
        self.run_crank()
        out = self.path("a.svg")
        self.assert_fails(1, f"trammel: {self.h5}: cannot be drawn: t = 11 s is outside the run, "
                             "0 s to 10 s\n", "render", self.h5, "-o", out, "--t", "11")
        self.assert_fails(3, "the ending must be .svg or .png", "render", self.h5, "-o",
                          self.path("a.gif"))
        self.assert_fails(3, "--width: must be from 200 to 10000, got 20", "render", self.h5, "-o",
                          out, "--width", "20")
        self.assert_fails(3, "--t: 'soon' is not a number", "render", self.h5, "-o", out, "--t",
                          "soon")
        self.assert_fails(1, "cannot be read: No such file", "render", self.path("no.h5"), "-o",
                          out)
        self.trammel("run", self.model, "-q", "--record", "energies", "-o", self.path("e.h5"))
        self.assert_fails(1, "cannot be drawn: positions were not recorded", "render",
                          self.path("e.h5"), "-o", out)


if __name__ == "__main__":
    unittest.main()
