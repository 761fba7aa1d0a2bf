# SPDX-FileCopyrightText: The Trammel authors
# SPDX-License-Identifier: BSD-3-Clause
"""Trammel simulates mechanisms: bodies, joints, motors, springs, closed loops.

::

    import trammel as tr

    crank = tr.load("crank.yaml", torque=-60)
    run = crank.run(t_end=10, rtol=1e-8)
    run["rod.position.x"], run.units["rod.position.x"]
"""

from ._core import BodyState, CheckReport, Evaluator, Mistake
from ._core import version as _version
from .errors import FileError, ModelError, RunWarning
from .force import Force, JointLoad, Torque
from .model import Model, load, loads, options
from .run import Batch, Run, compare, read_results
from .simulator import Simulator
from .trace import State, Untraceable, Vector, formula, where

__version__ = _version()

__all__ = [
    "Batch", "BodyState", "CheckReport", "Evaluator", "FileError", "Force", "JointLoad", "Mistake", "Model",
    "ModelError", "Run", "RunWarning", "Simulator", "State", "Torque", "Untraceable", "Vector", "compare", "formula",
    "load", "loads", "options", "read_results", "where",
]
