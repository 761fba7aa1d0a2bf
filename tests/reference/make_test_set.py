#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Trammel authors
# SPDX-License-Identifier: BSD-3-Clause
#
# Makes ivp_test_set.json: car axis and Fekete points of the IVP Test Set (F. Mazzia, C. Magherini, Test Set for
# Initial Value Problem Solvers, release 2.4) by an integration of their accelerations, the multipliers solved
# for, with SciPy's DOP853 at rtol 1e-13. Needs scipy (1.10 was used); run in this folder. The published ends are
# compared with: car axis t = 3, first points of Fekete t = 1000.
import json

import numpy as np
import scipy
from scipy.integrate import solve_ivp

PUBLISHED_CAR = [0.493455784275402809122e-1, 0.496989460230171153861, 0.104174252488542151681e1,
                 0.373911027265361256927, -0.770583684040972357970e-1, 0.744686658723778553466e-2,
                 0.175568157537232222276e-1, 0.770341043779251976443]
PUBLISHED_FEKETE = [-0.4070263380333202, 0.3463758772791802, 0.8451942450030429,
                    0.7752934752521549e-1, -0.2628662719972299, 0.9617122871829146,
                    0.7100577833343567, 0.1212948055586120, 0.6936177005172217]


def integrate(f, t0, t1, y):
    done = solve_ivp(f, (t0, t1), y, method="DOP853", rtol=1e-13, atol=1e-14)
    assert done.success
    return done.y[:, -1]


def calc_car_rate(t, y):
    length, rest, mass, bump, omega = 1, 0.5, 10 * 1e-2**2 / 2, 0.1, 10
    (xl, yl, xr, yr), v = y[:4], y[4:]
    road = bump * np.sin(omega * t)
    road1, road2 = bump * omega * np.cos(omega * t), -omega**2 * road
    x = np.sqrt(length**2 - road**2)
    x1 = -road * road1 / x
    x2 = -(road1**2 + road * road2) / x - (road * road1)**2 / x**3
    left, right = np.hypot(xl, yl), np.hypot(xr - x, yr - road)
    f = np.array([(rest - left) * xl / left, (rest - left) * yl / left - mass,
                  (rest - right) * (xr - x) / right, (rest - right) * (yr - road) / right - mass])
    # left end on the normal of the axis; chassis of constant length
    G = np.array([[x, road, 0, 0], [xl - xr, yl - yr, xr - xl, yr - yl]])
    gamma = np.array([2 * (v[0] * x1 + v[1] * road1) + xl * x2 + yl * road2,
                      (v[0] - v[2])**2 + (v[1] - v[3])**2])
    multipliers = np.linalg.solve(G @ G.T / mass, -(gamma + G @ f / mass))
    return np.concatenate([v, (f + G.T @ multipliers) / mass])


def make_car_axis():
    states, t, y = [], 0.0, np.array([0, 0.5, 1, 0.5, -0.5, 0, -0.5, 0])
    for end in (1.0, 2.0, 3.0):
        y, t = integrate(calc_car_rate, t, end, y), end
        numbers = [repr(float(x)) for x in y]
        states.append({"t": end, "left": numbers[0:2], "right": numbers[2:4],
                       "left_velocity": numbers[4:6], "right_velocity": numbers[6:8]})
    print("car axis, from the published end:", np.abs(y - PUBLISHED_CAR).max())
    return {"published": {"t": 3.0, "values": [repr(x) for x in PUBLISHED_CAR]}, "states": states}


def calc_fekete_rate(_, y):
    p, q = y[:60].reshape(20, 3), y[60:].reshape(20, 3)
    apart = p[:, None, :] - p[None, :, :]
    square = (apart * apart).sum(2)
    np.fill_diagonal(square, 1.0)
    f = (apart / square[:, :, None]).sum(1) - 0.5 * q
    multiplier = -((q * q).sum(1) + (p * f).sum(1)) / (p * p).sum(1)
    return np.concatenate([q.ravel(), (f + multiplier[:, None] * p).ravel()])


def make_fekete():
    # points of a ring, index of the first, its angle, elevation
    rings = [(3, 1, 1 / 13, 3 / 8), (7, 1, 1 / 29, 1 / 8), (6, 1, 1 / 7, -2 / 15),
             (4, 0, 1 / 17, -3 / 10)]
    angles = [((2 * k / n + start) * np.pi, elevation * np.pi)
              for n, first, start, elevation in rings for k in range(first, first + n)]
    p = np.array([[np.cos(a) * np.cos(e), np.sin(a) * np.cos(e), np.sin(e)] for a, e in angles])
    states, t, y = [], 0.0, np.concatenate([p.ravel(), np.zeros(60)])
    for end in (20.0, 1000.0):
        while t < end:
            y, t = integrate(calc_fekete_rate, t, t + 5.0, y), t + 5.0
            p, q = y[:60].reshape(20, 3), y[60:].reshape(20, 3)
            p = p / np.linalg.norm(p, axis=1)[:, None]
            y = np.concatenate([p.ravel(), (q - (p * q).sum(1)[:, None] * p).ravel()])
        states.append({"t": end, "points": [[repr(float(x)) for x in point] for point in p]})
    print("Fekete points, from the published end:", np.abs(y[:9] - PUBLISHED_FEKETE).max())
    return {"published": {"t": 1000.0, "values": [repr(x) for x in PUBLISHED_FEKETE]},
            "states": states}


made = {"id": "ivp_test_set", "title": "Car axis and Fekete points of the IVP Test Set",
        "source": "F. Mazzia, C. Magherini, Test Set for Initial Value Problem Solvers, release 2.4",
        "method": f"accelerations by multipliers, SciPy {scipy.__version__} DOP853, rtol 1e-13",
        "car_axis": make_car_axis(), "fekete": make_fekete()}
with open("ivp_test_set.json", "w", encoding="utf-8") as file:
    json.dump(made, file, indent=1)
    file.write("\n")
