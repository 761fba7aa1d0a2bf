# SPDX-FileCopyrightText: The Trammel authors
# SPDX-License-Identifier: BSD-3-Clause
"""Runs that the caller drives."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterator, Mapping, MutableMapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from . import _core
from .run import Run

if TYPE_CHECKING:
    from .model import Model


class Inputs(MutableMapping[str, float]):
    """The inputs of a simulator: states of the model whose rate is 0."""

    def __init__(self, core: _core.Simulator) -> None:
        self._core = core

    def __getitem__(self, name: str) -> float:
        return self._core.input(name)

    def __setitem__(self, name: str, value: float) -> None:
        self._core.set_input(name, float(value))

    def __delitem__(self, name: str) -> None:
        raise TypeError("inputs cannot be removed")

    def __iter__(self) -> Iterator[str]:
        return iter(self._core.input_names())

    def __len__(self) -> int:
        return len(self._core.input_names())

    def __repr__(self) -> str:
        return repr(dict(self))


class Values(Mapping[str, Any]):
    """The state at the end of the last step, by the names of channels."""

    def __init__(self, core: _core.Simulator) -> None:
        self._core = core

    def __getitem__(self, name: str) -> float | NDArray[np.float64]:
        try:
            return self._core.value(name)
        except ValueError as error:
            for axes in (".x", ".y", ".z"), (".0", ".1", ".2", ".3"):
                try:
                    return np.array([self._core.value(name + axis) for axis in axes])
                except ValueError:
                    pass
            raise KeyError(str(error)) from None

    def __iter__(self) -> Iterator[str]:
        return iter(Run(self._core.results()))

    def __len__(self) -> int:
        return sum(1 for _ in self)


class ParametersInRun(MutableMapping[str, float]):
    """The parameters of the model of a simulator; one that is set acts from now on."""

    def __init__(self, simulator: Simulator) -> None:
        self._simulator = simulator

    def __getitem__(self, name: str) -> float:
        return self._simulator.model.parameters[name]

    def __setitem__(self, name: str, value: float | str) -> None:
        changed = self._simulator.model.with_parameters(**{name: value})
        self._simulator._core.change(changed._compiled())
        self._simulator.model = changed

    def __delitem__(self, name: str) -> None:
        raise TypeError("parameters cannot be removed")

    def __iter__(self) -> Iterator[str]:
        return iter(self._simulator.model.parameters)

    def __len__(self) -> int:
        return len(self._simulator.model.parameters)


class Simulator:
    """A run that the caller drives; made by :meth:`Model.simulator`.

    ::

        sim = model.simulator(t_end=5)
        while sim.advance(0.001):
            sim.inputs["torque"] = -20 * sim.state["shoulder.angle"]

    The steps have the bits of :meth:`Model.run` where the same steps end. A simulator belongs to one thread at a
    time.
    """

    def __init__(self, model: Model, options: dict[str, Any]) -> None:
        self.model = model.copy()
        self._options = options
        self._core = _core.Simulator(self.model._compiled(), options)

    def step(self, dt: float | None = None) -> bool:
        """One step of the integrator, or steps until `dt` seconds have passed. False: the run is over."""
        return self._core.step() if dt is None else self._core.advance(float(dt))

    def advance(self, dt: float) -> bool:
        """Steps until `dt` seconds have passed. False: the run is over."""
        return self._core.advance(float(dt))

    def advance_to(self, t: float) -> bool:
        """Steps until the time is t (s). False: the run is over."""
        return self._core.advance_to(float(t))

    @property
    def t(self) -> float:
        """The time, s."""
        return self._core.time

    @property
    def is_over(self) -> bool:
        """Whether the end is reached, or the run cannot go on; ``message`` says why."""
        return self._core.is_over

    @property
    def message(self) -> str:
        """Why the run is over, or where it is."""
        return self._core.message

    @property
    def state(self) -> Values:
        """Channels by name: ``sim.state["rod.velocity"]``, ``sim.state["motor.torque"]``."""
        return Values(self._core)

    @property
    def inputs(self) -> Inputs:
        """The inputs by name, constant until they are set again."""
        return Inputs(self._core)

    @property
    def parameters(self) -> ParametersInRun:
        """The parameters of the model; setting one changes the mechanism from now on."""
        return ParametersInRun(self)

    def bodies(self) -> dict[str, _core.BodyState]:
        """The states of all bodies by name."""
        return dict(zip(self._core.body_names(), self._core.state(), strict=True))

    def results(self) -> Run:
        """What was recorded since the start, or the last change of a parameter: one row per step."""
        return Run(self._core.results())

    def save(self, path: str | os.PathLike[str] | None = None) -> bytes:
        """The run so far as bytes, written to a file where one is named: whole or not at all.

        :meth:`restore` goes on from there with the same bits, in another process, too.
        """
        head = json.dumps({"text": self.model._current_text(), "name": self.model._name,
                           "parameters": self.model._overrides, "options": self._options,
                           "allow_outside": self.model._allow_outside}).encode()
        saved = len(head).to_bytes(8, "little") + head + self._core.save()
        if path is not None:
            folder = os.path.dirname(os.path.abspath(path))
            handle, temporary = tempfile.mkstemp(dir=folder)
            try:
                with os.fdopen(handle, "wb") as file:
                    file.write(saved)
                    file.flush()
                    os.fsync(file.fileno())
                os.replace(temporary, path)
            except BaseException:
                os.unlink(temporary)
                raise
        return saved

    @staticmethod
    def restore(saved: bytes | str | os.PathLike[str]) -> Simulator:
        """The simulator that was saved, from bytes or a file. It takes the CPU time of the run so far.

        Raises:
            ValueError: the checkpoint is damaged.
        """
        from .model import Model

        if not isinstance(saved, bytes):
            with open(os.fspath(saved), "rb") as file:  # a number would be an open file
                saved = file.read()
        size = int.from_bytes(saved[:8], "little")
        try:
            head = json.loads(saved[8:8 + size])
            model = Model(head["text"], head["name"], head["parameters"],
                          allow_outside=head["allow_outside"])
            options = head["options"]
        except (UnicodeDecodeError, KeyError, TypeError, json.JSONDecodeError):
            raise ValueError("this is no checkpoint of a simulator") from None
        simulator = Simulator(model, options)
        simulator._core.restore(saved[8 + size:])
        return simulator

    def __repr__(self) -> str:
        return f"<trammel.Simulator {self.model.name}: {self.message}>"
