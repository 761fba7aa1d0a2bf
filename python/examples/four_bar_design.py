# SPDX-FileCopyrightText: The Trammel authors
# SPDX-License-Identifier: BSD-3-Clause
"""Design of a four-bar: which crank makes the rocker swing by 60 degrees?

The crank turns at a given speed; runs over a range of lengths are made at once, then the length is refined.
"""
import numpy as np

import trammel as tr

FOUR_BAR = """\
trammel: 1
name: four-bar
dimension: 2
parameters: {crank: 0.10, coupler: 0.35, rocker: 0.25, base: 0.40}
bodies:
  crank:   {position: [0, 0], mass: 1, inertia: 0.01}
  coupler: {position: [0.2, 0.15], mass: 2, inertia: 0.02}
  rocker:  {position: [base, 0], orientation: {angle: 100 deg}, mass: 1, inertia: 0.01}
joints:
  motor: {kind: revolute, bodies: [ground, crank], points: [[0, 0], [0, 0]]}
  pin:   {kind: revolute, bodies: [crank, coupler], points: [[crank, 0], [-coupler/2, 0]]}
  top:   {kind: revolute, bodies: [coupler, rocker], points: [[coupler/2, 0], [rocker, 0]]}
  pivot: {kind: revolute, bodies: [ground, rocker], points: [[base, 0], [0, 0]]}
drivers:
  turn: {joint: motor, angle: 2*pi*t}
simulation: {t_end: 1, output_interval: 0.005}
"""


def swing(crank: float) -> float:
    """The swing of the rocker from its geometry, rad: the dead centres have crank and coupler in line."""
    coupler, rocker, base = 0.35, 0.25, 0.40

    def angle(reach: float) -> float:
        return float(np.arccos((base**2 + rocker**2 - reach**2) / (2 * base * rocker)))

    return angle(coupler + crank) - angle(coupler - crank)


def main() -> None:
    model = tr.loads(FOUR_BAR)
    cranks = np.linspace(0.08, 0.14, 13)
    batch = model.batch(crank=cranks)
    angle = batch["pivot.angle"]
    swings = np.ptp(angle, axis=-1)
    assert np.allclose(swings, [swing(one) for one in cranks], atol=2e-4)

    wanted = np.radians(60)
    best = float(np.interp(wanted, swings, cranks))
    found = model.with_parameters(crank=best).run()
    print(f"crank {best * 1000:.1f} mm: the rocker swings by {np.degrees(np.ptp(found['pivot.angle'])):.2f} degrees")
    print(f"largest torque of the motor {np.abs(found['turn.torque']).max():.2f} N m")
    assert abs(np.ptp(found["pivot.angle"]) - wanted) < 2e-3


if __name__ == "__main__":
    main()
