// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// A column thinned for plotting: level k holds the smallest and the largest of each 4ᵏ⁺¹ neighbours, so
// that a plot of any part of it needs a few thousand numbers and loses no peak. As long as a plain line
// through all rows can be drawn quickly, nothing is thinned.
import type { Numbers } from "./data";
import { find_index } from "./data";

const FACTOR = 4;
const PLAIN = 4000; // rows that are drawn as they are

interface Level {
  size: number; // rows in a bucket
  low: Float64Array;
  high: Float64Array;
  falling: Uint8Array; // the largest comes before the smallest
}

export interface Excerpt {
  time: number[];
  values: (number | null)[];
}

export class Pyramid {
  private readonly levels: Level[] = [];

  // `logarithmic`: absolute values; zeros and what is not a number leave gaps.
  constructor(
    private readonly time: Float64Array,
    private readonly values: Numbers,
    private readonly logarithmic = false,
  ) {}

  value(i: number): number | null {
    let x = this.values[i] as number;
    if (this.logarithmic) x = Math.abs(x);
    return Number.isFinite(x) && (!this.logarithmic || x > 0) ? x : null;
  }

  get length(): number {
    return this.values.length;
  }

  // What to draw of [t0, t1] on so many pixels. One row beyond each end, so that lines run to the
  // border. Buckets are at most half a pixel wide.
  excerpt(t0: number, t1: number, pixels: number): Excerpt {
    const n = Math.min(this.time.length, this.values.length);
    if (n === 0) return { time: [], values: [] };
    const first = Math.max(0, find_index(this.time, t0) - 1);
    const last = Math.min(n - 1, find_index(this.time, t1) + 1);
    const rows = last - first + 1;
    const widest = rows / (2 * Math.max(1, pixels));
    if (rows <= PLAIN || widest < FACTOR) return this.rows(first, last);
    let k = 0;
    while (FACTOR ** (k + 2) <= widest) ++k;
    return this.buckets(this.level(k), first, last);
  }

  private rows(first: number, last: number): Excerpt {
    const time: number[] = [];
    const values: (number | null)[] = [];
    for (let i = first; i <= last; ++i) {
      time.push(this.time[i] as number);
      values.push(this.value(i));
    }
    return { time, values };
  }

  // Two points per bucket, at its first row and at its middle, in the order of time.
  private buckets(level: Level, first: number, last: number): Excerpt {
    const time: number[] = [];
    const values: (number | null)[] = [];
    const n = Math.min(this.time.length, this.values.length);
    const finite = (x: number) => (Number.isFinite(x) ? x : null);
    for (let b = Math.floor(first / level.size); b * level.size <= last; ++b) {
      const begin = b * level.size;
      const middle = Math.min(n - 1, begin + (level.size >> 1));
      const ends = [finite(level.low[b] as number), finite(level.high[b] as number)];
      if (level.falling[b] === 1) ends.reverse();
      time.push(this.time[begin] as number);
      values.push(ends[0] ?? null);
      if (middle > begin) {
        time.push(this.time[middle] as number);
        values.push(ends[1] ?? null);
      }
    }
    return { time, values };
  }

  private level(k: number): Level {
    while (this.levels.length <= k) this.levels.push(this.make_level(this.levels.length));
    return this.levels[k] as Level;
  }

  private make_level(k: number): Level {
    const size = FACTOR ** (k + 1);
    const n = Math.ceil(this.values.length / size);
    const low = new Float64Array(n).fill(Infinity);
    const high = new Float64Array(n).fill(-Infinity);
    const falling = new Uint8Array(n);
    const below = k > 0 ? this.levels[k - 1] : undefined;
    const count = below ? below.low.length : this.values.length;
    for (let i = 0; i < count; ++i) {
      const bucket = Math.floor(i / FACTOR);
      let a: number;
      let b: number;
      if (below) {
        a = below.low[i] as number;
        b = below.high[i] as number;
      } else {
        const x = this.value(i);
        if (x === null) continue;
        a = b = x;
      }
      const lower = a < (low[bucket] as number);
      const higher = b > (high[bucket] as number);
      if (lower) low[bucket] = a;
      if (higher) high[bucket] = b;
      if (lower && higher) falling[bucket] = below?.falling[i] ?? 0;
      else if (lower) falling[bucket] = 1;
      else if (higher) falling[bucket] = 0;
    }
    return { size, low, high, falling };
  }
}
