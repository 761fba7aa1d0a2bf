# SPDX-FileCopyrightText: The Trammel authors
# SPDX-License-Identifier: BSD-3-Clause
"""The site of the documentation: it builds without a warning, is searchable and loads nothing from the network."""
import json
import os
import re
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, os.environ["TRAMMEL_TOOLS"])
import make_site  # noqa: E402

# what a browser loads by itself; links to click are no matter
LOADED = re.compile(r"<(?:script|img|iframe)[^>]*\bsrc=\"?(?:https?:)?//|<link[^>]*rel=\"?(?:stylesheet|preload|"
                    r"preconnect)\"?[^>]*href=\"?(?:https?:)?//")


class Site(unittest.TestCase):
    def test_builds_and_is_searchable(self):
        with tempfile.TemporaryDirectory() as folder:
            site = Path(folder) / "site"
            self.assertEqual(make_site.make_site(site), 0)
            index = json.loads((site / "search/search_index.json").read_text("utf-8"))
            found = {entry["location"].partition("#")[0] for entry in index["docs"]
                     if "gas spring" in (entry["title"] + entry["text"]).lower()}
            self.assertIn("docs/howto/gas_spring.html", found)
            for page in make_site.find_pages():
                name = page.relative_to(make_site.ROOT).with_suffix(".html").as_posix()
                html = site / name.replace("README", "index")
                self.assertTrue(html.exists(), name)
                self.assertIsNone(LOADED.search(html.read_text("utf-8")), name)
            # anchors are those of the link checker
            html = (site / "docs/howto/motor.html").read_text("utf-8")
            self.assertIn('id="a-given-speed-what-torque-does-it-take"', html)
            self.assertIn('id="from-c"', (site / "index.html").read_text("utf-8"))

    def test_refuses_broken_links_and_hidden_pages(self):
        root, start = make_site.ROOT, make_site.START
        try:
            with tempfile.TemporaryDirectory() as folder:
                make_site.ROOT, make_site.START = Path(folder).resolve() / "tree", ["README.md"]
                for name in make_site.ROOMS.values():
                    page = make_site.ROOT / name
                    page.parent.mkdir(parents=True, exist_ok=True)
                    page.write_text("# Page\n", "utf-8")
                site = Path(folder) / "site"
                self.assertEqual(make_site.make_site(site), 0)
                (make_site.ROOT / "README.md").write_text("# Page\n\n[gone](docs/gone.md)\n", "utf-8")
                self.assertNotEqual(make_site.make_site(site), 0)
                (make_site.ROOT / "docs/howto/hidden.md").write_text("# Hidden\n", "utf-8")
                with self.assertRaisesRegex(SystemExit, "docs/howto/hidden.md"):
                    make_site.make_site(site)
        finally:
            make_site.ROOT, make_site.START = root, start


if __name__ == "__main__":
    unittest.main()
