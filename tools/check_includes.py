#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Trammel authors
# SPDX-License-Identifier: BSD-3-Clause
"""Checks every #include "..." against the folder table of ARCHITECTURE.md.

The table is the rule: this script knows only how to read it.
Usage: check_includes.py [ROOT]    exit status 1 and a list of offences if there are any
"""
import re
import sys
from pathlib import Path

MODEL_HEADERS = {"trammel/model.hpp", "trammel/trammel.hpp", "trammel/checked_model.hpp",
                 "trammel/ensemble.hpp"}  # what "sees `Model`" is about
INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"')


class Row:
    """One line of the table."""

    def __init__(self, name, may_include, sees_model):
        self.name = name  # "src/math", "src/compile/compile.cpp"
        self.may_include = may_include  # folders under src
        self.sees_model = sees_model


def read_table(architecture):
    """The rows of the table whose header has "may include", by folder or file."""
    rows = {}
    columns = None
    for line in architecture.read_text(encoding="utf-8").splitlines():
        if not line.startswith("|"):
            columns = None
            continue
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if "may include" in cells:
            columns = {name.replace("`", ""): i for i, name in enumerate(cells)}
        elif columns and not set(cells[0]) <= set("-: "):
            name = cells[columns["folder"]].strip("`")
            text = cells[columns["may include"]]
            folders = [] if text == "–" else [word.strip(" `") for word in text.split(",")]
            rows[name] = Row(name, folders, cells[columns["sees Model"]] == "yes")
    if not rows:
        sys.exit(f"{architecture}: no table with a column 'may include'")
    return rows


def check_table(rows):
    """Words that are no folder, and folders that include each other, directly or around a corner."""
    offences = []
    graph = {name: [f"src/{word}" for word in row.may_include] for name, row in rows.items()}
    for name, targets in graph.items():
        offences += [f"ARCHITECTURE.md: {name} may include '{t[4:]}', which has no row"
                     for t in targets if t not in rows]

    def reaches(start, goal, seen):
        for target in graph.get(start, []):
            if target == goal or (target not in seen and reaches(target, goal, seen | {target})):
                return True
        return False

    offences += [f"ARCHITECTURE.md: {name} includes itself by way of others"
                 for name in graph if reaches(name, name, frozenset())]
    return offences


def find_row(rows, path):
    """The row of a file: its own if it has one, else that of its folder."""
    parts = path.split("/")
    for n in range(len(parts), 0, -1):
        row = rows.get("/".join(parts[:n]))
        if row:
            return row
    return None


def find_offence(row, path, included):
    """Why this include is not allowed; None if it is."""
    folder = path.rsplit("/", 1)[0]
    if included.startswith("trammel/"):
        if included in MODEL_HEADERS and not row.sees_model:
            return f"{row.name} does not see Model"
        return None
    if "/" not in included:
        # A neighbour in the same folder; under src files are named from src.
        return None if not folder.startswith("src/") else 'write "folder/file.hpp"'
    target = included.split("/")[0]
    if not folder.startswith("src/"):
        if target in row.may_include:
            return None
        only = ", ".join(["include/trammel", *row.may_include])
        return f"{row.name} may include only {only} and itself"
    if f"src/{target}" == "/".join(folder.split("/")[:2]) or target in row.may_include:
        return None
    allowed = ", ".join(row.may_include) or "nothing but itself and the public headers"
    return f"{row.name} may include {allowed}"


def check_file(root, rows, file):
    path = file.relative_to(root).as_posix()
    row = find_row(rows, path)
    if row is None:
        return [f"{path}:1: its folder has no row in ARCHITECTURE.md"]
    offences = []
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
        match = INCLUDE.match(line)
        if match:
            reason = find_offence(row, path, match.group(1))
            if reason:
                offences.append(f'{path}:{number}: #include "{match.group(1)}": {reason}')
    return offences


def main():
    root = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parent.parent).resolve()
    rows = read_table(root / "ARCHITECTURE.md")
    offences = check_table(rows)
    files = sorted(file for folder in ("include", "src", "cli", "bench")
                   for file in (root / folder).rglob("*") if file.suffix in (".hpp", ".cpp"))
    for file in files:
        offences += check_file(root, rows, file)
    for offence in offences:
        print(offence)
    print(f"{len(files)} files, {len(offences)} offences against the table of ARCHITECTURE.md")
    return 1 if offences or not files else 0


if __name__ == "__main__":
    sys.exit(main())
