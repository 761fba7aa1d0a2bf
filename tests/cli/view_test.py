# SPDX-FileCopyrightText: The Trammel authors
# SPDX-License-Identifier: BSD-3-Clause
"""`trammel view`: runs a model, writes its page and says where it is."""
import os
import unittest
from pathlib import Path

from support import CommandLineTest


class View(CommandLineTest):
    def view(self, *arguments, **more):
        environment = {name: value for name, value in os.environ.items()
                       if name not in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")}
        done = self.trammel("view", self.model, *arguments,
                            env={**environment, "TMPDIR": str(self.folder), **more})
        if "no pages" in done.stderr:
            self.skipTest("built without pages")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("  finished ", done.stdout)
        return Path(done.stdout.splitlines()[-1].removeprefix("Page: "))

    def test_page_goes_where_it_is_told(self):
        page = self.path("a.html")
        self.assertEqual(str(self.view("--no-open", "-o", page)), page)
        self.assertIn("page-head", Path(page).read_text("utf-8"))

    def test_without_a_display_it_prints_the_place(self):
        page = self.view()
        self.assertEqual(page.name, "pendulum.html")
        self.assertIn(self.folder, page.parents)
        self.assertIn("page-head", page.read_text("utf-8"))

    def test_the_browser_gets_the_page(self):
        browser = Path(self.write("browser", f"#!/bin/sh\necho \"$1\" > {self.path('opened')}\n"))
        browser.chmod(0o755)
        page = self.view(BROWSER=str(browser))
        self.assertEqual(Path(self.path("opened")).read_text("utf-8").strip(), str(page))

    def test_the_desktop_opens_it_without_a_browser_of_choice(self):
        opener = Path(self.write("xdg-open", f"#!/bin/sh\necho \"$1\" > {self.path('opened')}\n"))
        opener.chmod(0o755)
        page = self.view(DISPLAY=":7", PATH=f"{self.folder}:{os.environ['PATH']}")
        self.assertEqual(Path(self.path("opened")).read_text("utf-8").strip(), str(page))

    def test_a_browser_that_fails_is_named(self):
        done = self.trammel("view", self.model, "-o", self.path("a.html"),
                            env={**os.environ, "BROWSER": "/no/browser"})
        if "no pages" in done.stderr:
            self.skipTest("built without pages")
        self.assertEqual(done.returncode, 0)
        self.assertIn("'/no/browser' could not open the page", done.stderr)

    def test_extension(self):
        self.assert_fails(3, "the extension must be .html", "view", self.model, "-o",
                          self.path("a.csv"))


if __name__ == "__main__":
    unittest.main()
