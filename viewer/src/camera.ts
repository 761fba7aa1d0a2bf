// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Where to look from, so that the whole motion is seen at first sight: up is against gravity, the
// mechanism is seen from the side that shows most of it, a little from above; a planar model from
// the front.
import type { Run, Vec3 } from "./data";
import * as math from "./math";
import type { Link, Part } from "./parts";
import { Poses } from "./pose";

export type Standpoint = "default" | "front" | "side" | "top";

export interface Frame {
  points: Vec3[]; // what must be seen, from all over the run
  low: Vec3;
  high: Vec3;
  up: Vec3;
}

export function find_up(run: Run): Vec3 {
  const g = run.scene.gravity;
  if (math.length(g) > 0) return math.normalised(math.scale(-1, g));
  return run.scene.dimension === 2 ? [0, 1, 0] : [0, 0, 1];
}

const CORNERS: Vec3[] = [];
for (const x of [-0.5, 0.5]) {
  for (const y of [-0.5, 0.5]) for (const z of [-0.5, 0.5]) CORNERS.push([x, y, z]);
}

const SEEN = ["body", "joint", "force", "driver"];

// Of the form of a part, before it is stretched.
function find_bounds({ form, bounds }: Part): [Vec3, Vec3] {
  if (bounds) return bounds;
  const wide = form === "box" ? 0.5 : 1;
  const high = form === "sphere" ? 1 : 0.5;
  return [[-wide, -wide, -high], [wide, wide, high]];
}

// Corners of all parts that are bodies, joints or force elements and ends of links, at times spread over the run.
export function find_frame(run: Run, parts: Part[], links: Link[] = []): Frame {
  const seen = parts.filter((part) => SEEN.includes(part.layer));
  const rows = run.picture_rows;
  const samples = Math.min(rows, Math.max(3, Math.min(160, Math.floor(12000 / (8 * seen.length + 1)))));
  const poses = new Poses(run);
  const points: Vec3[] = [];
  for (let k = 0; k < samples; ++k) {
    const row = samples > 1 ? Math.round((k * (rows - 1)) / (samples - 1)) : 0;
    poses.set_time(run.motion_time[row] as number);
    for (const part of seen) {
      const [low, high] = find_bounds(part);
      for (const corner of CORNERS) {
        const local = corner.map((c, k) => (part.size[k] as number) * ((c < 0 ? low : high)[k] as number)) as Vec3;
        const in_body = math.add(part.position, math.rotate(part.orientation, local));
        points.push(poses.place(part.body, in_body, [0, 0, 0]));
      }
    }
    for (const link of links) {
      points.push(poses.place(link.body_i, link.point_i, [0, 0, 0]));
      points.push(poses.place(link.body_j, link.point_j, [0, 0, 0]));
    }
  }
  if (points.length === 0) points.push([-1, -1, -1], [1, 1, 1]);
  const low: Vec3 = [Infinity, Infinity, Infinity];
  const high: Vec3 = [-Infinity, -Infinity, -Infinity];
  for (const point of points) {
    for (const k of [0, 1, 2] as const) {
      low[k] = Math.min(low[k], point[k]);
      high[k] = Math.max(high[k], point[k]);
    }
  }
  return { points, low, high, up: find_up(run) };
}

// Of all points along an axis.
function find_range(frame: Frame, axis: Vec3): [number, number] {
  let low = Infinity;
  let high = -Infinity;
  for (const point of frame.points) {
    const x = math.dot(point, axis);
    low = Math.min(low, x);
    high = Math.max(high, x);
  }
  return [low, high];
}

// Two level directions and up; the first is the one along which the motion is longest.
function find_level_axes(frame: Frame): [Vec3, Vec3] {
  const candidates = ([[1, 0, 0], [0, 1, 0], [0, 0, 1]] as Vec3[])
    .map((axis) => math.subtract(axis, math.scale(math.dot(axis, frame.up), frame.up)))
    .filter((axis) => math.length(axis) > 0.5)
    .map(math.normalised);
  const extent = (axis: Vec3) => {
    const [low, high] = find_range(frame, axis);
    return high - low;
  };
  candidates.sort((a, b) => extent(b) - extent(a));
  const along = candidates[0] ?? [1, 0, 0];
  return [along, math.cross(frame.up, along)];
}

// The direction from the mechanism to the eye.
export function find_direction(run: Run, frame: Frame, from: Standpoint): Vec3 {
  const planar = run.scene.dimension === 2;
  const [along, across] = planar
    ? ([math.cross(frame.up, [0, 0, 1]), [0, 0, 1]] as [Vec3, Vec3])
    : find_level_axes(frame);
  // the side from which the axes x, y, z are seen in their usual order: `along` to the right
  const front = planar ? across : math.scale(-1, across);
  const mix = (a: number, f: number, u: number): Vec3 =>
    math.normalised(
      math.add(math.add(math.scale(a, along), math.scale(f, front)), math.scale(u, frame.up)),
    );
  if (from === "front" || (planar && from === "default")) return mix(0, 1, 0);
  if (from === "side") return mix(1, 0, 0);
  if (from === "top") return mix(0, 1e-5, 1); // a little to the front: the front is below in the picture
  return mix(0.5, 1, 0.42);
}

export interface Fit {
  target: Vec3;
  distance: number;
  half_height: number; // m, of what is seen without perspective
}

// The nearest standpoint along `direction` from which all points are inside the picture. With
// x, y across and z towards the eye, measured from the target, a point needs
// distance ≥ z + |x|/(tan α · aspect) and distance ≥ z + |y|/tan α, α half the angle of view.
export function find_fit(
  frame: Frame, direction: Vec3, up: Vec3, half_angle: number, aspect: number,
): Fit {
  const back = math.normalised(direction);
  const right = math.normalised(math.cross(up, back));
  const above = math.cross(back, right);
  const middle = (axis: Vec3) => {
    const [low, high] = find_range(frame, axis);
    return (low + high) / 2;
  };
  const target = math.add(
    math.add(math.scale(middle(right), right), math.scale(middle(above), above)),
    math.scale(middle(back), back),
  );
  const slope = Math.tan(half_angle);
  let distance = 0;
  let half_height = 0;
  for (const point of frame.points) {
    const from = math.subtract(point, target);
    const z = math.dot(from, back);
    const x = Math.abs(math.dot(from, right)) / aspect;
    const y = Math.abs(math.dot(from, above));
    distance = Math.max(distance, z + x / slope, z + y / slope);
    half_height = Math.max(half_height, x, y);
  }
  return { target, distance: distance * 1.1, half_height: half_height * 1.1 };
}
