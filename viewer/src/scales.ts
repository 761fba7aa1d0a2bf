// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Ranges, tick positions and tick labels of plots.
import { power_of_ten, short } from "./format";

export function linear_range(low: number | null, high: number | null, integers: boolean): [number, number] {
  if (low === null || high === null) return [0, 1];
  if (integers) return [Math.min(0, low), high + Math.max(1, 0.08 * high)];
  const size = Math.max(Math.abs(low), Math.abs(high));
  const span = high - low;
  // rounding noise on a constant is not worth a picture of its own
  if (span <= 1e-12 * size || span === 0) {
    const half = size > 0 ? 0.1 * size : 1;
    return [low - half, high + half];
  }
  return [low - 0.06 * span, high + 0.06 * span];
}

export function log_range(low: number | null, high: number | null): [number, number] {
  if (low === null || high === null || !(low > 0)) return [1e-16, 1];
  // far below the others there is only rounding: it may leave the picture
  const a = Math.floor(Math.log10(Math.max(low, 1e-5 * Math.min(high, 1e-12))) - 0.05);
  const b = Math.ceil(Math.log10(high) + 0.05);
  return [10 ** a, 10 ** Math.max(b, a + 1)];
}

export function log_splits(low: number, high: number): number[] {
  const a = Math.ceil(Math.log10(low) - 1e-6);
  const b = Math.floor(Math.log10(high) + 1e-6);
  const step = Math.max(1, Math.ceil((b - a) / 5));
  const splits: number[] = [];
  for (let k = Math.ceil(a / step) * step; k <= b; k += step) splits.push(10 ** k);
  return splits;
}

export function power_label(value: number): string {
  return power_of_ten(Math.round(Math.log10(value)));
}

export function axis_label(value: number, splits: number[]): string {
  const size = Math.max(...splits.map(Math.abs));
  if (Math.abs(value) < 1e-12 * size) return "0";
  if (size >= 1e5 || size < 1e-3) return short(value, 4);
  return String(Number(value.toPrecision(10))).replace("-", "−");
}

// Widens one of two ranges so that a unit is as long across as it is up: a circle stays round.
export function equalise(x: [number, number], y: [number, number], width: number,
                         height: number): { x: [number, number]; y: [number, number] } {
  const across = (x[1] - x[0]) / Math.max(1, width);
  const up = (y[1] - y[0]) / Math.max(1, height);
  const widen = (range: [number, number], factor: number): [number, number] => {
    const middle = (range[0] + range[1]) / 2;
    const half = ((range[1] - range[0]) / 2) * factor;
    return [middle - half, middle + half];
  };
  return across > up ? { x, y: widen(y, across / up) } : { x: widen(x, up / across), y };
}
