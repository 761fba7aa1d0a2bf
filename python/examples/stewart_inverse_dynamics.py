# SPDX-FileCopyrightText: The Trammel authors
# SPDX-License-Identifier: BSD-3-Clause
"""Inverse dynamics of a Stewart platform: the motion is given, the forces of the six legs are wanted."""
import numpy as np

import trammel as tr


def main() -> None:
    model = tr.load("models/new_user/stewart.yaml")
    run = model.run(t_end=8, output_interval=0.01)
    legs = [name.removesuffix(".force") for name in run if name.endswith("_actuator.force")]
    forces = np.stack([run[f"{leg}.force"] for leg in legs])
    assert forces.shape[0] == 6
    worst = np.unravel_index(np.abs(forces).argmax(), forces.shape)
    print(f"largest force {abs(forces[worst]):.1f} N in {legs[worst[0]]} at t = {run.t[worst[1]]:.2f} s")

    # what the six legs put in is what the energy of platform and payload changes by
    power = np.stack([run[f"{leg}.power"] for leg in legs]).sum(axis=0)
    energy = run["kinetic_energy"] + run["potential_energy"]
    work = np.concatenate([[0.0], np.cumsum(0.5 * (power[1:] + power[:-1]) * np.diff(run.t))])
    assert np.allclose(work, energy - energy[0], atol=2e-3 * np.ptp(energy))

    # at rest, in the middle, the legs share the weight equally
    assert np.ptp(forces[:, 0]) < 1e-6 * np.abs(forces[:, 0]).max()
    print(f"at rest each leg carries {abs(forces[0, 0]):.2f} N")


if __name__ == "__main__":
    main()
