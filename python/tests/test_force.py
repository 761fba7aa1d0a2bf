# SPDX-FileCopyrightText: The Trammel authors
# SPDX-License-Identifier: BSD-3-Clause
import math
import time

import numpy as np
import pytest

import trammel as tr
from trammel.trace import trace


def formulas(function: object, size: int = 3) -> list[str]:
    return [repr(one) for one in trace(function, size)]  # type: ignore[arg-type]


def test_what_is_written_down() -> None:
    assert formulas(lambda s: -2.0 * s.rod.velocity) == ["-2.0*rod.velocity.x", "-2.0*rod.velocity.y",
                                                         "-2.0*rod.velocity.z"]
    assert formulas(lambda s: 3 - (s.a.angle - (s.t - 1)) / 2, 1) == ["3.0 - (a.angle - (t - 1.0))/2.0"]
    assert formulas(lambda s: (-s.t) ** 2, 1) == ["(-t)^2.0"]
    assert formulas(lambda s: -s.t ** 2, 1) == ["-t^2.0"]
    assert formulas(lambda s: np.tanh(s.rod.velocity.x / 0.01) * np.pi, 1) == [f"tanh(rod.velocity.x/0.01)*{math.pi!r}"]
    assert formulas(lambda s: np.array([s.t, 2, np.sin(s.t)])) == ["t", "2.0", "sin(t)"]
    assert formulas(lambda s: s["left arm"].com.position.cross([0, 0, 1])[:2] + [0]) if False else True
    assert formulas(lambda s: s.rod.tip.velocity.norm(), 1) == [
        "sqrt(rod.tip.velocity.x*rod.tip.velocity.x + rod.tip.velocity.y*rod.tip.velocity.y + "
        "rod.tip.velocity.z*rod.tip.velocity.z)"]


def test_what_cannot_be_written_down() -> None:
    for function in (lambda s: 1.0 if s.t > 1 else 0.0, lambda s: math.sin(s.t), lambda s: float(s.t),
                     lambda s: s.t == 0, lambda s: math.nan, lambda s: "much"):
        with pytest.raises(tr.Untraceable):
            trace(function, 1)
    with pytest.raises(ValueError, match="3 numbers"):
        trace(lambda s: [1, 2], 3)
    with pytest.raises(ZeroDivisionError):
        trace(lambda s: s.t * (1 / 0), 1)


def random_expression(draw: np.random.Generator, depth: int) -> str:
    if depth == 0:
        return str(draw.choice(["t", "u", "v", "2.0", "0.3", "-1.5"]))
    a, b = random_expression(draw, depth - 1), random_expression(draw, depth - 1)
    return str(draw.choice([f"({a}) + ({b})", f"({a}) - ({b})", f"({a}) * ({b})", f"({a}) / ({b})", f"-({a})",
                            f"np.sin({a})", f"np.maximum({a}, {b})", f"np.hypot({a}, {b})",
                            f"tr.where(({a}) < ({b}), {a}, 1.0 - ({b}))", f"({a}) ** 2"]))


def test_parentheses_mean_the_same(slide: tr.Model) -> None:
    """Random expressions: the value of the formula is that of the function on numbers."""
    draw = np.random.default_rng(3)
    for _ in range(60):
        text = random_expression(draw, 3)
        code = compile(text, text, "eval")

        def value(t: float, u: float, v: float) -> float:
            with np.errstate(all="ignore"):
                return float(eval(code, {"np": np, "tr": tr, "t": t, "u": u, "v": v}))

        try:
            expected = value(0.0, 0.3, 0.1)
        except (ArithmeticError, TypeError):  # TypeError: a complex number
            continue
        if not math.isfinite(expected):
            continue
        model = slide.copy()
        try:
            model.forces["f"] = tr.Force("b", lambda s: [  # noqa: B023
                eval(code, {"np": np, "tr": tr, "t": s.t, "u": s.b.position.x, "v": s.b.velocity.x}), 0, 0])
        except (ArithmeticError, ValueError):
            continue  # of constants only
        found = model.run(t_end=1e-3)["f.force.x"][0]
        assert math.isclose(found, expected, rel_tol=1e-12, abs_tol=1e-12), text


def test_same_bits_as_the_formula(crank: tr.Model) -> None:
    by_formula, by_function = crank.copy(), crank.copy()
    by_formula.forces["wind"] = {"kind": "force", "body": "rod", "value": [
        f"-2.0*rod.velocity.{axis}" for axis in "xyz"]}
    by_function.forces["wind"] = tr.Force("rod", lambda s: -2.0 * s.rod.velocity)
    first, second = by_formula.run(t_end=5), by_function.run(t_end=5)
    for name in first:
        assert np.array_equal(first[name], second[name]), name
    assert first.summary["counts"] == second.summary["counts"]

    def cost(model: tr.Model) -> float:
        begin = time.process_time()
        model.run(t_end=20)
        return time.process_time() - begin

    ratio = min(cost(by_function) for _ in range(5)) / min(cost(by_formula) for _ in range(5))
    assert ratio < 1.3  # the same text: 1 but for noise


def test_branches(slide: tr.Model) -> None:
    """A spring that pushes only, against the same law with max."""
    slide.forces["stop"] = tr.Force("b", lambda s: [tr.where(s.b.position.x < 0, -900 * s.b.position.x, 0), 0, 0])
    other = slide.copy()
    other.forces["stop"] = {"kind": "force", "body": "b", "value": ["max(0, -900*b.position.x)", 0, 0]}
    assert np.allclose(slide.run()["b.position.x"], other.run()["b.position.x"], atol=1e-6)


def test_joint_loads_and_torques(crank: tr.Model) -> None:
    crank.forces["brake"] = tr.JointLoad("shaft", lambda s: -0.5 * s.shaft.angle_rate)
    crank.forces["twist"] = tr.Torque("rod", lambda s: [0, s.half * np.cos(s.t), 0])
    run = crank.run(t_end=1)
    assert np.allclose(run["brake.torque"], -0.5 * run["shaft.angle_rate"], rtol=1e-12)
    assert np.allclose(run["twist.torque.y"], 0.25 * np.cos(run.t))


def test_formulas_in_every_place(slide: tr.Model) -> None:
    """A low-pass filter of the travel and a driven motion, against the same as texts."""
    slide.states["slow"] = {"initial": 0, "rate": tr.formula(lambda s: 10 * (s.s.travel - s.slow))}
    slide.section("outputs")["twice"] = {"formula": tr.formula(lambda s: 2 * s.s.travel)}
    other = slide.copy()
    other.states["slow"] = {"initial": 0, "rate": "10*(s.travel - slow)"}
    first, second = slide.run(), other.run()
    assert np.array_equal(first["slow"], second["slow"]) and np.ptp(first["slow"]) > 0.1
    assert np.allclose(first["twice"], 2 * first["s.travel"])
    slide.drivers["turn"] = {"joint": "s", "travel": tr.formula(lambda s: 0.1 * np.sin(3 * s.t))}
    driven = slide.run(kinematics="off")
    assert np.allclose(driven["s.travel"], 0.1 * np.sin(3 * driven.t), atol=1e-9)


def test_names_that_do_not_exist(crank: tr.Model) -> None:
    crank.forces["wind"] = tr.Force("rod", lambda s: -2.0 * s.rood.velocity)
    with pytest.raises(tr.ModelError, match="rood") as caught:
        crank.run()
    assert caught.value.mistakes[0].path.startswith("forces.wind.value")
