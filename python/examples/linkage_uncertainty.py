# SPDX-FileCopyrightText: The Trammel authors
# SPDX-License-Identifier: BSD-3-Clause
"""How far does the time at which the paper's crank passes its first top depend on its lengths and its torque?

Two hundred variants at once, and a linear model of the result for comparison.
"""
import numpy as np

import trammel as tr


def main() -> None:
    model = tr.load("models/paper/crank.yaml")
    draw = np.random.default_rng(1)
    n = 200
    torque = -60 * (1 + 0.01 * draw.standard_normal(n))
    half = 0.25 * (1 + 0.002 * draw.standard_normal(n))
    batch = model.batch(torque=torque, half=half, options={"t_end": 2.0, "output_interval": 0.002})
    assert (batch.outcomes == "finished").all()

    angle, t = np.abs(batch["shaft.angle"]), batch.t
    time = np.array([float(np.interp(np.pi, one, t)) for one in angle])
    print(f"half a revolution after {time.mean():.4f} s, standard deviation {1e3 * time.std():.2f} ms")

    # least squares: which of the two matters
    design = np.stack([np.ones(n), (torque + 60) / 0.6, (half - 0.25) / 0.0005], axis=1)
    slopes, residual, *_ = np.linalg.lstsq(design, time, rcond=None)
    print(f"per standard deviation: torque {1e3 * slopes[1]:+.2f} ms, length {1e3 * slopes[2]:+.2f} ms")
    explained = 1 - residual[0] / ((time - time.mean()) ** 2).sum()
    assert explained > 0.95


if __name__ == "__main__":
    main()
