# SPDX-FileCopyrightText: The Trammel authors
# SPDX-License-Identifier: BSD-3-Clause
"""The examples run; each asserts what it says."""
import runpy

import pytest

from conftest import ROOT


@pytest.mark.parametrize("path", sorted((ROOT / "python/examples").glob("*.py")), ids=lambda path: path.stem)
def test_example(path: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    runpy.run_path(str(path), run_name="__main__")
