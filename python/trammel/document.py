# SPDX-FileCopyrightText: The Trammel authors
# SPDX-License-Identifier: BSD-3-Clause
"""Sections and entries of a model file as objects: ``model.bodies["rod"].mass = 20``."""

from __future__ import annotations

from collections.abc import Iterator, MutableMapping
from typing import Any

from . import force


def plain(value: Any) -> Any:
    """A value as JSON has it: arrays of NumPy become lists, entries maps."""
    if isinstance(value, Entry):
        return value._data
    if isinstance(value, dict):
        return {str(key): plain(one) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(one) for one in value]
    if hasattr(value, "tolist"):
        return value.tolist()
    if value is None or isinstance(value, (str, bool, int, float)):
        return value
    raise TypeError(f"a model file cannot have a {type(value).__name__}")


class Entry(MutableMapping[str, Any]):
    """An entry of a model, its keys as items and as attributes."""

    _data: dict[str, Any]

    def __init__(self, data: dict[str, Any]) -> None:
        object.__setattr__(self, "_data", data)

    def __getitem__(self, key: str) -> Any:
        value = self._data[key]
        return Entry(value) if isinstance(value, dict) else value

    def __setitem__(self, key: str, value: Any) -> None:
        self._data[key] = plain(value)

    def __delitem__(self, key: str) -> None:
        del self._data[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._data)

    def __len__(self) -> int:
        return len(self._data)

    def __getattr__(self, key: str) -> Any:
        if key.startswith("__"):
            raise AttributeError(key)
        try:
            return self[key]
        except KeyError:
            raise AttributeError(f"this entry has no '{key}'; it has {', '.join(self._data)}") from None

    def __setattr__(self, key: str, value: Any) -> None:
        self[key] = value

    def __delattr__(self, key: str) -> None:
        del self[key]

    def __repr__(self) -> str:
        return repr(self._data)


class Section(MutableMapping[str, Entry]):
    """A section of a model: entries by name."""

    def __init__(self, model: Any, word: str) -> None:
        self._model = model
        self._word = word

    def _map(self) -> dict[str, Any]:
        section = self._model.document.get(self._word)
        return section if isinstance(section, dict) else {}

    def __getitem__(self, name: str) -> Any:
        try:
            value = self._map()[name]
        except KeyError:
            raise KeyError(f"no entry '{name}' in {self._word}; there are: {', '.join(self._map())}") from None
        return Entry(value) if isinstance(value, dict) else value

    def __setitem__(self, name: str, value: Any) -> None:
        if not isinstance(name, str):
            raise TypeError("names are strings")
        if isinstance(value, force.Force) and self._word == "forces":
            self._model._set_force(name, value)
            return
        document = self._model.document
        if not isinstance(document.get(self._word), dict):
            document[self._word] = {}
        document[self._word][name] = plain(value)

    def __delitem__(self, name: str) -> None:
        self._map().pop(name)

    def __iter__(self) -> Iterator[str]:
        return iter(self._map())

    def __len__(self) -> int:
        return len(self._map())

    def __repr__(self) -> str:
        return f"{self._word}: {', '.join(self) or 'none'}"
