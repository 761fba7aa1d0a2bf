# SPDX-FileCopyrightText: The Trammel authors
# SPDX-License-Identifier: BSD-3-Clause
"""The C++ library under the package trammel."""

from collections.abc import Sequence
from typing import Annotated

import numpy
from numpy.typing import NDArray


class Mistake:
    """One error of a model, with its place."""

    @property
    def file(self) -> str:
        """Empty where the model is not from a file."""

    @property
    def line(self) -> int:
        """From 1; 0: unknown."""

    @property
    def column(self) -> int:
        """From 1; 0: unknown."""

    @property
    def path(self) -> str:
        """Where in the model: 'bodies.crank.mass'."""

    @property
    def reason(self) -> str:
        """What is wrong."""

    @property
    def hint(self) -> str:
        """What to do about it; may be empty."""

    def __repr__(self) -> str: ...

class CheckReport:
    """Degrees of freedom, assembly, redundancy."""

    @property
    def bodies(self) -> int: ...

    @property
    def joints(self) -> int: ...

    @property
    def rows(self) -> int:
        """Constraint equations."""

    @property
    def rank(self) -> int:
        """Independent ones."""

    @property
    def dof(self) -> int:
        """Degrees of freedom."""

    @property
    def drivers(self) -> int: ...

    @property
    def reasons(self) -> list[str]:
        """Why it cannot run; empty: it can."""

    @property
    def warnings(self) -> list[str]: ...

    @property
    def ok(self) -> bool: ...

    def to_json(self) -> str: ...

    def __repr__(self) -> str: ...

class Compiled:
    """A model as read, and its system."""

    @property
    def name(self) -> str: ...

    @property
    def text(self) -> str: ...

    @property
    def dimension(self) -> int: ...

    @property
    def parameters(self) -> list[tuple[str, float]]: ...

    @property
    def t_end(self) -> float: ...

    def check(self) -> CheckReport: ...

    def assembled(self) -> list[BodyState]: ...

    def run(self, options: dict, progress: object | None) -> Results: ...

def read_text(text: str, name: str, parameters: Sequence[tuple[str, float | str]], allow_outside: bool) -> Compiled: ...

def read_file(path: str, parameters: Sequence[tuple[str, float | str]], allow_outside: bool) -> Compiled: ...

def import_text(path: str) -> tuple[str, str]: ...

def is_importable(path: str) -> bool: ...

def to_json_text(text: str, name: str) -> str: ...

def run_ensemble(members: Sequence[Compiled], options: dict, threads: int, progress: object | None) -> list: ...

def list_options() -> list: ...

class BodyState:
    """A body at one time: m, m/s, rad/s; SI units."""

    def __init__(self) -> None: ...

    @property
    def position(self) -> list[float]:
        """m, of the body's frame, world axes."""

    @position.setter
    def position(self, arg: Sequence[float], /) -> None: ...

    @property
    def orientation(self) -> list[float]:
        """Euler parameters, scalar first."""

    @orientation.setter
    def orientation(self, arg: Sequence[float], /) -> None: ...

    @property
    def velocity(self) -> list[float]:
        """m/s, of the same, world axes."""

    @velocity.setter
    def velocity(self, arg: Sequence[float], /) -> None: ...

    @property
    def angular_velocity(self) -> list[float]:
        """rad/s, body axes."""

    @angular_velocity.setter
    def angular_velocity(self, arg: Sequence[float], /) -> None: ...

class Results:
    """The columns of a run."""

    @property
    def outcome(self) -> str: ...

    @property
    def message(self) -> str: ...

    @property
    def t(self) -> float: ...

    @property
    def model_name(self) -> str: ...

    @property
    def model_text(self) -> str: ...

    @property
    def body_names(self) -> list[str]: ...

    @property
    def joint_names(self) -> list[str]: ...

    @property
    def warnings(self) -> list[str]: ...

    @property
    def final(self) -> list[BodyState]: ...

    def channels(self) -> list[tuple[str, str]]: ...

    def column(self, name: str) -> Annotated[NDArray[numpy.float64], dict(writable=False)]: ...

    def brief_report(self) -> str: ...

    def full_report(self) -> str: ...

    def to_json(self) -> str: ...

    def write_json(self, path: str) -> None: ...

    def write_csv(self, path: str) -> None: ...

    def write_hdf5(self, path: str) -> None: ...

    def write_page(self, path: str) -> None: ...

    def write_picture(self, path: str, t: float | None, width: int) -> list[str]: ...

    def draw_svg(self, t: float | None, width: int, trail: float) -> str: ...

class Interpolator:
    """States between the output times."""

    def at(self, t: float) -> list[BodyState]: ...

    @property
    def why_open(self) -> str: ...

def make_interpolator(results: object) -> Interpolator: ...

def read_results(path: str) -> Results: ...

def has_page() -> bool: ...

def write_comparison(runs: Sequence[Results], path: str, labels: Sequence[str]) -> None: ...

class Simulator:
    """A run that the caller drives."""

    def __init__(self, compiled: Compiled, options: dict) -> None: ...

    def step(self) -> bool: ...

    def advance(self, dt: float) -> bool: ...

    def advance_to(self, t: float) -> bool: ...

    @property
    def time(self) -> float: ...

    @property
    def is_over(self) -> bool: ...

    @property
    def message(self) -> str: ...

    def state(self) -> list[BodyState]: ...

    def body_names(self) -> list[str]: ...

    def value(self, channel: str) -> float: ...

    def input_names(self) -> list[str]: ...

    def input(self, name: str) -> float: ...

    def set_input(self, name: str, value: float) -> None: ...

    def change(self, compiled: Compiled) -> None: ...

    def results(self) -> Results: ...

    def save(self) -> bytes: ...

    def restore(self, saved: bytes) -> None: ...

class Evaluator:
    """
    The equations of motion at a state.

    SI units. Forces, velocities and positions in world axes, angular velocities in those of the body. Rows of the
    Jacobian are constraint equations, columns the velocities of the bodies, six each.
    """

    def __init__(self, compiled: Compiled) -> None: ...

    def set_state(self, bodies: Sequence[BodyState], t: float = 0.0) -> None:
        """
        Sets the states of all bodies, in the order of body_names, at time t (s).
        """

    def set_body(self, name: str, state: BodyState) -> None:
        """Sets the state of one body."""

    def set_time(self, t: float) -> None:
        """Sets the time (s)."""

    def body(self, name: str) -> BodyState:
        """The state of a body, a copy."""

    @property
    def time(self) -> float:
        """s"""

    @property
    def body_names(self) -> list[str]: ...

    @property
    def joint_names(self) -> list[str]: ...

    @property
    def constraint_names(self) -> list[str]:
        """Of the rows: 'pin.C.x'."""

    def constraints(self) -> Annotated[NDArray[numpy.float64], dict(writable=False)]:
        """g, in m or without a unit."""

    def constraint_velocities(self) -> Annotated[NDArray[numpy.float64], dict(writable=False)]:
        """J u + dg/dt."""

    def jacobian(self) -> Annotated[NDArray[numpy.float64], dict(writable=False)]:
        """J, rows × 6 bodies."""

    def mass(self) -> Annotated[NDArray[numpy.float64], dict(writable=False)]:
        """M, 6 bodies × 6 bodies."""

    def acceleration(self, body: str) -> tuple[list[float], list[float]]:
        """Of a body: m/s², world axes, and rad/s², body axes."""

    def multipliers(self) -> Annotated[NDArray[numpy.float64], dict(writable=False)]:
        """λ."""

    def reaction(self, joint: str) -> tuple[list[float], list[float]]:
        """Force (N) and moment (N m) on the joint's second body, world axes."""

    def energy(self) -> tuple[float, float]:
        """Kinetic and potential energy, J."""

    def momentum(self) -> tuple[list[float], list[float]]:
        """Linear (N s) and angular momentum (N m s) about the world's origin."""

def version() -> str:
    """'0.1.0'"""

def run_program(arguments: Sequence[str]) -> int:
    """The program `trammel`; returns its exit status."""
