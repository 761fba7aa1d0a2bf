// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Everything of a run that can be plotted over time, by name: what was recorded, and what follows
// from it (speeds, sizes of reactions).
import type { Numbers, Quaternion, Run, SceneJoint, Vec3 } from "./data";
import * as math from "./math";

export interface Channel {
  id: string; // "slider.position.x", as in the CSV file
  group: string; // "slider"
  quantity: string; // "position.x"
  unit: string;
  values(): Numbers; // one per row with positions
}

type Make = () => Numbers;

const XYZ = ["x", "y", "z"];

function make_channel(group: string, quantity: string, unit: string, make: Make): Channel {
  let cache: Numbers | undefined;
  return {
    id: `${group}.${quantity}`,
    group,
    quantity,
    unit,
    values: () => (cache ??= make()),
  };
}

// Column `offset` of a table with `stride` columns.
function take(table: Numbers, stride: number, offset: number, plus = 0): Float32Array {
  const n = stride > 0 ? Math.floor(table.length / stride) : 0;
  const column = new Float32Array(n);
  for (let i = 0; i < n; ++i) column[i] = (table[i * stride + offset] as number) + plus;
  return column;
}

function take_length(table: Numbers, stride: number, offset: number): Float32Array {
  const n = stride > 0 ? Math.floor(table.length / stride) : 0;
  const column = new Float32Array(n);
  for (let i = 0; i < n; ++i) {
    const at = i * stride + offset;
    column[i] = Math.hypot(table[at] as number, table[at + 1] as number, table[at + 2] as number);
  }
  return column;
}

// θ of a body at a row; the ground does not turn.
export function orientation_at(run: Run, row: number, body: number): Quaternion {
  if (body < 0) return [1, 0, 0, 0];
  const at = (row * run.n_bodies + body) * 4;
  const q = run.orientation;
  return [q[at] as number, q[at + 1] as number, q[at + 2] as number, q[at + 3] as number];
}

// A point of a body at a row, measured from the page's origin.
export function point_at(run: Run, row: number, body: number, point: Vec3): Vec3 {
  if (body < 0) return math.subtract(point, run.head.origin);
  const at = (row * run.n_bodies + body) * 3;
  const r = run.position;
  const turned = math.rotate(orientation_at(run, row, body), point);
  return [
    (r[at] as number) + turned[0],
    (r[at + 1] as number) + turned[1],
    (r[at + 2] as number) + turned[2],
  ];
}

// In the plane θ = (cos β/2, 0, 0, sin β/2).
function calc_planar_angle(run: Run, body: number): Float64Array {
  let last = 0;
  return Float64Array.from(run.motion_time, (_, i) => {
    const q = orientation_at(run, i, body);
    const raw = 2 * Math.atan2(q[3], q[0]);
    last = i === 0 ? raw : raw + 2 * Math.PI * Math.round((last - raw) / (2 * Math.PI));
    return last;
  });
}

function list_of_body(run: Run, body: number): Channel[] {
  const name = run.scene.bodies[body]?.name ?? "";
  const n = run.n_bodies;
  const velocity = run.array("velocity");
  const spin = run.array("angular_velocity");
  const planar = run.scene.dimension === 2;
  const used = planar ? [0, 1] : [0, 1, 2];
  const list: Channel[] = [];
  const add = (quantity: string, unit: string, make: Make, of = quantity) => {
    if (run.array(of.split(".")[0] as string).length > 0) list.push(make_channel(name, quantity, unit, make));
  };
  for (const k of used) {
    const plus = run.head.origin[k] as number;
    add(`position.${XYZ[k]}`, "m", () => take(run.position, 3 * n, 3 * body + k, plus));
  }
  if (planar) add("angle", "rad", () => calc_planar_angle(run, body), "orientation");
  for (const k of used) add(`velocity.${XYZ[k]}`, "m/s", () => take(velocity, 3 * n, 3 * body + k));
  add("speed", "m/s", () => take_length(velocity, 3 * n, 3 * body), "velocity");
  for (const k of planar ? [2] : [0, 1, 2]) {
    add(`angular_velocity.${XYZ[k]}`, "rad/s", () => take(spin, 3 * n, 3 * body + k));
  }
  if (!planar) {
    for (const k of [0, 1, 2, 3]) {
      add(`orientation.${k}`, "1", () => take(run.orientation, 4 * n, 4 * body + k));
    }
  }
  return list;
}

function list_of_joint(run: Run, index: number): Channel[] {
  const joint = run.scene.joints[index] as SceneJoint;
  const n = run.scene.joints.length;
  const list: Channel[] = [];
  const add = (quantity: string, unit: string, make: Make) =>
    list.push(make_channel(joint.name, quantity, unit, make));
  for (const [table, unit] of [
    ["reaction_force", "N"],
    ["reaction_moment", "N m"],
  ] as const) {
    const values = run.array(table);
    if (values.length === 0) continue;
    for (const k of [0, 1, 2]) {
      add(`${table}.${XYZ[k]}`, unit, () => take(values, 3 * n, 3 * index + k));
    }
    add(`${table}.size`, unit, () => take_length(values, 3 * n, 3 * index));
  }
  return list;
}

function list_of_tables(run: Run): Channel[] {
  return run.head.tables.flatMap(({ array, names, units }) => {
    const values = run.array(array);
    if (values.length === 0) return [];
    return names.map((id, k) => {
      const dot = id.indexOf(".");
      const [group, quantity] = dot < 0 ? ["", id] : [id.slice(0, dot), id.slice(dot + 1)];
      return { ...make_channel(group, quantity, units[k] ?? "", () => take(values, names.length, k)), id };
    });
  });
}

// All channels of a run, made when they are asked for.
export class ChannelList {
  private readonly known = new Map<string, Channel>();
  readonly all: Channel[] = [];

  constructor(readonly run: Run) {
    for (let b = 0; b < run.n_bodies; ++b) this.all.push(...list_of_body(run, b));
    for (let k = 0; k < run.scene.joints.length; ++k) this.all.push(...list_of_joint(run, k));
    this.all.push(...list_of_tables(run));
    for (const channel of this.all) this.known.set(channel.id, channel);
  }

  find(id: string): Channel | undefined {
    return this.known.get(id);
  }

  // At first sight: the two coordinates that move most, of the body that moves farthest.
  choose_first(): string[] {
    const body = find_farthest(this.run);
    if (body < 0) return [];
    const name = this.run.scene.bodies[body]?.name ?? "";
    return [0, 1, 2]
      .map((k) => ({ id: `${name}.position.${XYZ[k]}`, range: calc_range(this.run, body, k) }))
      .filter((entry) => entry.range > 0 && this.known.has(entry.id))
      .sort((a, b) => b.range - a.range)
      .slice(0, 2)
      .map((entry) => entry.id)
      .sort();
  }
}

function calc_range(run: Run, body: number, k: number): number {
  let low = Infinity;
  let high = -Infinity;
  const stride = 3 * run.n_bodies;
  for (let i = 3 * body + k; i < run.position.length; i += stride) {
    const x = run.position[i] as number;
    if (x < low) low = x;
    if (x > high) high = x;
  }
  return high > low ? high - low : 0;
}

// The body whose centre covers the largest box.
export function find_farthest(run: Run): number {
  let best = -1;
  let largest = -1;
  for (let b = 0; b < run.n_bodies; ++b) {
    const size = Math.hypot(calc_range(run, b, 0), calc_range(run, b, 1), calc_range(run, b, 2));
    if (size > largest) {
      largest = size;
      best = b;
    }
  }
  return best;
}
