// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Vectors and Euler parameters (scalar first), as in the rest of Trammel.
import type { Quaternion, Vec3 } from "./data";

export const dot = (a: Vec3, b: Vec3): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const length = (a: Vec3): number => Math.hypot(a[0], a[1], a[2]);
export const add = (a: Vec3, b: Vec3): Vec3 => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
export const subtract = (a: Vec3, b: Vec3): Vec3 => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
export const scale = (s: number, a: Vec3): Vec3 => [s * a[0], s * a[1], s * a[2]];
export const cross = (a: Vec3, b: Vec3): Vec3 => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
export function normalised(a: Vec3): Vec3 {
  const size = length(a);
  return size > 0 ? scale(1 / size, a) : [0, 0, 0];
}

// A unit vector normal to the unit vector n.
export function normal_to(n: Vec3): Vec3 {
  const [x, y, z] = n.map(Math.abs) as Vec3;
  return normalised(cross(n, x <= y && x <= z ? [1, 0, 0] : y <= z ? [0, 1, 0] : [0, 0, 1]));
}

export const conjugate = (q: Quaternion): Quaternion => [q[0], -q[1], -q[2], -q[3]];

// R(q) v = v + 2 w (e × v) + 2 e × (e × v), q = (w, e)
export function rotate(q: Quaternion, v: Vec3): Vec3 {
  const e: Vec3 = [q[1], q[2], q[3]];
  const t = scale(2, cross(e, v));
  return add(add(v, scale(q[0], t)), cross(e, t));
}

// The turn that brings the z axis to the unit vector n.
export function turn_z_to(n: Vec3): Quaternion {
  if (n[2] < -0.999999) return [0, 1, 0, 0];
  const q: Quaternion = [1 + n[2], -n[1], n[0], 0];
  const size = Math.hypot(...q);
  return [q[0] / size, q[1] / size, q[2] / size, 0];
}

// The largest of 1, 2, 5 × a power of ten that is not above x.
export function nice_below(x: number): number {
  const power = 10 ** Math.floor(Math.log10(x));
  const digit = x / power;
  return (digit >= 5 ? 5 : digit >= 2 ? 2 : 1) * power;
}
