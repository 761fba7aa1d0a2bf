#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Trammel authors
# SPDX-License-Identifier: BSD-3-Clause
"""Checks the links of all Markdown files: files, folders, pictures and headings that do not exist.

Also checks mentions of docs/... in sources, so that comments follow when a page moves. Addresses on the
network are not opened.
Usage: check_links.py [ROOT]    exit status 1 and a list of offences if there are any
"""
import re
import subprocess
import sys
from pathlib import Path
from urllib.parse import unquote

FENCE = re.compile(r"^\s*(```|~~~)")
CODE = re.compile(r"(`+)(?:(?!\1).)*?\1")
LINK = re.compile(r"\[(?:[^\]\[]|\[[^\]]*\](?:\([^)]*\))?)*\]\(\s*<?([^)\s>]+)>?(?:\s+\"[^\"]*\")?\s*\)")
HEADING = re.compile(r"^(#{1,6})\s+(.*?)\s*#*\s*$")
ANCHOR = re.compile(r"<a\s+(?:id|name)=\"([^\"]+)\"")
MENTION = re.compile(r"\bdocs/[A-Za-z_][\w/]*(?:(?:\.\w+)?\.(?:md|svg|json|webp))?")
SOURCES = {".cpp", ".hpp", ".py", ".ts", ".sh", ".cmake", ".yaml", ".txt"}


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


def make_anchor(heading):
    """The anchor that GitHub gives to a heading."""
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "")
    text = re.sub(r"(?<![\w*])\*{1,3}|\*{1,3}(?![\w*])", "", text)
    return re.sub(r"[^\w\- ]", "", text.strip().lower()).replace(" ", "-")


def read_lines(file):
    """Number and text of the lines outside of fenced code."""
    fenced = False
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
        if FENCE.match(line):
            fenced = not fenced
        elif not fenced:
            yield number, line


def find_anchors(file):
    anchors = {}
    for _, line in read_lines(file):
        match = HEADING.match(line)
        if match:
            anchor = make_anchor(match.group(2))
            count = anchors.get(anchor, 0)
            anchors[anchor] = count + 1
            if count:
                anchors[f"{anchor}-{count}"] = 1
        anchors.update((name, 1) for name in ANCHOR.findall(line))
    return anchors


def check_link(root, file, link, known):
    """What is wrong with a link, or None."""
    if re.match(r"[a-z][a-z0-9+.-]*:", link):
        return None
    path, _, anchor = link.partition("#")
    target = (file.parent / unquote(path)).resolve() if path else file
    if root not in [target, *target.parents]:
        return f"'{link}' leads out of the repository"
    if not target.exists():
        return f"'{link}': there is no such file"
    if anchor:
        if target not in known:
            known[target] = find_anchors(target) if target.suffix == ".md" else {}
        if target.suffix == ".md" and unquote(anchor) not in known[target]:
            return f"'{link}': there is no heading '#{anchor}'"
    return None


def check_markdown(root, file, known):
    name = file.relative_to(root).as_posix()
    offences = []
    for number, line in read_lines(file):
        for link in LINK.findall(CODE.sub(lambda m: "x" * len(m.group()), line)):
            reason = check_link(root, file, link, known)
            if reason:
                offences.append(f"{name}:{number}: {reason}")
    return offences


def check_mentions(root, file):
    name = file.relative_to(root).as_posix()
    if name.startswith(("tests/reference/", "tests/house/", "viewer/node_modules/")):
        return []
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except UnicodeDecodeError:
        return []
    return [f"{name}:{number}: mentions '{word}', which does not exist"
            for number, line in enumerate(lines, 1) for word in MENTION.findall(line)
            if not (root / word).exists()]


def main():
    root = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parent.parent).resolve()
    files, offences, known = list_files(root), [], {}
    for file in files:
        if file.suffix == ".md":
            offences += check_markdown(root, file, known)
        if file.suffix in SOURCES or file.name in ("Makefile", "CHANGELOG.md", "ARCHITECTURE.md"):
            offences += check_mentions(root, file)
    for offence in offences:
        print(offence)
    print(f"{len(files)} files, {len(offences)} broken links")
    return 1 if offences or not files else 0


if __name__ == "__main__":
    sys.exit(main())
