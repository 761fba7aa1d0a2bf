# SPDX-FileCopyrightText: The Trammel authors
# SPDX-License-Identifier: BSD-3-Clause
"""`trammel report`: pages made from results files are those that the run itself writes."""
import json
import os
import re
import unittest

from support import CommandLineTest


def read_head(path):
    """The JSON object of a page."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    head = json.loads(re.search(r'id="page-head">(.*?)</script>', text, re.S).group(1))
    for run in head["runs"]:
        run["summary"] = json.loads(run["summary"])
    return head


class Report(CommandLineTest):
    def setUp(self):
        super().setUp()
        self.h5 = self.path("run.h5")
        self.page = self.path("run.html")
        done = self.trammel("run", self.model, "-q", "-o", self.h5, "-o", self.page)
        if "no pages" in done.stderr:
            self.skipTest("built without pages")
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_the_page_of_a_file_is_that_of_the_run(self):
        again = self.path("again.html")
        self.assertEqual(self.trammel("report", self.h5, "-o", again).returncode, 0)
        exported = self.path("exported.html")
        self.assertEqual(self.trammel("export", self.h5, "-o", exported).returncode, 0)
        direct, read, other = (read_head(p)["runs"][0] for p in (self.page, again, exported))
        read["label"] = direct["label"]
        self.assertEqual(direct, read)
        self.assertEqual(direct, other)
        data = [re.search(r'id="page-data-0">(.*?)</script>', open(p, encoding="utf-8").read(),
                          re.S).group(1) for p in (self.page, again)]
        self.assertEqual(data[0], data[1])

    def test_several_files_are_overlaid_under_their_names(self):
        other = self.path("tight.h5")
        self.trammel("run", self.model, "-q", "--rtol", "1e-9", "-o", other)
        page = self.path("compare.html")
        self.assertEqual(self.trammel("report", self.h5, other, "-o", page).returncode, 0)
        head = read_head(page)
        self.assertEqual([run["label"] for run in head["runs"]], ["run", "tight"])
        self.assertEqual([run["summary"]["options"]["rtol"] for run in head["runs"]][1], 1e-9)

    def test_what_cannot_be_meant(self):
        self.assert_fails(3, "the extension must be .html", "report", self.h5, "-o", self.path("a.csv"))
        self.assert_fails(3, "this is the results file", "report", self.page, "-o", self.page)
        self.assert_fails(1, "no-such.h5", "report", self.path("no-such.h5"), "-o",
                          self.path("b.html"))
        self.assert_fails(1, "run.html", "report", self.page, "-o", self.path("b.html"))
        self.assertFalse(os.path.exists(self.path("b.html")))


if __name__ == "__main__":
    unittest.main()
