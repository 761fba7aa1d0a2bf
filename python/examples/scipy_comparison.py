# SPDX-FileCopyrightText: The Trammel authors
# SPDX-License-Identifier: BSD-3-Clause
"""The paper's pendulum as an ordinary differential equation by SciPy, next to the run of the model."""
import numpy as np
from numpy.typing import NDArray
from scipy.integrate import solve_ivp  # type: ignore[import-untyped]

import trammel as tr


def main() -> None:
    model = tr.load("models/paper/pendulum.yaml")
    run = model.run(t_end=10, rtol=1e-11, atol=1e-11)

    # (I + m l²) α¨ = −m g l cos α, α from the horizontal
    m, length, inertia, g = 38.34, 0.765, 3.154, 9.81

    def rate(_: float, y: NDArray[np.float64]) -> list[float]:
        return [y[1], -m * g * length * np.cos(y[0]) / (inertia + m * length**2)]

    reference = solve_ivp(rate, (0, 10), [0.0, 0.0], "DOP853", run.t, rtol=1e-12, atol=1e-12).y[0]
    x, y = run["bar.position.x"], run["bar.position.y"]
    error = np.hypot(x - length * np.cos(reference), y - length * np.sin(reference)).max()
    length_error = np.abs(np.hypot(x, y) - length).max()
    print(f"differs by {error:.1e} m from SciPy; the joint is closed to {length_error:.1e} m")
    assert error < 1e-7 and length_error < 1e-14


if __name__ == "__main__":
    main()
