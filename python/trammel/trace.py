# SPDX-FileCopyrightText: The Trammel authors
# SPDX-License-Identifier: BSD-3-Clause
"""Python functions as formulas: called once with numbers that write down what is done with them.

A :class:`Symbol` is a piece of a formula of the model file with its precedence; operators and functions of
NumPy make longer ones. What a formula cannot say (a branch, ``math.sin``) raises :class:`Untraceable`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any, SupportsFloat, Union

import numpy as np

Number = Union[float, "Symbol"]

_SUM, _PRODUCT, _SIGN, _POWER, _VALUE = range(5)

# NumPy's name: the formula's
_FUNCTIONS = {
    "sin": "sin", "cos": "cos", "tan": "tan", "arcsin": "asin", "arccos": "acos", "arctan": "atan",
    "sinh": "sinh", "cosh": "cosh", "tanh": "tanh", "exp": "exp", "log": "log", "log10": "log10",
    "sqrt": "sqrt", "absolute": "abs", "fabs": "abs", "floor": "floor", "ceil": "ceil", "sign": "sign",
    "arctan2": "atan2", "minimum": "min", "maximum": "max", "hypot": "hypot", "power": "pow",
}
_QUANTITIES = ("position", "velocity", "angular_velocity")


class Untraceable(TypeError):
    """What a formula cannot say."""


def _write(value: float) -> str:
    if not math.isfinite(value):
        raise Untraceable(f"a formula has no {value}")
    return repr(float(value))


class Symbol:
    """A number that is known when the mechanism moves."""

    __slots__ = ("_precedence", "_text")
    __array_priority__ = 100.0

    def __init__(self, text: str, precedence: int = _VALUE) -> None:
        self._text = text
        self._precedence = precedence

    def __repr__(self) -> str:
        return self._text

    # ---- operators

    def _within(self, least: int) -> str:
        return self._text if self._precedence >= least else f"({self._text})"

    def __add__(self, other: Any) -> Symbol:
        return _combine(self, "+", other, _SUM)

    def __radd__(self, other: Any) -> Symbol:
        return _combine(other, "+", self, _SUM)

    def __sub__(self, other: Any) -> Symbol:
        return _combine(self, "-", other, _SUM)

    def __rsub__(self, other: Any) -> Symbol:
        return _combine(other, "-", self, _SUM)

    def __mul__(self, other: Any) -> Symbol:
        return _combine(self, "*", other, _PRODUCT)

    def __rmul__(self, other: Any) -> Symbol:
        return _combine(other, "*", self, _PRODUCT)

    def __truediv__(self, other: Any) -> Symbol:
        return _combine(self, "/", other, _PRODUCT)

    def __rtruediv__(self, other: Any) -> Symbol:
        return _combine(other, "/", self, _PRODUCT)

    def __pow__(self, other: Any) -> Symbol:
        return Symbol(f"{self._within(_VALUE)}^{_lift(other)._within(_VALUE)}", _POWER)

    def __rpow__(self, other: Any) -> Symbol:
        return _lift(other) ** self

    def __neg__(self) -> Symbol:
        return Symbol("-" + self._within(_SIGN), _SIGN)

    def __pos__(self) -> Symbol:
        return self

    def __abs__(self) -> Symbol:
        return call("abs", self)

    # ---- comparisons are for `where`; nothing else may depend on them

    def __lt__(self, other: Any) -> Condition:
        return Condition(call("max", 0.0, call("sign", _lift(other) - self)))

    def __gt__(self, other: Any) -> Condition:
        return _lift(other) < self

    def __le__(self, other: Any) -> Condition:
        return ~(self > other)

    def __ge__(self, other: Any) -> Condition:
        return ~(self < other)

    def __eq__(self, other: object) -> Any:
        raise Untraceable("'==' of numbers that are not known yet: compare with <, <=, > or >=")

    __hash__ = None  # type: ignore[assignment]

    def __bool__(self) -> bool:
        raise Untraceable("a branch on a number that is not known yet: use trammel.where(condition, a, b)")

    def __float__(self) -> float:
        raise Untraceable("a number that is not known yet: use functions of NumPy, not of math")

    __int__ = __index__ = __float__  # type: ignore[assignment]

    # ---- NumPy: of symbols, and of arrays of them

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **_: Any) -> Any:
        if method != "__call__":
            raise Untraceable(f"numpy.{ufunc.__name__}.{method} is not part of formulas")
        if any(isinstance(one, np.ndarray) and one.ndim for one in inputs):
            return getattr(np, ufunc.__name__)(*[np.asarray(one, dtype=object) for one in inputs])
        return _apply(ufunc.__name__, *[one.item() if isinstance(one, np.generic | np.ndarray) else one
                                        for one in inputs])


_OPERATORS: dict[str, Callable[..., Any]] = {
    "add": lambda a, b: a + b, "subtract": lambda a, b: a - b, "multiply": lambda a, b: a * b,
    "divide": lambda a, b: a / b, "negative": lambda a: -a, "positive": lambda a: a,
    "square": lambda a: a * a, "less": lambda a, b: a < b, "less_equal": lambda a, b: a <= b,
    "greater": lambda a, b: a > b, "greater_equal": lambda a, b: a >= b,
}


def _apply(name: str, *inputs: Any) -> Any:
    if name in _OPERATORS:
        return _OPERATORS[name](*inputs)
    if name not in _FUNCTIONS:
        raise Untraceable(f"numpy.{name} is not part of formulas")
    return call(_FUNCTIONS[name], *inputs)


def _method(name: str) -> Callable[[Symbol], Symbol]:
    return lambda self: call(_FUNCTIONS[name], self)


# NumPy calls these on the elements of arrays of symbols.
for _name in ("sin", "cos", "tan", "arcsin", "arccos", "arctan", "sinh", "cosh", "tanh", "exp", "log",
              "log10", "sqrt", "floor", "ceil", "sign", "fabs"):
    setattr(Symbol, _name, _method(_name))


def _lift(value: Any) -> Symbol:
    if isinstance(value, Symbol):
        return value
    if isinstance(value, Condition):
        return value.number
    if isinstance(value, (np.ndarray, str, bytes, bool)) or not isinstance(value, SupportsFloat):
        raise Untraceable(f"a number is needed, got {type(value).__name__}")
    text = _write(float(value))
    return Symbol(text, _SIGN if text.startswith("-") else _VALUE)


def _combine(left: Any, operator: str, right: Any, precedence: int) -> Symbol:
    if isinstance(left, (np.ndarray, Vector)) or isinstance(right, (np.ndarray, Vector)):
        return NotImplemented
    # a - (b + c), a / (b * c): the right operand binds tighter
    a, b = _lift(left)._within(precedence), _lift(right)._within(precedence + 1)
    return Symbol(f"{a} {operator} {b}" if precedence == _SUM else f"{a}{operator}{b}", precedence)


def call(name: str, *arguments: Any) -> Symbol:
    """The formula ``name(arguments)``."""
    return Symbol(f"{name}({', '.join(_lift(one)._text for one in arguments)})")


class Condition:
    """1 where a comparison holds, else 0. Combined with ``&``, ``|`` and ``~``."""

    __slots__ = ("number",)

    def __init__(self, number: Symbol) -> None:
        self.number = number

    def __and__(self, other: Condition) -> Condition:
        return Condition(self.number * other.number)

    def __or__(self, other: Condition) -> Condition:
        return Condition(call("max", self.number, other.number))

    def __invert__(self) -> Condition:
        return Condition(1.0 - self.number)

    def __bool__(self) -> bool:
        raise Untraceable("a branch on a number that is not known yet: use trammel.where(condition, a, b)")


def where(condition: Any, a: Any, b: Any) -> Any:
    """``a`` where the condition holds, else ``b``; both are evaluated and have to be finite.

    In a function that is traced this is how to branch; on known numbers it is ``numpy.where``.
    """
    if not isinstance(condition, Condition):
        chosen = np.where(condition, a, b)
        return chosen.item() if chosen.ndim == 0 else chosen
    if isinstance(a, Vector) or isinstance(b, Vector):
        return Vector([where(condition, x, y) for x, y in zip(a, b, strict=True)])
    return condition.number * a + (~condition).number * b


class Vector:
    """Three components in the world, or in the axes of a body."""

    __slots__ = ("_components",)
    __array_priority__ = 200.0
    __array_ufunc__ = None

    def __init__(self, components: Any) -> None:
        self._components = list(components)

    @property
    def x(self) -> Number:
        """The first component."""
        return self._components[0]

    @property
    def y(self) -> Number:
        """The second component."""
        return self._components[1]

    @property
    def z(self) -> Number:
        """The third component."""
        return self._components[2]

    def __iter__(self) -> Iterator[Number]:
        return iter(self._components)

    def __len__(self) -> int:
        return len(self._components)

    def __getitem__(self, index: int) -> Number:
        return self._components[index]

    def __repr__(self) -> str:
        return repr(self._components)

    def _with(self, other: Any, operation: Callable[[Any, Any], Any]) -> Vector:
        if isinstance(other, (Vector, np.ndarray, list, tuple)):
            return Vector([operation(a, b) for a, b in zip(self, other, strict=True)])
        return Vector([operation(a, other) for a in self])

    def __add__(self, other: Any) -> Vector:
        return self._with(other, lambda a, b: a + b)

    def __radd__(self, other: Any) -> Vector:
        return self._with(other, lambda a, b: b + a)

    def __sub__(self, other: Any) -> Vector:
        return self._with(other, lambda a, b: a - b)

    def __rsub__(self, other: Any) -> Vector:
        return self._with(other, lambda a, b: b - a)

    def __mul__(self, other: Any) -> Vector:
        return self._with(other, lambda a, b: a * b)

    def __rmul__(self, other: Any) -> Vector:
        return self._with(other, lambda a, b: b * a)

    def __truediv__(self, other: Any) -> Vector:
        return self._with(other, lambda a, b: a / b)

    def __neg__(self) -> Vector:
        return Vector([-a for a in self])

    def dot(self, other: Any) -> Number:
        """The scalar product."""
        terms = [a * b for a, b in zip(self, other, strict=True)]
        return terms[0] + terms[1] + terms[2]

    def cross(self, other: Any) -> Vector:
        """The vector product."""
        (a, b, c), (u, v, w) = self, other
        return Vector([b * w - c * v, c * u - a * w, a * v - b * u])

    def norm(self) -> Number:
        """The length."""
        square = self.dot(self)
        return call("sqrt", square) if isinstance(square, Symbol) else math.sqrt(square)


class State:
    """The state of a mechanism inside of a formula: ``s.rod.velocity``, ``s.pin.angle``, ``s.t``, ``s.torque``.

    ``s["rod"]`` for names that are no identifiers. Positions (m) and velocities (m/s) are in world axes,
    angular velocities (rad/s) in those of the body.
    """

    def __init__(self, look_up: Callable[[str], Number]) -> None:
        self._look_up = look_up

    def __getitem__(self, name: str) -> Any:
        return _Part(name, self._look_up)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return self["t"]._value() if name == "t" else self[name]


class _Part(Symbol):
    """A name so far: a number where it is used as one, else longer names."""

    __slots__ = ("_look_up", "_name")

    def __init__(self, name: str, look_up: Callable[[str], Number]) -> None:
        super().__init__(name)
        self._name = name
        self._look_up = look_up

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        path = f"{self._name}.{name}"
        if name in _QUANTITIES:
            return Vector([self._look_up(f"{path}.{axis}") for axis in "xyz"])
        return _Part(path, self._look_up)

    def __getitem__(self, name: str) -> Any:
        return self.__getattr__(name)

    def _value(self) -> Number:
        return self._look_up(self._name)


def formula(function: Callable[[State], Any]) -> str:
    """A Python function of the state as the text of a formula, for every place that takes one.

    Rates of states, motions of drivers (of ``s.t`` only) and outputs can so be functions, too::

        model.states["filtered"] = {"initial": 0, "rate": tr.formula(lambda s: 10 * (s.pin.angle - s.filtered))}
        model.drivers["turn"].angle = tr.formula(lambda s: 0.3 * np.sin(2 * np.pi * s.t))

    Raises:
        Untraceable: the function does what a formula cannot say.
    """
    return repr(trace(function, 1)[0])


def trace(function: Callable[[State], Any], size: int) -> list[Symbol]:
    """The formulas of a function of the state that returns `size` numbers; raises Untraceable."""
    result = function(State(Symbol))
    if size == 1 and isinstance(result, Symbol):
        return [result]
    components = result if isinstance(result, Vector) else np.atleast_1d(np.asarray(result, dtype=object))
    formulas = [_lift(one) for one in components]
    if len(formulas) == 3 and size < 3:  # a planar model: force (x, y), torque about z
        formulas = formulas[:2] if size == 2 else formulas[2:]
    if len(formulas) != size:
        raise ValueError(f"the function has to return {size} number{'s' * (size > 1)}, it returned {len(formulas)}")
    return formulas
