# SPDX-FileCopyrightText: The Trammel authors
# SPDX-License-Identifier: BSD-3-Clause
"""Models: read from files or text, changed by name, run."""

from __future__ import annotations

import json
import os
import warnings
from collections.abc import Callable, Iterator, MutableMapping
from typing import Any

from . import _core
from .document import Section, plain
from .errors import RunWarning
from .force import Force
from .run import Batch, Run, follow
from .simulator import Simulator

Parameter = float | str


class Parameters(MutableMapping[str, Any]):
    """The parameters of a model: values in SI units; set numbers or expressions."""

    def __init__(self, model: Model) -> None:
        self._model = model

    def __getitem__(self, name: str) -> float:
        for key, value in self._model._compiled().parameters:
            if key == name:
                return value
        names = ", ".join(self) or "none"
        raise KeyError(f"no parameter '{name}'; there are: {names}")

    def __setitem__(self, name: str, value: Parameter) -> None:
        before = dict(self._model._overrides)
        self._model._overrides[name] = _parameter(name, value)
        try:
            self._model._compiled()
        except Exception:
            self._model._overrides = before
            raise

    def __delitem__(self, name: str) -> None:
        """Back to the value of the file."""
        del self._model._overrides[name]

    def __iter__(self) -> Iterator[str]:
        return iter([key for key, _ in self._model._compiled().parameters])

    def __len__(self) -> int:
        return len(self._model._compiled().parameters)

    def __repr__(self) -> str:
        return repr(dict(self))


def _parameter(name: str, value: Any) -> Parameter:
    if isinstance(value, str):
        return value
    try:
        return float(value)
    except (TypeError, ValueError):
        raise TypeError(f"parameter '{name}' must be a number or a text, got {type(value).__name__}") from None


class Model:
    """A mechanism. Made by :func:`load` and :func:`loads`.

    ``bodies``, ``joints``, ``couplers``, ``drivers``, ``forces``, ``tables``, ``states``, ``points`` and
    ``outputs`` are its sections, by name, with the keys of the model file::

        crank.bodies["rod"].mass = 75
        crank.forces["wind"] = {"kind": "force", "body": "rod", "value": ["-2*rod.velocity.x", 0, 0]}
        crank.parameters["torque"] = -60
        crank.simulation["rtol"] = 1e-9

    Errors are found where the model is used next, all at once.
    """

    def __init__(self, text: str, name: str, parameters: dict[str, Parameter], *,
                 allow_outside: bool = False, from_file: bool = False) -> None:
        self._name = name
        self._overrides = {key: _parameter(key, value) for key, value in parameters.items()}
        self._allow_outside = allow_outside
        self._document: dict[str, Any] | None = None
        self._cache_key: Any = None
        self._cache: _core.Compiled | None = None
        if from_file:
            self._cache = _core.read_file(name, list(self._overrides.items()), allow_outside)
            self._text = _read(name)
            self._cache_key = (self._text, tuple(self._overrides.items()))
        else:
            self._text = text
            self._compiled()

    # ---- the model as data

    @property
    def document(self) -> dict[str, Any]:
        """The model file as maps and lists, to be changed in place; expressions are texts."""
        if self._document is None:
            self._document = json.loads(_core.to_json_text(self._text, self._name))
        assert self._document is not None
        return self._document

    @property
    def text(self) -> str:
        """The model file: as it was read, or as JSON (which is YAML, too) once the model was changed."""
        if self._document is not None:
            text = json.dumps(self._document, ensure_ascii=False, indent=1)
            if self._document != json.loads(_core.to_json_text(self._text, self._name)):
                self._text = text
        return self._text

    def _current_text(self) -> str:
        return self._text if self._document is None else self.text

    def _compiled(self) -> _core.Compiled:
        text = self._current_text()
        key = (text, tuple(self._overrides.items()))
        if self._cache is None or key != self._cache_key:
            self._cache = _core.read_text(text, self._name, list(self._overrides.items()),
                                          self._allow_outside)
            self._cache_key = key
        return self._cache

    @property
    def name(self) -> str:
        """The name of the model."""
        return self._compiled().name

    @property
    def dimension(self) -> int:
        """3, or 2 for a planar model."""
        return self._compiled().dimension

    @property
    def parameters(self) -> Parameters:
        """The parameters by name."""
        return Parameters(self)

    @property
    def simulation(self) -> dict[str, Any]:
        """The section ``simulation``: options of runs, which :meth:`run` can override."""
        section: dict[str, Any] = self.document.setdefault("simulation", {})
        return section

    def section(self, word: str) -> Section:
        """Any other section of the model file that has entries by name."""
        return Section(self, word)

    @property
    def bodies(self) -> Section:
        """The bodies by name."""
        return Section(self, "bodies")

    @property
    def joints(self) -> Section:
        """The joints by name."""
        return Section(self, "joints")

    @property
    def couplers(self) -> Section:
        """The couplers (gears, belts, …) by name."""
        return Section(self, "couplers")

    @property
    def drivers(self) -> Section:
        """The drivers by name."""
        return Section(self, "drivers")

    @property
    def forces(self) -> Section:
        """The forces by name; entries can be :class:`trammel.Force` and its kin, too."""
        return Section(self, "forces")

    @property
    def tables(self) -> Section:
        """The tables by name."""
        return Section(self, "tables")

    @property
    def states(self) -> Section:
        """The states by name."""
        return Section(self, "states")

    @property
    def points(self) -> Section:
        """The recorded points by name."""
        return Section(self, "points")

    @property
    def outputs(self) -> Section:
        """The outputs by formula, by name."""
        return Section(self, "outputs")

    def _set_force(self, name: str, law: Force) -> None:
        entry = law.make_entry(self.document.get("dimension", 3))
        forces = self.document.setdefault("forces", {})
        forces[name] = entry

    def with_parameters(self, **parameters: Parameter) -> Model:
        """A copy with other values of parameters."""
        return Model(self._current_text(), self._name, {**self._overrides, **parameters},
                     allow_outside=self._allow_outside)

    def copy(self) -> Model:
        """A copy that can be changed without changing this one."""
        return self.with_parameters()

    def write(self, path: str | os.PathLike[str]) -> None:
        """Writes the model file."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self._compiled().text)

    # ---- what it does

    def check(self) -> _core.CheckReport:
        """Degrees of freedom, redundant joints, and how far the initial configuration is from closing the joints."""
        return self._compiled().check()

    def run(self, *, progress: bool | Callable[[float, float], Any] | None = None, **options: Any) -> Run:
        """Simulates the motion from t = 0.

        Args:
            progress: a progress bar (by default on a terminal), or a function of t and t_end that is called about
                ten times per second and ends the run by returning False.
            **options: those of the section ``simulation``: ``t_end``, ``rtol``, ``output_interval``, …
                (``trammel.options()`` lists them).

        Ctrl-C ends the run and keeps what there is. A run that ends before its time is a
        :class:`~trammel.RunWarning`, with the reason, and a result that says so (``run.outcome``). Other threads
        go on while it runs.
        """
        compiled = self._compiled()
        with follow(progress, self._name) as callback:
            results = compiled.run(plain(options), callback)
        run = Run(results)
        run._warn()
        return run

    def simulator(self, **options: Any) -> Simulator:
        """A run driven step by step; options as those of :meth:`run`."""
        return Simulator(self, plain(options))

    def evaluator(self) -> _core.Evaluator:
        """The equations of motion: Jacobian, mass matrix, accelerations, reactions at any state."""
        return _core.Evaluator(self._compiled())

    def batch(self, *, threads: int | None = None, options: dict[str, Any] | None = None,
              progress: bool | Callable[[float, float], Any] | None = None, **parameters: Any) -> Batch:
        """Runs of many variants, four at a time in the lanes of the vector unit, on several threads.

        Args:
            threads: by default one per processor.
            options: of all runs, as those of :meth:`run`.
            **parameters: numbers or arrays, broadcast against each other: their shape is the leading shape of the
                arrays of results.
        """
        return Batch.run(self, threads, plain(options or {}), progress, parameters)

    def __repr__(self) -> str:
        try:
            report = self.check()
        except Exception as error:
            return f"<trammel.Model {self._name}: {error}>"
        bodies = "1 body" if report.bodies == 1 else f"{report.bodies} bodies"
        joints = "1 joint" if report.joints == 1 else f"{report.joints} joints"
        dof = "1 degree" if report.dof == 1 else f"{report.dof} degrees"
        return f"<trammel.Model {self.name}: {bodies}, {joints}, {dof} of freedom>"


def _read(path: str) -> str:
    with open(path, encoding="utf-8") as file:
        return file.read()


def load(path: str | os.PathLike[str], /, *, allow_outside: bool = False, **parameters: Parameter) -> Model:
    """Reads a model file (YAML or JSON), or imports one of another program (URDF, MJCF, ``.asmt``).

    Args:
        path: the file.
        allow_outside: tables and meshes may be outside of the folder of the file.
        **parameters: values that replace those of the file: numbers in SI units, or texts such as ``"45 deg"``.

    Raises:
        ModelError: with all errors, each with line and column.
        FileError: the file cannot be read.
    """
    name = os.fspath(path)
    if not isinstance(name, str):
        raise TypeError("the path must be a text")
    if _core.is_importable(name):
        text, notes = _core.import_text(name)
        if notes:
            warnings.warn(notes, RunWarning, stacklevel=2)
        return Model(text, name, parameters, allow_outside=allow_outside)
    return Model("", name, parameters, allow_outside=allow_outside, from_file=True)


def loads(text: str, /, *, name: str = "text", allow_outside: bool = False, **parameters: Parameter) -> Model:
    """The same from a text; `name` takes the place of the file in messages, and its folder that of the tables."""
    if not isinstance(text, str):
        raise TypeError("a model is a text")
    return Model(text, name, parameters, allow_outside=allow_outside)


def options() -> list[tuple[str, str, str]]:
    """The options of runs: name, unit and meaning of each."""
    rows: list[tuple[str, str, str]] = _core.list_options()
    return rows
