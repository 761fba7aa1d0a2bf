# SPDX-FileCopyrightText: The Trammel authors
# SPDX-License-Identifier: BSD-3-Clause
import pathlib
import warnings

import pytest

import trammel as tr

ROOT = pathlib.Path(__file__).resolve().parents[2]
MODELS = ROOT / "models"

SLIDE = """\
trammel: 1
name: slide
parameters: {k: 50, drag: 1}
bodies: {b: {mass: 2, inertia: [1, 1, 1], position: [0.3, 0, 0], velocity: [0.1, 0, 0]}}
joints: {s: {kind: translational, bodies: [ground, b], at: [0, 0, 0], axis: [1, 0, 0]}}
states: {push: {initial: 0, rate: 0}}
forces: {spring: {kind: joint_spring_damper, joint: s, stiffness: k, free: -0.3, load: push}}
simulation: {t_end: 2, rtol: 1e-9, atol: 1e-9}
"""


@pytest.fixture
def crank() -> tr.Model:
    return tr.load(MODELS / "paper/crank.yaml")


@pytest.fixture
def pendulum() -> tr.Model:
    return tr.load(MODELS / "paper/pendulum.yaml")


@pytest.fixture
def slide() -> tr.Model:
    return tr.loads(SLIDE)


@pytest.fixture(autouse=True)
def _no_silent_warnings() -> None:
    warnings.simplefilter("error", tr.RunWarning)
