// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Where the bodies are at any time: between two rows positions are interpolated linearly, and so are
// Euler parameters, which are then normalised. Numbers only, no object is made in a frame.
import type { Run, Vec3 } from "./data";
import { find_index } from "./data";

// A body takes twelve numbers: its rotation matrix by rows, then its position.
export const POSE = 12;

export class Poses {
  readonly values: Float64Array; // [(bodies + 1) × 12], the ground last
  row = 0; // between this row and the next …
  next = 0;
  part = 0; // … at this part of the way

  constructor(readonly run: Run) {
    const n = run.n_bodies;
    this.values = new Float64Array((n + 1) * POSE);
    for (let b = 0; b <= n; ++b) {
      for (const k of [0, 4, 8]) this.values[b * POSE + k] = 1;
    }
    run.head.origin.forEach((x, k) => (this.values[n * POSE + 9 + k] = -x));
  }

  offset(body: number): number {
    return (body < 0 ? this.run.n_bodies : body) * POSE;
  }

  set_time(t: number): void {
    const { motion_time, position, orientation, n_bodies } = this.run;
    if (this.run.picture_rows === 0) return;
    const i = find_index(motion_time, t);
    const j = Math.min(i + 1, motion_time.length - 1);
    const t0 = motion_time[i] as number;
    const span = (motion_time[j] as number) - t0;
    const f = span > 0 ? Math.min(1, Math.max(0, (t - t0) / span)) : 0;
    this.row = i;
    this.next = j;
    this.part = f;
    const v = this.values;
    for (let b = 0; b < n_bodies; ++b) {
      const at = b * POSE;
      const p = (i * n_bodies + b) * 3;
      const q = (j * n_bodies + b) * 3;
      for (let k = 0; k < 3; ++k) {
        const x = position[p + k] as number;
        v[at + 9 + k] = x + f * ((position[q + k] as number) - x);
      }
      this.set_rotation(at, orientation, (i * n_bodies + b) * 4, (j * n_bodies + b) * 4, f);
    }
  }

  // R of the normalised θ = (1 − f) θ(i) + f θ(j)
  private set_rotation(at: number, theta: Float32Array, i: number, j: number, f: number): void {
    const a0 = theta[i] as number, a1 = theta[i + 1] as number;
    const a2 = theta[i + 2] as number, a3 = theta[i + 3] as number;
    const b0 = theta[j] as number, b1 = theta[j + 1] as number;
    const b2 = theta[j + 2] as number, b3 = theta[j + 3] as number;
    const g = a0 * b0 + a1 * b1 + a2 * b2 + a3 * b3 < 0 ? -f : f;
    let w = a0 * (1 - f) + b0 * g, x = a1 * (1 - f) + b1 * g;
    let y = a2 * (1 - f) + b2 * g, z = a3 * (1 - f) + b3 * g;
    const size = Math.sqrt(w * w + x * x + y * y + z * z) || 1;
    w /= size; x /= size; y /= size; z /= size;
    const v = this.values;
    v[at] = 1 - 2 * (y * y + z * z);
    v[at + 1] = 2 * (x * y - w * z);
    v[at + 2] = 2 * (x * z + w * y);
    v[at + 3] = 2 * (x * y + w * z);
    v[at + 4] = 1 - 2 * (x * x + z * z);
    v[at + 5] = 2 * (y * z - w * x);
    v[at + 6] = 2 * (x * z - w * y);
    v[at + 7] = 2 * (y * z + w * x);
    v[at + 8] = 1 - 2 * (x * x + y * y);
  }

  // x = r + R χ
  place(body: number, point: Vec3, out: Vec3): Vec3 {
    const v = this.values;
    const at = this.offset(body);
    for (let k = 0; k < 3; ++k) {
      out[k] =
        (v[at + 9 + k] as number) +
        (v[at + 3 * k] as number) * point[0] +
        (v[at + 3 * k + 1] as number) * point[1] +
        (v[at + 3 * k + 2] as number) * point[2];
    }
    return out;
  }

  // R v, a direction of the body in the world
  direct(body: number, v: Vec3): Vec3 {
    const m = this.values;
    const at = this.offset(body);
    const row = (k: number) =>
      (m[at + k] as number) * v[0] + (m[at + k + 1] as number) * v[1] + (m[at + k + 2] as number) * v[2];
    return [row(0), row(3), row(6)];
  }
}
