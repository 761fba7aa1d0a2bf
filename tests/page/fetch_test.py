# SPDX-FileCopyrightText: The Trammel authors
# SPDX-License-Identifier: BSD-3-Clause
"""A build whose npm cannot fetch goes without the page, says why, and tries again when configured again.

Usage: fetch_test.py CMAKE SOURCE_DIR COMPILER
"""
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

CMAKE, SOURCE, COMPILER = sys.argv[1:]


class Fetch(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="trammel-fetch-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.build = self.folder / "build"
        self.program("node", "echo v20.0.0")

    def program(self, name, text):
        file = self.folder / name
        file.write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
        file.chmod(0o755)

    def configure(self):
        """What is printed, and whether the library is built with the page."""
        done = subprocess.run(
            [CMAKE, "-S", SOURCE, "-B", self.build, "-G", "Ninja", "--log-level=NOTICE",
             f"-DCMAKE_CXX_COMPILER={COMPILER}", "-DTRAMMEL_BUILD_TESTS=OFF",
             f"-DTRAMMEL_NODE={self.folder}/node", f"-DTRAMMEL_NPM={self.folder}/npm"],
            capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        rules = (self.build / "build.ninja").read_text(encoding="utf-8")
        has_page = "no_page.cpp.o" not in rules
        self.assertEqual(has_page, "page_template.cpp.o" in rules)
        return done.stderr, has_page

    def test_npm_that_cannot_fetch(self):
        self.program("npm", "echo 'npm error code ENOTFOUND' >&2; exit 1")
        text, has_page = self.configure()
        self.assertFalse(has_page)
        lines = [line for line in text.splitlines() if "built without its page" in line]
        self.assertEqual(len(lines), 1, text)
        self.assertIn("npm could not fetch its packages (ENOTFOUND, see ", lines[0])
        self.assertIn("ENOTFOUND", (self.build / "viewer" / "no_page").read_text(encoding="utf-8"))
        self.assertIn("npm error", (self.build / "viewer" / "npm.log").read_text(encoding="utf-8"))

        # tried again, and not again once it is there
        self.program("npm", "echo fetched >> calls")
        self.assertTrue(self.configure()[1])
        self.assertFalse((self.build / "viewer" / "no_page").exists())
        self.assertTrue(self.configure()[1])
        self.assertEqual((self.build / "viewer" / "calls").read_text(encoding="utf-8"), "fetched\n")

    def test_old_node(self):
        self.program("node", "echo v16.1.0")
        text, has_page = self.configure()
        self.assertFalse(has_page)
        self.assertIn("node 16.1.0 is too old", text)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
