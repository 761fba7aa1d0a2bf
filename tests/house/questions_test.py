# SPDX-FileCopyrightText: The Trammel authors
# SPDX-License-Identifier: BSD-3-Clause
"""Ten questions of an engineer get an answer within two clicks from the README.

A path is a list of links, each found on the page before it, the README first; the last one leads to a heading
under which every word of the answer stands.
"""
import os
import sys
import unittest
from pathlib import Path

sys.path.insert(0, os.environ["TRAMMEL_TOOLS"])
from check_links import FENCE, HEADING, LINK, make_anchor  # noqa: E402

ROOT = Path(os.environ["TRAMMEL_TOOLS"]).resolve().parent

# question: links to click, words of the answer
QUESTIONS = {
    "Can it do my mechanism?": (["docs/gallery.md#linkages"], ["Slider-crank", "Quick-return", "redundant"]),
    "How do I add a motor?": (["docs/howto/motor.md#a-given-torque"], ["load", "rate", "torque.yaml"]),
    "How do I get the torque?":
        (["docs/howto/motor.md#a-given-speed-what-torque-does-it-take"], ["motor.torque", "--record"]),
    "How do I stop at an angle?": (["docs/howto/end_stop.md"], ["limit", "stiffness", "stop.yaml"]),
    "Why is it redundant?": (["docs/howto/redundant.md#why-is-it-redundant"], ["same axis", "trammel check"]),
    "How exact is it?": (["docs/explanation/accuracy.md#how-exact-is-it"], ["rtol", "rounding", "balance error"]),
    "How fast is it?": (["docs/explanation/accuracy.md#how-fast-is-it"], ["CPU", "Simbody", "ms"]),
    "How do I cite it?": (["#citing"], ["CITATION.cff", "paper"]),
    "What can it not do?": (["#what-it-can-and-cannot-do"], ["contact", "flexible bodies", "import"]),
    "How do I use it from C++?":
        (["docs/reference/cpp.md#1-run-a-model-file"], ["read_model", "simulate", "write_csv"]),
}


def read_section(page, anchor):
    """The text under a heading, down to the next of its level or above; of the whole page without anchor."""
    lines, level, fenced = [], 0, False
    for line in page.read_text("utf-8").splitlines():
        fenced ^= bool(FENCE.match(line))
        match = None if fenced else HEADING.match(line)
        if match and level and len(match.group(1)) <= level:
            break
        if match and not level and (not anchor or make_anchor(match.group(2)) == anchor):
            level = 1 if not anchor else len(match.group(1))
        if level:
            lines.append(line)
    return "\n".join(lines)


class Questions(unittest.TestCase):
    def test_answers(self):
        self.assertEqual(len(QUESTIONS), 10)
        for question, (links, words) in QUESTIONS.items():
            with self.subTest(question=question):
                self.assertLessEqual(len(links), 2)
                page = ROOT / "README.md"
                for link in links:
                    found = LINK.findall(page.read_text("utf-8"))
                    path, _, anchor = link.partition("#")
                    # a link to the page is enough: the heading is in sight or in its table of contents
                    self.assertTrue(link in found or path in found, f"{page.name} has no link {link}")
                    page = (page.parent / path).resolve() if path else page
                text = read_section(page, anchor)
                self.assertGreater(len(text), 100, f"{page.name} has no heading #{anchor}")
                for word in words:
                    self.assertTrue(word in text, f"{page.name}#{anchor} does not say '{word}'")

    def test_sections_end(self):
        page = ROOT / "README.md"
        self.assertNotIn("CITATION.cff", read_section(page, "what-it-can-and-cannot-do"))
        self.assertEqual(read_section(page, "no-such-heading"), "")
        self.assertIn("CITATION.cff", read_section(page, ""))


if __name__ == "__main__":
    unittest.main()
