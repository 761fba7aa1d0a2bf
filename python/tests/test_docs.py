# SPDX-FileCopyrightText: The Trammel authors
# SPDX-License-Identifier: BSD-3-Clause
"""The tutorial prints what it says, and the reference is what the docstrings say.

    TRAMMEL_RENEW_DOCS=1 pytest python/tests/test_docs.py     writes both
"""
import contextlib
import inspect
import io
import os
import pathlib
import re
import types

import pytest

import trammel as tr
from conftest import ROOT
from trammel._core import has_page

RENEW = bool(os.environ.get("TRAMMEL_RENEW_DOCS"))
BLOCK = re.compile(r"```python\n(.*?)```\n(?:\n```text\n(.*?)```\n)?", re.S)


def run_page(text: str, check: bool) -> str:
    """The page with the output that its blocks print now."""
    names: dict[str, object] = {}

    def execute(block: re.Match[str]) -> str:
        output = io.StringIO()
        with contextlib.redirect_stdout(output):
            exec(compile(block[1], "page", "exec"), names)
        if check:
            assert output.getvalue() == (block[2] or ""), block[1]
        shown = f"\n```text\n{output.getvalue()}```\n" if output.getvalue() or block[2] is not None else ""
        return f"```python\n{block[1]}```\n{shown}"

    return BLOCK.sub(execute, text)


def test_tutorial(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = ROOT / "docs/tutorial_python.md"
    text = page.read_text(encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    shown = run_page(text, check=not RENEW)
    if RENEW:
        page.write_text(shown, encoding="utf-8")
    assert len(BLOCK.findall(text)) >= 8


def test_readme(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    blocks = BLOCK.findall((ROOT / "README.md").read_text(encoding="utf-8"))
    assert len(blocks) == 1
    code = blocks[0][0] if has_page() else blocks[0][0].replace("run.show()", "")
    exec(compile(code, "README.md", "exec"), {})


def doc_of(item: object) -> str:
    """Without the signature, with which nanobind begins those of functions."""
    first, _, rest = (inspect.getdoc(item) or "").partition("\n\n")
    return rest if f"{getattr(item, '__name__', ' ')}(" in first else f"{first}\n\n{rest}".strip()


def signature_of(function: object) -> str:
    try:
        text = str(inspect.signature(function))  # type: ignore[arg-type]
    except (TypeError, ValueError):
        first = (getattr(function, "__doc__", None) or "(…)").splitlines()[0]
        text = first[first.index("("):]
    text = re.sub(r"'([^']*)'", r"\1", text)
    return re.sub(r"\(self,? ?(/, )?", "(", text)


def write_members(kind: type) -> list[str]:
    rows = []
    for name, member in vars(kind).items():
        if name.startswith("_"):
            continue
        target = member.__func__ if isinstance(member, staticmethod) else member
        text = " ".join(doc_of(target).split("\n\n")[0].split())
        if not callable(target) and not isinstance(member, property):
            continue
        if isinstance(member, property):
            rows.append((f"`{name}`", text))
        else:
            rows.append((f"`{name}{signature_of(target)}`", text))
    return [f"| {name.replace('|', chr(92) + '|')} | {text} |" for name, text in rows
            if text and not text.startswith("(self)")]


def write_reference() -> str:
    lines = ["# Python", "", "Made from the docstrings of the package `trammel`; the [tutorial](../tutorial_python.md) "
             "shows how it is used. All quantities are in SI units; vectors are in world axes, but angular velocities "
             "in those of their body.", ""]
    public = [(name, getattr(tr, name)) for name in tr.__all__]
    for name, item in [*(one for one in public if not isinstance(one[1], type)),
                       *(one for one in public if isinstance(one[1], type))]:
        heading = name if isinstance(item, type) else f"{name}{signature_of(item)}"
        doc = doc_of(item).replace("::\n\n", ":\n\n")
        doc = re.sub(r":(?:meth|class|func):`~?(?:trammel\.)?([\w.]+)`", r"`\1`", doc).replace("``", "`")
        doc = re.sub(r"(?m)^    (\*{0,2}\w[\w*]*): ", r"- `\1`: ", doc)
        doc = re.sub(r"(?m)^(Args|Attributes|Raises|Returns):\n", r"\n**\1**\n\n", doc)
        doc = re.sub(r"(?m)^    (?=    )", "", doc)
        lines += [f"## {name}", "", f"`{heading}`", "", doc, ""]
        if isinstance(item, type) and not issubclass(item, BaseException):
            members = write_members(item)
            if members:
                lines += ["| | |", "|---|---|", *members, ""]
    return re.sub("\n\n\n+", "\n\n", "\n".join(lines))


def test_reference() -> None:
    page = ROOT / "docs/reference/python.md"
    text = write_reference()
    if RENEW:
        page.write_text(text, encoding="utf-8")
    assert page.read_text(encoding="utf-8") == text


def test_everything_is_documented() -> None:
    for name in tr.__all__:
        item = getattr(tr, name)
        assert inspect.getdoc(item), name
        if not isinstance(item, type) or isinstance(item, types.GenericAlias):
            continue
        for word, member in vars(item).items():
            if not word.startswith("_") and (callable(member) or isinstance(member, property)):
                assert inspect.getdoc(member), f"{name}.{word}"
