# SPDX-FileCopyrightText: The Trammel authors
# SPDX-License-Identifier: BSD-3-Clause
"""What can go wrong: a bad model, a file, or a run that does not reach its end."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._core import Mistake


class ModelError(ValueError):
    """A model that cannot be used, with every error that was found.

    Attributes:
        mistakes: list of errors; each has ``file``, ``line``, ``column``, ``path``, ``reason`` and ``hint``.
    """

    def __init__(self, mistakes: list[Mistake]) -> None:
        super().__init__("\n".join(map(repr, mistakes)))
        self.mistakes = mistakes

    @property
    def errors(self) -> list[Mistake]:
        """The same list as ``mistakes``."""
        return self.mistakes


class FileError(OSError):
    """A file that cannot be read or written; the message names it."""


class RunWarning(RuntimeWarning):
    """A run that ended before its time, or something about its results that a user should know."""
