#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Trammel authors
# SPDX-License-Identifier: BSD-3-Clause
"""Builds the site of the documentation with MkDocs from README.md, docs/ and the files that they link to.

Usage: make_site.py FOLDER    the site; its sources are put into FOLDER.pages
Exit status 1 where a page is not in the navigation, which is made of the links in the README of each room, and
where MkDocs warns, as of links that lead nowhere.
"""
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from urllib.parse import unquote

sys.path.insert(0, str(Path(__file__).resolve().parent))
from check_links import CODE, HEADING, LINK, make_anchor, read_lines  # noqa: E402

ROOT = Path(__file__).resolve().parent.parent
# wide enough for the longest lines of code; tables without headings have no empty row
STYLE = """.md-grid { max-width: 80rem; }
.md-typeset thead:not(:has(th:not(:empty))) { display: none; }
.md-typeset td img { min-width: 14rem; background: #fff; }
"""
START = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"]
ROOMS = {"Start": "README.md", "Tutorial": "docs/tutorial.md", "How-to": "docs/howto/README.md",
         "Gallery": "docs/gallery.md", "Reference": "docs/reference/README.md",
         "Explanation": "docs/explanation/README.md"}


def slugify(text, _separator):
    """Anchors as tools/check_links.py and GitHub make them."""
    return make_anchor(text)


def find_linked(page):
    """Files in the repository that a page links to."""
    for _, line in read_lines(page):
        for link in LINK.findall(CODE.sub("", line)):
            path = unquote(link.partition("#")[0])
            target = (page.parent / path).resolve()
            if path and ":" not in path and ROOT in target.parents and target.exists():
                yield target


def name_page(page):
    """An entry of the navigation: the heading without its markup, and the path."""
    heading = next((HEADING.match(line) for _, line in read_lines(page) if HEADING.match(line)), None)
    title = heading.group(2).replace("`", "") if heading else page.stem
    return {title: page.relative_to(ROOT).as_posix()}


def is_of_room(page, index):
    """In the folder of the room, or, for the rooms of ROOMS, in the folder of no room."""
    folders = {(ROOT / name).parent for name in ROOMS.values()} - {ROOT, ROOT / "docs"}
    return page.parent == index.parent or page.parent.parent == index.parent or (
        index.parent in folders and not folders & set(page.parents))


def list_room(index, taken):
    """The README of a room and the pages it links to, in that order; a README among them is a room within."""
    entries = [index.relative_to(ROOT).as_posix()]
    for page in find_linked(index):
        if page.suffix != ".md" or page in taken or not is_of_room(page, index):
            continue
        taken.add(page)
        entries.append({page.parent.name.capitalize(): list_room(page, taken)}
                       if page.name == "README.md" else name_page(page))
    return entries


def make_navigation():
    taken = {ROOT / name for name in ROOMS.values()}
    navigation = []
    for title, name in ROOMS.items():
        room = name.endswith("README.md") and name != "README.md"
        navigation.append({title: list_room(ROOT / name, taken) if room else name})
    missing = set(find_pages()) - taken
    if missing:
        sys.exit("".join(f"{page.relative_to(ROOT)}: the README of its room does not link to it\n"
                         for page in sorted(missing)))
    return navigation


def find_pages():
    return [ROOT / name for name in START] + sorted((ROOT / "docs").rglob("*.md"))


def collect(pages):
    """Copies the pages and the files that they link to; a folder gets a page that lists it."""
    todo = find_pages()
    for file in {*todo, *(target for page in todo for target in find_linked(page))}:
        copy = pages / file.relative_to(ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        if file.is_file():
            shutil.copyfile(file, copy)
            continue
        names = sorted(entry.name for entry in file.iterdir() if entry.is_file())
        copy.mkdir(exist_ok=True)
        (copy / "README.md").write_text(f"# {file.name}\n\n" + "".join(f"- [{name}]({name})\n" for name in names))
        for name in names:
            shutil.copyfile(file / name, copy / name)


def make_site(site):
    """The exit status of MkDocs."""
    sources = site.with_name(site.name + ".pages")
    shutil.rmtree(sources, ignore_errors=True)
    sources.mkdir(parents=True)
    collect(sources / "pages")
    (sources / "pages/site.css").write_text(STYLE, "utf-8")
    settings = (Path(__file__).resolve().with_name("mkdocs.yml")).read_text("utf-8")
    (sources / "mkdocs.yml").write_text(f"{settings}nav: {json.dumps(make_navigation())}\n", "utf-8")
    command = ["mkdocs", "build", "--strict", "--quiet", "--clean",
               "-f", str(sources / "mkdocs.yml"), "-d", str(site)]
    environment = dict(os.environ, PYTHONPATH=str(Path(__file__).resolve().parent), PYTHONDONTWRITEBYTECODE="1")
    return subprocess.run(command, env=environment, check=False).returncode


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    return make_site(Path(sys.argv[1]).resolve())


if __name__ == "__main__":
    sys.exit(main())
