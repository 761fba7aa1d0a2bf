#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Trammel authors
# SPDX-License-Identifier: BSD-3-Clause
#
# Makes controllers.json: the motions of models/examples/controllers by an independent integration of
# their equations, written out by hand, with SciPy's DOP853 at rtol 1e-13. Needs scipy (1.17 was used); run
# in this folder. Radau at rtol 1e-11 gives the same numbers to 1e-13.
import json
import math

import scipy
from scipy.integrate import solve_ivp

G = 9.81


def integrate(f, t0, t1, y):
    done = solve_ivp(f, (t0, t1), y, method="DOP853", rtol=1e-13, atol=1e-14)
    assert done.success
    return list(done.y[:, -1])


def motor_speed():
    R, L, k, b, kp, ki, speed = 1, 2e-3, 0.05, 2e-3, 0.5, 5, 20
    m, l, inertia = 0.8, 0.1, 2e-3

    def goal(t):
        s = min(max(t / 0.2, 0.0), 1.0)
        return speed * s**3 * (10 - 15 * s + 6 * s**2)

    def f(t, y):
        q, w, integral, i = y
        torque = k * i - b * w - m * G * l * math.cos(q)
        voltage = kp * (goal(t) - w) + ki * integral
        return [w, torque / (inertia + m * l * l), goal(t) - w, (voltage - R * i - k * w) / L]

    rows, y = [], [0.0, 0.0, 0.0, 0.0]
    for n in range(20):  # the goal is less smooth at 0.2 s
        y = integrate(f, n * 0.05, (n + 1) * 0.05, y)
        if (n + 1) % 4 == 0:
            rows.append([(n + 1) / 20] + y)
    return {"columns": ["t", "shaft.angle", "shaft.angle_rate", "integral", "current"], "rows": rows}


def sampled_arm():
    T, kp, ki, kd, goal, lag = 5e-3, 40, 60, 6, math.radians(60), 0.02
    m, l, inertia = 2, 0.25, 0.04

    def make(command):
        def f(t, y):
            q, w, torque = y
            a = (torque - m * G * l * math.cos(q)) / (inertia + m * l * l)
            return [w, a, (command - torque) / lag]
        return f

    rows, y, total, command = [], [0.0, 0.0, 0.0], 0.0, 0.0
    for n in range(400):
        # all samples are taken from values before the sample
        total, command = (total + T * (goal - y[0]),
                          kp * (goal - y[0]) + ki * total - kd * y[1])
        y = integrate(make(command), 0.0, T, y)
        if (n + 1) % 80 == 0:
            rows.append([(n + 1) / 200] + y + [total, command])
    return {"columns": ["t", "shoulder.angle", "shoulder.angle_rate", "torque", "sum", "command"],
            "rows": rows}


with open("controllers.json", "w") as file:
    json.dump({"source": f"make_controllers.py, SciPy {scipy.__version__}",
               "motor_speed": motor_speed(), "sampled_arm": sampled_arm()}, file, indent=1)
    file.write("\n")
