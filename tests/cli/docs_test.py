#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Trammel authors
# SPDX-License-Identifier: BSD-3-Clause
"""Executes the pages of the documentation: every file they show, every command, every printed output.

A ```yaml, ```csv or ```python block that starts with '# NAME', and an ```xml block that starts with
'<!-- NAME -->', is the file NAME; ```sh blocks are sessions
(support/sessions.py), in which 'models' is the folder of the repository. Every model shown is also run for a
short time, unless a command with it is shown to fail. With TRAMMEL_RENEW_DOCS=1 (make renew-docs) the outputs in the
pages are written anew instead.
"""
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PROGRAM = Path(os.environ["TRAMMEL_PROGRAM"]).resolve()
ROOT = Path(os.environ["TRAMMEL_MODELS"]).resolve().parent
sys.path.insert(0, str(ROOT / "tests/support"))
from sessions import is_same, is_same_line, split_session, write_session  # noqa: E402

DOCS = ROOT / "docs"
TASKS = [ROOT / "README.md", DOCS / "tutorial.md", *sorted((DOCS / "howto").glob("*.md"))]
LISTS = {DOCS / "howto/README.md"}  # tasks that show nothing to run
COMPILED = DOCS / "reference/cpp.md"  # executed by tests/install
PAGES = TASKS + [page for page in sorted(DOCS.rglob("*.md")) if page not in [*TASKS, COMPILED]]
RENEW = os.environ.get("TRAMMEL_RENEW_DOCS") == "1"
BLOCK = re.compile(r"^```(sh|yaml|csv|python|xml)\n(.*?)^```$", re.M | re.S)
FAILURES = ("error in", "errors in", "is refused", "did not finish")


def run(command, folder):
    command = re.sub(r"^python3 ", f"{sys.executable} ", command.split("   #")[0])
    environment = dict(os.environ, PATH=f"{PROGRAM.parent}:{os.environ['PATH']}", LC_ALL="C.UTF-8")
    done = subprocess.run(["bash", "-c", command], cwd=folder, env=environment, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60, check=False)
    return done.returncode, done.stdout


class Docs(unittest.TestCase):
    def execute(self, page, folder):
        """Runs a page and returns its text with the outputs of this program."""
        models, commands = [], 0
        (folder / "models").symlink_to(ROOT / "models")

        def take(match):
            nonlocal commands
            kind, text = match.groups()
            named = re.match(r"(?:#|<!--) ([\w.-]+\.(?:yaml|csv|py|urdf))\b", text)
            if kind != "sh":
                if named:
                    (folder / named.group(1)).write_text(text, encoding="utf-8")
                    models.extend([named.group(1)] if kind == "yaml" else [])
                return match.group(0)
            session = []
            for command, expected in split_session(text):
                commands += 1
                status, output = run(command, folder)
                if status != 0:
                    self.assertTrue(any(words in output for words in FAILURES),
                                    f"{page.name}: {command}: status {status}\n{output}")
                    models[:] = [model for model in models if model not in command]
                actual = [line.rstrip() for line in output.splitlines()]
                if not RENEW:
                    self.assertTrue(is_same(expected, actual), f"{page.name}: $ {command}\nexpected\n" +
                                    "\n".join(expected) + "\ngot\n" + output)
                session.append((command, expected, actual))
            return write_session(session)

        renewed = BLOCK.sub(take, page.read_text(encoding="utf-8"))
        if page in TASKS and page not in LISTS:
            self.assertTrue(commands, f"{page.name} shows nothing that runs")
        for model in models:
            status, output = run(f"trammel check -q {model} && trammel run -q --t-end 0.2 {model}", folder)
            self.assertEqual(status, 0, f"{page.name}: {model}\n{output}")
        return renewed

    def test_pages(self):
        for page in PAGES:
            with self.subTest(page=page.name), tempfile.TemporaryDirectory() as folder:
                text = self.execute(page, Path(folder))
                if RENEW:
                    page.write_text(text, encoding="utf-8")

    def test_messages_of_run_stops_exist(self):
        """Every message that the page explains is one of the program."""
        sources = "".join(file.read_text("utf-8") for file in (ROOT / "src").rglob("*.cpp"))
        sources = re.sub(r'"\s*"', "", sources)  # adjacent literals are one
        page = (DOCS / "howto/run_stops.md").read_text("utf-8")
        messages = re.findall(r"^\| `([^`]*)` \|", page, re.M)
        self.assertGreater(len(messages), 4)
        for message in messages:
            for part in message.split("…"):
                self.assertTrue(part.strip() in sources, f"run_stops.md: no message says '{part}'")

    def test_comparison_can_fail(self):
        self.assertTrue(is_same(["a 1.0000001", "…", "CPU  3 s"], ["a 1", "x", "y", "CPU  4 s"]))
        self.assertTrue(is_same_line("violation 3e-15", "violation 7e-16"))
        self.assertFalse(is_same_line("a 1.001", "a 1"))
        self.assertFalse(is_same_line("a 1 m", "a 1 s"))
        self.assertFalse(is_same(["a"], ["a", "b"]))


if __name__ == "__main__":
    unittest.main()
