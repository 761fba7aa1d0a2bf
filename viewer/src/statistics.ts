// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Minimum, maximum, mean and root mean square of a column between two times. The column is taken as
// the polygon through its rows: mean = 1/T ∫ y dt, RMS = √(1/T ∫ y² dt), exact for the polygon.
import type { Numbers } from "./data";
import { find_index } from "./data";

export interface Statistics {
  min: number;
  max: number;
  mean: number;
  rms: number;
}

// The polygon at t; the first and the last row go on outside.
export function interpolate(time: Float64Array, values: Numbers, t: number): number {
  const n = Math.min(time.length, values.length);
  if (n === 0) return NaN;
  const i = Math.min(find_index(time, t), n - 1);
  const j = Math.min(i + 1, n - 1);
  const t0 = time[i] as number;
  const span = (time[j] as number) - t0;
  const a = values[i] as number;
  if (!(span > 0) || t <= t0) return a;
  const f = Math.min(1, (t - t0) / span);
  return f === 1 ? (values[j] as number) : a + f * ((values[j] as number) - a);
}

export function calc_statistics(time: Float64Array, values: Numbers, from: number, to: number): Statistics | null {
  const n = Math.min(time.length, values.length);
  if (n === 0) return null;
  // where there are rows
  const t0 = Math.max(Math.min(from, to), time[0] as number);
  const t1 = Math.min(Math.max(from, to), time[n - 1] as number);
  if (!(t1 >= t0)) return null;
  let t = t0;
  let y = interpolate(time, values, t0);
  let min = y, max = y, area = 0, square = 0;
  const add = (next_t: number, next: number) => {
    const h = next_t - t;
    area += (h * (y + next)) / 2;
    square += (h * (y * y + y * next + next * next)) / 3;
    if (next < min) min = next;
    if (next > max) max = next;
    t = next_t;
    y = next;
  };
  for (let i = find_index(time, t0); i < n && (time[i] as number) < t1; ++i) {
    if ((time[i] as number) > t0) add(time[i] as number, values[i] as number);
  }
  add(t1, interpolate(time, values, t1));
  const length = t1 - t0;
  if (length === 0) return { min, max, mean: y, rms: Math.abs(y) };
  return { min, max, mean: area / length, rms: Math.sqrt(Math.max(0, square / length)) };
}
