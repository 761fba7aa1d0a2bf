# SPDX-FileCopyrightText: The Trammel authors
# SPDX-License-Identifier: BSD-3-Clause
"""A controller in Python balances a pendulum on a cart: a simulator is driven step by step.

The gains are those of a linear-quadratic regulator, from the equation of motion linearised by differences of the
evaluator.
"""
import numpy as np
from numpy.typing import NDArray

import trammel as tr

CART = """\
trammel: 1
name: cart and pendulum
gravity: [0, -9.81, 0]
bodies:
  cart: {mass: 1.0, inertia: [0.01, 0.01, 0.01]}
  pole: {mass: 0.2, inertia: [0.006, 0.0001, 0.006], position: [0.3*sin(0.2), 0.3*cos(0.2), 0],
         orientation: {axis: [0, 0, 1], angle: -0.2}}
joints:
  rail:  {kind: translational, bodies: [ground, cart], at: [0, 0, 0], axis: [1, 0, 0]}
  hinge: {kind: revolute, bodies: [cart, pole], at: [0, 0, 0], axis: [0, 0, 1], start_angle: -0.2}
states: {motor: {initial: 0, rate: 0, unit: N}}
forces: {drive: {kind: joint_spring_damper, joint: rail, load: motor}}
simulation: {t_end: 8, rtol: 1e-8, atol: 1e-8}
"""


def linearise() -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """A and B of the upright position, by the closed form: state (x, angle, v, rate), angle about z."""
    m, mass, length, inertia, g = 0.2, 1.0, 0.3, 0.006, 9.81
    matrix = np.array([[mass + m, -m * length], [-m * length, inertia + m * length**2]])
    stiffness = np.array([[0.0, 0.0], [0.0, m * g * length]])
    inverse = np.linalg.inv(matrix)
    a = np.zeros((4, 4))
    a[:2, 2:] = np.eye(2)
    a[2:, :2] = inverse @ stiffness
    b = np.zeros((4, 1))
    b[2:, 0] = inverse @ [1.0, 0.0]
    return a, b


def find_gains(a: NDArray[np.float64], b: NDArray[np.float64], dt: float) -> NDArray[np.float64]:
    """The regulator for samples of dt, by iteration of its Riccati equation."""
    ad, bd = np.eye(4) + dt * a + 0.5 * dt**2 * a @ a, dt * b + 0.5 * dt**2 * a @ b
    q, r = np.diag([10.0, 10.0, 1.0, 1.0]), np.array([[0.1]])
    p = q
    for _ in range(5000):
        k = np.linalg.solve(r + bd.T @ p @ bd, bd.T @ p @ ad)
        p = q + ad.T @ p @ (ad - bd @ k)
    return np.asarray(k[0])


def main() -> None:
    dt = 0.01
    gains = find_gains(*linearise(), dt)
    sim = tr.loads(CART).simulator()
    while not sim.is_over:
        state = np.array([sim.state[name] for name in
                          ("rail.travel", "hinge.angle", "rail.travel_rate", "hinge.angle_rate")])
        sim.inputs["motor"] = float(-gains @ state)
        sim.advance(min(dt, 8 - sim.t))
    run = sim.results()
    print(f"largest tilt {np.degrees(np.abs(run['hinge.angle']).max()):.1f} degrees, "
          f"at the end {np.degrees(abs(run['hinge.angle'][-1])):.1e} degrees, {abs(run['rail.travel'][-1]):.1e} m")
    assert abs(run["hinge.angle"][-1]) < 1e-3 and abs(run["rail.travel"][-1]) < 1e-2


if __name__ == "__main__":
    main()
