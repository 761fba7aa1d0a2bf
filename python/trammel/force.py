# SPDX-FileCopyrightText: The Trammel authors
# SPDX-License-Identifier: BSD-3-Clause
"""Forces by Python functions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from .trace import State, trace


class Force:
    """A force on a body as a Python function of the state.

    Args:
        body: the name of the body.
        function: takes the state ``s`` and returns the force, N (of a torque N m): three numbers, or two (one) in
            a planar model. ``s.rod.velocity``, ``s.pin.angle``, ``s.t``, parameters and states of the model by
            name; ``trammel.where`` for branches, functions of NumPy.
        point: where it acts, m, in the body's frame; by default its origin.
        frame: ``"world"`` or ``"body"``, the axes of the components.

    The function is called once, with numbers that write down what is done with them, and becomes a formula of the
    model: it runs at full speed and has exact derivatives.
    """

    kind = "force"

    def __init__(self, body: str, function: Callable[[State], Any], *,
                 point: Sequence[float] | None = None, frame: str = "world") -> None:
        if not callable(function):
            raise TypeError("a force needs a function of the state")
        self.body = body
        self.function = function
        self.point = point
        self.frame = frame

    def size(self, dimension: int) -> int:
        """How many numbers the function returns."""
        return dimension if dimension == 2 else 3

    def make_entry(self, dimension: int) -> dict[str, Any]:
        """The entry of the section ``forces``; raises Untraceable."""
        size = self.size(dimension)
        formulas = [repr(one) for one in trace(self.function, size)]
        entry: dict[str, Any] = {"kind": self.kind, "body": self.body,
                                 "value": formulas if size > 1 else formulas[0]}
        if self.frame != "world":
            entry["frame"] = self.frame
        if self.point is not None:
            entry["point"] = [float(x) for x in self.point]
        return entry


class Torque(Force):
    """A torque on a body as a Python function of the state; see :class:`Force`."""

    kind = "torque"

    def __init__(self, body: str, function: Callable[[State], Any], *, frame: str = "world") -> None:
        super().__init__(body, function, frame=frame)

    def size(self, dimension: int) -> int:
        return 1 if dimension == 2 else 3


class JointLoad(Force):
    """A torque about a hinge, N m, or a force along a slide, N, as a Python function of the state.

    Args:
        joint: the name of a joint with one coordinate.
        function: takes the state and returns a number; positive: it makes the angle or travel grow.
    """

    kind = "joint_spring_damper"

    def __init__(self, joint: str, function: Callable[[State], Any]) -> None:
        super().__init__(joint, function)

    def make_entry(self, dimension: int) -> dict[str, Any]:
        return {"kind": self.kind, "joint": self.body, "load": repr(trace(self.function, 1)[0])}
