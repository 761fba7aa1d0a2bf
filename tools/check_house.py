#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Trammel authors
# SPDX-License-Identifier: BSD-3-Clause
"""Small rules of the house, checked in each test run.

- every source file starts with the two SPDX lines;
- no file holds a path that exists on one machine only;
- no file under src has more than 500 lines;
- no tabs in sources;
- a package-lock.json names no registry: packages come from where the user's npm looks;
- no string of the program or of the page uses a word that was retired (PHRASES).
Usage: check_house.py [ROOT]    exit status 1 and a list of offences if there are any
"""
import re
import subprocess
import sys
from pathlib import Path

SPDX = ("SPDX-FileCopyrightText: The Trammel authors", "SPDX-License-Identifier: BSD-3-Clause")
SOURCE_SUFFIXES = {".cpp", ".hpp", ".py", ".sh", ".ts", ".mjs", ".css", ".cmake"}
SOURCE_NAMES = {"Makefile", "run"}
# Spelled in pieces, so that this file does not offend.
MACHINE_PATH = re.compile(r"(?<![\w.}/~*-])/(?:" + "|".join(("home", "root", "work")) + r")/")
MAX_LINES = 500
# Words that users had to read twice, and what to write instead. Only strings are searched: `mistake`
# is a type of the public interface.
PHRASES = {
    r"mistakes?": "error", r"freedoms": "degrees of freedom", r"beside": "next to",
    r"stands? (?:twice|there|alone|together)": "is", r"counted over turns": "unwrapped",
    r"(?:is|are|not|be|only|energy|nothing) held": "enforced, or conserved", r"has no use for": "has no",
    r"left alone": "not corrected, or unchanged", r"in parts of": "relative to", r"distribution": "accelerations",
    r"asked for": "requested", r"the ending": "the extension", r"goes the ordinary way": "falls back",
    r"who calls": "the caller", r"a matter of luck": "unspecified", r"do(?:es)? not bear": "does not accept",
}
PHRASE = re.compile(r"\b(?:" + "|".join(PHRASES) + r")\b", re.IGNORECASE)
STRING = re.compile(r'"(?:[^"\\\n]|\\.)*"')
PAGE_STRING = re.compile(r'"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`')


def list_files(root):
    """Files under version control or about to be; in an unpacked archive, all but the builds."""
    command = ["git", "-C", str(root), "ls-files", "-z", "--cached", "--others",
               "--exclude-standard"]
    try:
        names = subprocess.run(command, capture_output=True, check=True).stdout
        files = [root / name for name in names.decode().split("\0") if name]
    except (OSError, subprocess.CalledProcessError):
        files = [file for file in root.rglob("*")
                 if file.relative_to(root).parts[0] not in ("build", ".git", ".cache")]
    return sorted(file for file in files if file.is_file() and not file.is_symlink())


def is_source(file):
    return file.suffix in SOURCE_SUFFIXES or file.name in SOURCE_NAMES


def check_words(path, lines):
    """Offences in the strings that users see: those of the library, the program and the page."""
    if path.startswith(("src/", "cli/", "include/")) and path.endswith((".cpp", ".hpp")):
        pattern = STRING
    elif path.startswith("viewer/src/") and path.endswith(".ts"):
        pattern = PAGE_STRING
    else:
        return []
    offences = []
    for number, line in enumerate(lines, 1):
        if line.lstrip().startswith(("//", "#include", "import ")):
            continue
        for text in pattern.findall(line):
            found = PHRASE.search(text)
            if found:
                better = next(better for phrase, better in PHRASES.items()
                              if re.fullmatch(phrase, found[0], re.IGNORECASE))
                offences.append(f"{path}:{number}: '{found[0]}' in a string: write '{better}'")
    return offences


def check_file(root, file):
    path = file.relative_to(root).as_posix()
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except UnicodeDecodeError:
        return []  # binary
    offences = []
    if is_source(file):
        head = lines[:3]
        offences += [f"{path}:1: '{line}' is missing" for line in SPDX
                     if not any(line in text for text in head)]
        if "\t" in "".join(lines) and file.name != "Makefile":
            offences.append(f"{path}:1: tabs")
    for number, line in enumerate(lines, 1):
        if MACHINE_PATH.search(line):
            offences.append(f"{path}:{number}: a path of one machine: {line.strip()[:80]}")
    if file.name == "package-lock.json":
        offences += [f"{path}:{number}: names a registry" for number, line in enumerate(lines, 1)
                     if "://" in line]
    offences += check_words(path, lines)
    if path.startswith("src/") and len(lines) > MAX_LINES:
        offences.append(f"{path}:1: {len(lines)} lines; more than {MAX_LINES} is too much to read")
    return offences


def main():
    root = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parent.parent).resolve()
    files = list_files(root)
    offences = [offence for file in files for offence in check_file(root, file)]
    for offence in offences:
        print(offence)
    print(f"{len(files)} files, {len(offences)} offences against the rules of the house")
    return 1 if offences or not files else 0


if __name__ == "__main__":
    sys.exit(main())
