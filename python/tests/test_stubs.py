# SPDX-FileCopyrightText: The Trammel authors
# SPDX-License-Identifier: BSD-3-Clause
"""Types: the stub of the module is what nanobind makes of it, agrees with it, and the examples agree with the types.

    TRAMMEL_RENEW_STUBS=1 pytest python/tests/test_stubs.py     writes the stub
"""
import os
import pathlib
import subprocess
import sys

from conftest import ROOT

HEADING = """\
# SPDX-FileCopyrightText: The Trammel authors
# SPDX-License-Identifier: BSD-3-Clause
"""


def test_stub_is_current(tmp_path: pathlib.Path) -> None:
    made = tmp_path / "_core.pyi"
    subprocess.run([sys.executable, "-m", "nanobind.stubgen", "-q", "-m", "trammel._core", "-o", str(made)], check=True)
    text = HEADING + made.read_text(encoding="utf-8")
    stub = ROOT / "python/trammel/_core.pyi"
    if os.environ.get("TRAMMEL_RENEW_STUBS"):
        stub.write_text(text, encoding="utf-8")
    assert stub.read_text(encoding="utf-8") == text


def test_stubs_agree_with_the_module(tmp_path: pathlib.Path) -> None:
    done = subprocess.run([sys.executable, "-m", "mypy.stubtest", "--concise", "trammel._core"], cwd=tmp_path,
                          capture_output=True, text=True)
    # functions, methods and classes of nanobind are objects of types of its own
    known = ("is not a function", "metaclass differs", "disjoint base", "__init__ is inconsistent, stub does not have")
    offences = [line for line in (done.stdout + done.stderr).splitlines()
                if line.startswith("trammel") and not any(one in line for one in known) or "build errors" in line]
    assert not offences


def test_examples_have_types(tmp_path: pathlib.Path) -> None:
    examples = sorted(map(str, (ROOT / "python/examples").glob("*.py")))
    assert examples
    done = subprocess.run([sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path), *examples],
                          cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
