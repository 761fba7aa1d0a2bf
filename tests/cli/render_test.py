# SPDX-FileCopyrightText: The Trammel authors
# SPDX-License-Identifier: BSD-3-Clause
"""Pictures: SVG, PNG and animated WebP; errors. Those of the documentation: pictures_test.py."""
import re
import shlex
import shutil
import subprocess
import unittest
import xml.etree.ElementTree
from pathlib import Path

from support import MODELS, CommandLineTest


def read_webp(data):
    """Size of the canvas, loops, and (milliseconds, bytes) of the frames of an animated WebP file."""
    assert data[:4] == b"RIFF" and data[8:12] == b"WEBP", data[:12]
    at, frames, size, loops = 12, [], None, None
    while at < len(data):
        kind, length = data[at:at + 4], int.from_bytes(data[at + 4:at + 8], "little")
        body = data[at + 8:at + 8 + length]
        if kind == b"VP8X":
            size = tuple(int.from_bytes(body[k:k + 3], "little") + 1 for k in (4, 7))
        elif kind == b"ANIM":
            loops = int.from_bytes(body[4:6], "little")
        elif kind == b"ANMF":
            frames.append((int.from_bytes(body[12:15], "little"), length))
        at += 8 + length + length % 2
    return size, loops, frames


NUMBER = re.compile(r"-?\d+(?:\.\d+)?")


class Picture(CommandLineTest):
    def setUp(self):
        super().setUp()
        self.h5 = self.path("crank.h5")

    def run_crank(self):
        done = self.trammel("run", MODELS / "paper" / "crank.yaml", "-q", "-o", self.h5)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_svg_is_xml_and_inside_its_frame(self):
        self.run_crank()
        for t in (0, 3.21, 10):
            done = self.trammel("render", self.h5, "-o", self.path("a.svg"), "--t", t, "--labels",
                                "--trail", "1", "--size", "640")
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

    def make_webp(self, *arguments):
        done = self.trammel("render", self.h5, "-o", self.path("a.webp"), *arguments)
        if "this build of Trammel has no animations" in done.stderr:
            self.skipTest("built without libwebp")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout, read_webp((self.folder / "a.webp").read_bytes())

    def test_the_moving_picture_of_the_readme(self):
        makefile = (MODELS.parent / "Makefile").read_text("utf-8")
        recipe = re.search(r"^moving-pictures:.*?\n\n", makefile, re.M | re.S).group()
        run, render = re.findall(r"\$\(program\) (.*(?:\n\t  .*)?)", recipe)
        run, render = (shlex.split(command.replace("\\\n", "")) for command in (run, render))
        self.assertEqual((run[:2], render[2:4]), (["run", "models/paper/crank.yaml"],
                                                  ["-o", "docs/pictures/crank.webp"]))
        done = self.trammel("run", MODELS / "paper" / "crank.yaml", *run[2:-1], self.h5)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        _, made = self.make_webp(*render[4:])
        kept = (MODELS.parent / "docs" / "pictures" / "crank.webp").read_bytes()
        self.assertLess(len(kept), 400_000)
        size, loops, frames = read_webp(kept)
        # the encoder's bytes may change with its version, when and how long frames are shown not
        self.assertEqual((size, loops, [duration for duration, _ in frames]),
                         (made[0], made[1], [duration for duration, _ in made[2]]))
        self.assertIn("](docs/pictures/crank.webp)", (MODELS.parent / "README.md").read_text("utf-8"))

    def test_animation(self):
        self.run_crank()
        text, (size, loops, frames) = self.make_webp("--from", "1", "--to", "2", "--fps", "20",
                                                     "--size", "320x200", "--speed", "0.5")
        self.assertEqual(text, "40 frames, 2 s at 0.5 times real time\n")
        self.assertEqual((size, loops), ((320, 200), 0))
        self.assertEqual([milliseconds for milliseconds, _ in frames], [50] * 40)
        # it moves: none of the frames is empty
        self.assertGreater(min(length for _, length in frames), 200)

    def test_animation_by_duration_and_by_itself(self):
        self.run_crank()
        text, (size, _, frames) = self.make_webp("--fps", "3", "--duration", "4", "--energies",
                                                 "--size", "200")
        self.assertEqual(text, "12 frames, 4 s at 2.5 times real time\n")
        self.assertEqual(size, (200, 192))
        self.assertEqual(sum(milliseconds for milliseconds, _ in frames), 4000)
        self.assertEqual({milliseconds for milliseconds, _ in frames}, {333, 334})
        text, (size, _, frames) = self.make_webp("--fps", "2", "-q")
        self.assertEqual((text, size, len(frames)), ("", (640, 384), 20))

    def test_other_programs_read_the_animation(self):
        self.run_crank()
        self.make_webp("--duration", "1", "--fps", "5", "--size", "200")
        if shutil.which("webpmux") is None:
            self.skipTest("webpmux is not installed")
        info = subprocess.run(["webpmux", "-info", self.path("a.webp")], capture_output=True,
                              text=True, check=True).stdout
        self.assertIn("Canvas size: 200 x 120", info)
        self.assertIn("Number of frames: 5", info)
        for k in range(1, 6):
            self.assertRegex(info, rf"\n +{k}: .* 200 +none ")  # milliseconds

    def test_between_output_times(self):
        # between two coarse output times the slider is where it is in a run with fine ones, and the
        # picture is not that of the nearest output time (accuracy: tests/laws/interpolate_test.cpp)
        model = MODELS / "paper" / "crank.yaml"

        def draw(interval, t):
            done = self.trammel("run", model, "-q", "--t-end", "4", "--output-interval", interval,
                                "-o", self.h5)
            self.assertEqual(done.returncode, 0, done.stderr)
            done = self.trammel("render", self.h5, "-o", self.path("a.svg"), "--t", t, "--labels")
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            text = (self.folder / "a.svg").read_text("utf-8")
            self.assertIn(f"t = {t} s", text)
            return float(re.search(r'<text x="([\d.]+)"[^>]*>slider<', text).group(1))

        coarse, fine = draw("0.1", "3.05"), draw("0.05", "3.05")
        self.assertAlmostEqual(coarse, fine, delta=2)  # pixels: the cameras differ a little
        self.assertGreater(abs(coarse - draw("0.1", "3")), 10)
        self.assertGreater(abs(coarse - draw("0.1", "3.1")), 10)

    def test_what_is_missing_for_a_time_between(self):
        model = MODELS / "paper" / "crank.yaml"
        self.trammel("run", model, "-q", "--t-end", "1", "--record", "positions", "-o", self.h5)
        self.assert_fails(1, "velocities, which the interpolation needs, were not recorded; there "
                             "are t = 0.499 s and t = 0.5 s\n", "render", self.h5, "-o",
                          self.path("a.svg"), "--t", "0.4995")
        done = self.trammel("render", self.h5, "-o", self.path("a.svg"), "--t", "0.5")
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_errors_of_animations(self):
        self.run_crank()
        out = self.path("a.webp")
        for message, *options in (
                ("--t: a .webp file moves", "--t", "1"),
                ("--speed and --duration: one or the other", "--speed", "1", "--duration", "2"),
                ("--fps: must be greater than 0", "--fps", "0")):
            self.assert_fails(3, message, "render", self.h5, "-o", out, *options)
        for message, *options in (
                ("5 s to 11 s is outside the run, 0 s to 10 s", "--from", "5", "--to", "11"),
                ("nothing moves", "--from", "5", "--to", "5"),
                ("frames are more than 10000", "--speed", "1e-3")):
            self.assert_fails(1, message, "render", self.h5, "-o", out, *options)

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
        self.assert_fails(3, "the extension must be .svg, .png or .webp", "render", self.h5, "-o",
                          self.path("a.gif"))
        self.assert_fails(3, "--size: must be from 100 to 10000 pixels, got 20", "render", self.h5,
                          "-o", out, "--size", "640x20")
        self.assert_fails(3, "--size: must be WIDTH or WIDTHxHEIGHT, got '640x'", "render", self.h5,
                          "-o", out, "--size", "640x")
        self.assert_fails(3, "--fps: only for .webp files, which move", "render", self.h5, "-o",
                          out, "--fps", "10")
        self.assert_fails(3, "--t: 'soon' is not a number", "render", self.h5, "-o", out, "--t",
                          "soon")
        self.assert_fails(1, "cannot be read: No such file", "render", self.path("no.h5"), "-o",
                          out)
        self.trammel("run", self.model, "-q", "--record", "energies", "-o", self.path("e.h5"))
        self.assert_fails(1, "cannot be drawn: positions were not recorded", "render",
                          self.path("e.h5"), "-o", out)


if __name__ == "__main__":
    unittest.main()
