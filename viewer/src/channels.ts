// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Everything of a run that can be plotted, by name: what was recorded, and what follows from it
// (speeds, magnitudes of reactions). Names are those of the CSV file.
import type { Numbers, Quaternion, Run, SceneJoint, Vec3 } from "./data";
import * as math from "./math";

export interface Channel {
  id: string; // "slider.position.x", as in the CSV file
  group: string; // "slider"
  quantity: string; // "position.x"
  unit: string; // SI
  source: string; // the array or table it comes from: "position", "coordinate", "load", "element", …
  time: Float64Array;
  values(): Numbers; // one per time
}

type Make = () => Numbers;

const XYZ = ["x", "y", "z"];

function make_channel(time: Float64Array, source: string, group: string, quantity: string, unit: string,
                      make: Make): Channel {
  let cache: Numbers | undefined;
  return {
    id: group === "" ? quantity : `${group}.${quantity}`,
    group,
    quantity,
    unit,
    source,
    time,
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
  const planar = run.scene.dimension === 2;
  const used = planar ? [0, 1] : [0, 1, 2];
  const list: Channel[] = [];
  const add = (quantity: string, unit: string, make: Make, of = quantity) => {
    const source = of.split(".")[0] as string;
    if (run.array(source).length > 0) {
      list.push(make_channel(run.motion_time, source, name, quantity, unit, make));
    }
  };
  const add_vector = (array: string, unit: string, components: number[]) => {
    for (const k of components) {
      add(`${array}.${XYZ[k]}`, unit, () => take(run.array(array), 3 * n, 3 * body + k));
    }
  };
  for (const k of used) {
    const plus = run.head.origin[k] as number;
    add(`position.${XYZ[k]}`, "m", () => take(run.position, 3 * n, 3 * body + k, plus));
  }
  if (planar) add("angle", "rad", () => calc_planar_angle(run, body), "orientation");
  add_vector("velocity", "m/s", used);
  add("speed", "m/s", () => take_length(run.array("velocity"), 3 * n, 3 * body), "velocity");
  add_vector("angular_velocity", "rad/s", planar ? [2] : [0, 1, 2]);
  add_vector("acceleration", "m/s²", used);
  add_vector("angular_acceleration", "rad/s²", planar ? [2] : [0, 1, 2]);
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
    list.push(make_channel(run.motion_time, quantity.split(".")[0] as string, joint.name, quantity, unit, make));
  for (const [table, unit] of [
    ["reaction_force", "N"],
    ["reaction_moment", "N m"],
  ] as const) {
    const values = run.array(table);
    if (values.length === 0) continue;
    for (const k of [0, 1, 2]) {
      add(`${table}.${XYZ[k]}`, unit, () => take(values, 3 * n, 3 * index + k));
    }
    add(`${table}.magnitude`, unit, () => take_length(values, 3 * n, 3 * index));
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
      return make_channel(run.motion_time, array, group, quantity, units[k] ?? "",
                          () => take(values, names.length, k));
    });
  });
}

// Energies and violations, of all rows and in double precision.
function list_of_run(run: Run): Channel[] {
  const columns: [string, string, string][] = [
    ["kinetic", "kinetic_energy", "J"], ["potential", "potential_energy", "J"],
    ["external_work", "external_work", "J"], ["balance_error", "energy_balance_error", "J"],
    ["violation_position", "violation.position", "m or 1"],
    ["violation_velocity", "violation.velocity", "m/s or 1/s"],
  ];
  return columns
    .filter(([array]) => run.array(array).length > 0)
    .map(([array, name, unit]) => make_channel(run.time, array, "", name, unit, () => run.array(array)));
}

// All channels of a run, computed when they are first used.
export class ChannelList {
  private readonly known = new Map<string, Channel>();
  readonly all: Channel[] = [];

  constructor(readonly run: Run) {
    // what people look for first comes first
    this.all.push(...list_of_tables(run));
    for (let k = 0; k < run.scene.joints.length; ++k) this.all.push(...list_of_joint(run, k));
    for (let b = 0; b < run.n_bodies; ++b) this.all.push(...list_of_body(run, b));
    this.all.push(...list_of_run(run));
    for (const channel of this.all) if (!this.known.has(channel.id)) this.known.set(channel.id, channel);
  }

  find(id: string): Channel | undefined {
    return this.known.get(id);
  }
}

export function calc_range(run: Run, body: number, k: number): number {
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
