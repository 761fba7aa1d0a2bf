#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Trammel authors
# SPDX-License-Identifier: BSD-3-Clause
"""Pictures of README.md and docs/: what `trammel render` draws now; the gallery shows every model."""
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(os.environ["TRAMMEL_MODELS"]).resolve().parent
sys.path.insert(0, str(ROOT / "tools"))
import make_pictures  # noqa: E402  pylint: disable=wrong-import-position

PROGRAM = Path(os.environ["TRAMMEL_PROGRAM"]).resolve()
KEPT = {file.stem: file for file in make_pictures.FOLDER.glob("*.svg")}
GALLERY = ("gallery", "new_user", "paper", "planar", "redundant")


class Pictures(unittest.TestCase):
    def test_are_current(self):
        with tempfile.TemporaryDirectory() as folder:
            for name in make_pictures.PICTURES:
                with self.subTest(picture=name):
                    self.assertIn(name, KEPT, "run 'make pictures'")
                    drawn = make_pictures.draw(PROGRAM, name, Path(folder))
                    kept = KEPT[name].read_text("utf-8")
                    self.assertTrue(make_pictures.is_same_picture(kept, drawn, Path(folder)),
                                    f"{KEPT[name].name} is stale: run 'make pictures'")

    def test_sketches_of_joints_are_current(self):
        kept = ROOT / "docs/reference/joints"
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([sys.executable, "-B", ROOT / "tools/draw_joints.py", folder], check=True)
            drawn = {file.name: file.read_text("utf-8") for file in Path(folder).glob("*.svg")}
        self.assertEqual(set(drawn), {file.name for file in kept.glob("*.svg")})
        for name, svg in drawn.items():
            self.assertTrue(svg == (kept / name).read_text("utf-8"), f"{name}: run 'make pictures'")

    def test_comparison_can_fail(self):
        svg = KEPT["paper_crank"].read_text("utf-8")
        body = re.search(r"fill:(#\w{6})", svg).group(1)
        with tempfile.TemporaryDirectory() as folder:
            def is_same(other):
                return make_pictures.is_same_picture(svg, other, Path(folder))
            self.assertTrue(is_same(re.sub(r"M(\d+) ", lambda m: f"M{int(m.group(1)) + 1} ", svg, count=1)))
            self.assertFalse(is_same(svg.replace(body, "#ff00ff")))
            self.assertFalse(is_same(svg.replace('width="400"', 'width="300"', 1)))

    def test_small_drawing_looks_the_same(self):
        """Against the drawing as the program writes it."""
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            for picture in ("gallery_net", "new_user_engine"):
                small = make_pictures.draw(PROGRAM, picture, folder)
                full = (folder / "picture.svg").read_text("utf-8")
                self.assertLess(len(small), 0.6 * len(full))
                self.assertTrue(make_pictures.is_same_picture(small, full, folder), picture)

    def test_all_are_used_and_small(self):
        pages = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
        text = "".join(page.read_text("utf-8") for page in pages)
        self.assertEqual(set(KEPT), set(make_pictures.PICTURES))
        for name in KEPT:
            self.assertTrue(f"pictures/{name}.svg" in text, f"{name} is shown nowhere")
        self.assertLess(sum(file.stat().st_size for file in KEPT.values()), 1.2e6)

    def test_gallery_shows_every_model(self):
        text = (ROOT / "docs/gallery.md").read_text("utf-8")
        models = [file for folder in GALLERY for file in (ROOT / "models" / folder).glob("*.yaml")]
        readme = (ROOT / "README.md").read_text("utf-8")
        self.assertTrue(f"[{len(models)} examples with pictures](docs/gallery.md)" in readme)
        for model in models:
            line = [line for line in text.splitlines()
                    if f"(../models/{model.parent.name}/{model.name})" in line]
            self.assertEqual(len(line), 1, f"docs/gallery.md: {model.name}")
            self.assertIn(f"(pictures/{model.parent.name}_{model.stem}.svg)", line[0])


if __name__ == "__main__":
    unittest.main()
