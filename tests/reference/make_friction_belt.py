#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Trammel authors
# SPDX-License-Identifier: BSD-3-Clause
#
# Makes friction_belt.json: the block of models/examples/forces/friction.yaml, its equation written out by
# hand, with SciPy's DOP853 at rtol 1e-12. Needs scipy (1.10 was used); run in this folder. LSODA and Radau at
# the same tolerance give the same numbers to 3e-12.
import json
import math

import scipy
from scipy.integrate import solve_ivp

mass, stiffness, belt, normal, viscous = 1.0, 40.0, 0.1, 9.81, 0.5
mu, mu_s, stribeck, threshold = 0.2, 0.4, 0.03, 1e-3


def f(t, y):
    v = y[1] - belt
    level = normal * (mu + (mu_s - mu) / (1 + (v / stribeck) ** 2))
    friction = level * v / math.sqrt(v * v + threshold * threshold) + viscous * v
    return [y[1], (-stiffness * y[0] - friction) / mass]


done = solve_ivp(f, (0, 10), [0, belt], method="DOP853", rtol=1e-12, atol=1e-13, t_eval=[2.5, 5, 7.5, 10])
assert done.success
with open("friction_belt.json", "w") as file:
    json.dump(
        {
            "source": f"make_friction_belt.py, SciPy {scipy.__version__}",
            "columns": ["t", "x", "v"],
            "rows": [[t, x, v] for t, x, v in zip(done.t, done.y[0], done.y[1])],
        },
        file,
        indent=1,
    )
    file.write("\n")
