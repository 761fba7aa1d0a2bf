# SPDX-FileCopyrightText: The Trammel authors
# SPDX-License-Identifier: BSD-3-Clause
"""Sessions in pages of the documentation: ```sh blocks with commands ('$ ') and the output expected.

'…' stands for any number of lines. Numbers may differ by 1e-6 relative to their size; those below 1e-4 are
noise of rounding and may differ altogether. Lines with CPU times are equal if both have one.
"""
import re

NUMBER = re.compile(r"(?<![\w.])-?\d[\d,]*\.?\d*(?:e[+-]?\d+)?(?![\w])")


def is_same_line(expected, actual):
    """Words are equal, numbers nearly so."""
    if "CPU" in expected:
        return "CPU" in actual
    if NUMBER.sub("#", expected) != NUMBER.sub("#", actual):
        return False
    pairs = zip(NUMBER.findall(expected), NUMBER.findall(actual))
    for a, b in ((float(x.replace(",", "")), float(y.replace(",", ""))) for x, y in pairs):
        small = max(abs(a), abs(b)) < 1e-4
        if not small and abs(a - b) > 1e-6 * max(abs(a), abs(b)):
            return False
    return True


def is_same(expected, actual):
    """Line by line; '…' takes any number of lines."""
    if not expected:
        return not actual
    if expected[0].strip() == "…":
        return any(is_same(expected[1:], actual[k:]) for k in range(len(actual) + 1))
    return bool(actual) and is_same_line(expected[0], actual[0]) and is_same(expected[1:], actual[1:])


def split_session(text):
    """Commands, each with its expected lines."""
    session = []
    for line in text.splitlines():
        if line.startswith("$ "):
            session.append((line[2:], []))
        elif session:
            session[-1][1].append(line)
    return session


def write_session(session):
    """The block again; an output that is right, or was shortened with '…', stays as it is."""
    lines = []
    for command, expected, actual in session:
        keep = "…" in "".join(expected) or is_same(expected, actual)
        lines += [f"$ {command}", *(expected if keep else actual)]
    return "```sh\n" + "\n".join(lines) + "\n```"
