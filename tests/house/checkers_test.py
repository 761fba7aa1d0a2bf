# SPDX-FileCopyrightText: The Trammel authors
# SPDX-License-Identifier: BSD-3-Clause
"""The house checks find what they are meant to find: each offence in a small tree of its own."""
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

TOOLS = Path(os.environ["TRAMMEL_TOOLS"])
TABLE = """\
| folder | holds | may include | sees `Model` |
|---|---|---|---|
| `include/trammel` | API | – | yes |
| `src/math` | numbers | – | no |
| `src/system` | arrays | math | no |
| `src/compile/compile.cpp` | compile | math, model | yes |
| `src/model` | names | math | yes |
| `cli` | program | – | yes |
| `bench` | times | math | yes |
"""
SPDX = ("// SPDX-FileCopyrightText: The Trammel authors\n"
        "// SPDX-License-Identifier: BSD-3-Clause\n")


class Checker(unittest.TestCase):
    def check(self, tool, files):
        """Exit status and lines of a tool that is run on a tree with these files."""
        with tempfile.TemporaryDirectory(prefix="trammel-house-") as folder:
            for name, text in files.items():
                path = Path(folder, name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")
            done = subprocess.run([sys.executable, TOOLS / tool, folder], capture_output=True,
                                  text=True, check=False)
        return done.returncode, done.stdout.splitlines()[:-1]

    def includes(self, name, included, table=TABLE):
        return self.check("check_includes.py",
                          {"ARCHITECTURE.md": table, name: f'\n#include "{included}"\n'})


class Includes(Checker):
    def test_allowed(self):
        for name, included in (("src/system/a.cpp", "math/b.hpp"),
                               ("src/system/a.cpp", "system/b.hpp"),
                               ("src/system/a.cpp", "trammel/types.hpp"),
                               ("src/compile/compile.cpp", "trammel/model.hpp"),
                               ("src/compile/compile.cpp", "model/b.hpp"),
                               ("bench/a.cpp", "math/b.hpp"), ("bench/peers/a.cpp", "b.hpp"),
                               ("cli/a.cpp", "b.hpp"), ("cli/a.cpp", "trammel/trammel.hpp")):
            self.assertEqual(self.includes(name, included), (0, []), (name, included))

    def test_forbidden(self):
        for name, included, reason in (
                ("src/math/a.cpp", "system/b.hpp",
                 "src/math may include nothing but itself and the public headers"),
                ("src/system/a.cpp", "model/b.hpp", "src/system may include math"),
                ("src/system/a.cpp", "trammel/model.hpp", "src/system does not see Model"),
                ("src/system/a.cpp", "trammel/trammel.hpp", "src/system does not see Model"),
                ("src/system/a.cpp", "b.hpp", 'write "folder/file.hpp"'),
                ("bench/a.cpp", "system/b.hpp",
                 "bench may include only include/trammel, math and itself"),
                ("cli/a.cpp", "math/b.hpp", "cli may include only include/trammel and itself")):
            self.assertEqual(self.includes(name, included),
                             (1, [f'{name}:2: #include "{included}": {reason}']))

    def test_folder_without_a_row(self):
        status, lines = self.includes("src/other/a.cpp", "math/b.hpp")
        self.assertEqual((status, lines),
                         (1, ["src/other/a.cpp:1: its folder has no row in ARCHITECTURE.md"]))

    def test_table_with_a_cycle_or_an_unknown_folder(self):
        cycle = TABLE.replace("| numbers | – |", "| numbers | system |")
        status, lines = self.includes("src/math/a.cpp", "math/b.hpp", cycle)
        self.assertEqual(status, 1)
        self.assertIn("ARCHITECTURE.md: src/math includes itself by way of others", lines)
        unknown = TABLE.replace("| numbers | – |", "| numbers | maths |")
        status, lines = self.includes("src/math/a.cpp", "math/b.hpp", unknown)
        self.assertEqual(lines, ["ARCHITECTURE.md: src/math may include 'maths', which has no row"])


class Links(Checker):
    def test_clean(self):
        self.assertEqual(self.check("check_links.py", {
            "README.md": "# A title\n[a](docs/b.md#two-words) [c](#a-title) `[x](no.md)` [w](https://x.org)\n",
            "docs/b.md": "## Two `words`\n[back](../README.md) ![p](p.svg)\n```\n[x](no.md)\n```\n",
            "docs/p.svg": "<svg/>", "src/a.cpp": "// docs/b.md\n"}), (0, []))

    def test_offences(self):
        status, lines = self.check("check_links.py", {
            "README.md": "[a](docs/b.md#three)\n[b](docs/c.md) ![p](p.svg)\n[o](../outside.md)\n",
            "docs/b.md": "## Two words\n", "src/a.cpp": "\n// docs/c.md\n"})
        self.assertEqual(status, 1)
        self.assertEqual(lines, [
            "README.md:1: 'docs/b.md#three': there is no heading '#three'",
            "README.md:2: 'docs/c.md': there is no such file",
            "README.md:2: 'p.svg': there is no such file",
            "README.md:3: '../outside.md' leads out of the repository",
            "src/a.cpp:2: mentions 'docs/c.md', which does not exist"])


class House(Checker):
    def test_clean(self):
        self.assertEqual(self.check("check_house.py", {"src/a.cpp": SPDX}), (0, []))

    def test_retired_words_in_strings(self):
        text = SPDX + ('// a mistake in a comment is none\n#include "mistake.hpp"\n'
                       'Mistake f() { return fail("1 mistake in " + file, "unmistakable"); }\n'
                       'const char* g = "the key stands twice";\n')
        status, lines = self.check("check_house.py", {
            "src/a.cpp": text, "tests/a.cpp": text,
            "viewer/src/a.ts": SPDX + "const t = `${n} freedoms`;\n"})
        self.assertEqual((status, lines), (1, [
            "src/a.cpp:5: 'mistake' in a string: write 'error'",
            "src/a.cpp:6: 'stands twice' in a string: write 'is'",
            "viewer/src/a.ts:3: 'freedoms' in a string: write 'degrees of freedom'"]))

    def test_offences(self):
        machine_path = "/" + "home/me/file"
        status, lines = self.check("check_house.py", {
            "src/bare.cpp": "int x;\n", "src/long.cpp": SPDX + "\n" * 500,
            "README.md": f"see {machine_path}\n", "tools/tab.py": SPDX + "\tx\n",
            "viewer/package-lock.json": '{\n"resolved": "https://registry.example/x.tgz"\n}\n'})
        self.assertEqual(status, 1)
        self.assertEqual(lines, [
            f"README.md:1: a path of one machine: see {machine_path}",
            "src/bare.cpp:1: 'SPDX-FileCopyrightText: The Trammel authors' is missing",
            "src/bare.cpp:1: 'SPDX-License-Identifier: BSD-3-Clause' is missing",
            "src/long.cpp:1: 502 lines; more than 500 is too much to read",
            "tools/tab.py:1: tabs",
            "viewer/package-lock.json:2: names a registry"])


if __name__ == "__main__":
    unittest.main()
