// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Forces and torques that can be drawn as arrows: where they act, and their vector in the world at any
// time. Reactions act on the second body of a joint, a line pulls at both of its ends.
import type { Run, SceneElement, Vec3 } from "./data";
import type { Column } from "./items";
import { find_column, make_key } from "./items";
import * as math from "./math";
import type { Poses } from "./pose";

export type LoadKind = "force" | "torque";

export interface Load {
  kind: LoadKind;
  item: string; // key of what exerts it
  name: string;
  reaction: boolean; // of a joint
  applied: boolean; // an applied force or torque, whose symbol is this arrow
  body: number; // where it acts
  point: Vec3;
  columns: Column[]; // one, or three
  turn: (poses: Poses, v: Vec3) => Vec3; // the numbers of the columns to a vector in the world
}

const AXES = ["x", "y", "z"];

const as_is = (_: Poses, v: Vec3): Vec3 => v;

function vector_columns(run: Run, name: string): Column[] {
  const columns = AXES.map((axis) => find_column(run, `${name}.${axis}`));
  if (columns.every((column) => column === null)) return [];
  // planar models may have fewer components
  return columns.map((column) => column ?? { values: [], stride: 1, offset: 0 });
}

function list_reactions(run: Run): Load[] {
  const n = run.scene.joints.length;
  const in_body = run.head.summary.options.reaction_frame === "body";
  const tables: [LoadKind, string][] = [["force", "reaction_force"], ["torque", "reaction_moment"]];
  return tables.flatMap(([kind, array]): Load[] => {
    const values = run.array(array);
    if (values.length === 0) return [];
    return run.scene.joints.map((joint, k) => ({
      kind, item: make_key("joint", k), name: joint.name, reaction: true, applied: false,
      body: joint.body_j, point: joint.point_j,
      columns: [0, 1, 2].map((axis) => ({ values, stride: 3 * n, offset: 3 * k + axis })),
      turn: in_body ? (poses: Poses, v: Vec3) => poses.direct(joint.body_j, v) : as_is,
    }));
  });
}

function list_of_element(run: Run, element: SceneElement, item: string): Load[] {
  const { name, shape, body_i, body_j, point_i, point_j, axis, orientation } = element;
  const base = { item, name, reaction: false, applied: false, body: body_j, point: point_j };
  const loads: Load[] = [];
  for (const kind of ["force", "torque"] as const) {
    const scalar = find_column(run, `${name}.${kind}`);
    if (scalar && shape === "line") {
      const pull = (at: number, from: Vec3, to_body: number, to: Vec3) => (poses: Poses, v: Vec3) =>
        math.scale(v[0], math.normalised(
          math.subtract(poses.place(to_body, to, [0, 0, 0]), poses.place(at, from, [0, 0, 0]))));
      if (body_i >= 0) {
        loads.push({ ...base, kind, body: body_i, point: point_i, columns: [scalar],
                     turn: pull(body_i, point_i, body_j, point_j) });
      }
      if (body_j >= 0) {
        loads.push({ ...base, kind, columns: [scalar], turn: pull(body_j, point_j, body_i, point_i) });
      }
    } else if (scalar) {
      loads.push({ ...base, kind, columns: [scalar],
                   turn: (poses, v) => math.scale(v[0], poses.direct(body_j, axis)) });
    } else {
      const columns = vector_columns(run, `${name}.${kind}`);
      if (columns.length === 0) continue;
      const turn = shape === "bushing"
        ? (poses: Poses, v: Vec3) => poses.direct(body_i, math.rotate(orientation, v))
        : as_is;
      loads.push({ ...base, kind, columns, turn, applied: shape === "point" });
    }
  }
  return loads;
}

export function list_loads(run: Run): Load[] {
  return [
    ...list_reactions(run),
    ...run.scene.forces.flatMap((element, k) => list_of_element(run, element, make_key("force", k))),
    ...run.scene.drivers.flatMap((element, k) => list_of_element(run, element, make_key("driver", k))),
  ];
}

const read = ({ values, stride, offset }: Column, row: number): number => values[row * stride + offset] ?? 0;

// The load at the time of the poses, in the world.
export function calc_load(load: Load, poses: Poses): Vec3 {
  const v: Vec3 = [0, 0, 0];
  load.columns.forEach((column, k) => {
    const x = read(column, poses.row);
    v[k as 0 | 1 | 2] = x + poses.part * (read(column, poses.next) - x);
  });
  return load.turn(poses, v);
}

export interface Largest {
  size: number;
  name: string;
  t: number;
}

// The largest size over the run.
export function find_largest(run: Run, loads: Load[]): Largest {
  const largest: Largest = { size: 0, name: "", t: 0 };
  const rows = run.motion_time.length;
  for (const { columns, name } of loads) {
    for (let i = 0; i < rows; ++i) {
      let square = 0;
      for (const column of columns) square += read(column, i) ** 2;
      if (square > largest.size ** 2) {
        largest.size = Math.sqrt(square);
        largest.name = name;
        largest.t = run.motion_time[i] as number;
      }
    }
  }
  return largest;
}
