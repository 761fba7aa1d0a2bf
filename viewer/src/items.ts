// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// What the scene and the tree have in common: everything with a name that can be selected, hidden,
// followed and plotted.
import type { Run, SceneElement, Vec3 } from "./data";

export type ItemKind = "body" | "joint" | "force" | "driver" | "point";

export interface Item {
  key: string; // "joint:3"
  kind: ItemKind;
  index: number; // into the list of its kind
  name: string;
  what: string; // "revolute joint"
  bodies: number[]; // those it is part of, −1: the ground
  body: number; // where it is: this point of this body
  point: Vec3;
}

export const make_key = (kind: ItemKind, index: number): string => `${kind}:${index}`;

const words = (text: string) => text.replace(/_/g, " ");

// A translational joint is drawn at the centre of the body that slides.
export function place_joint(run: Run, index: number): { body: number; point: Vec3 } {
  const joint = run.scene.joints[index];
  if (!joint) return { body: -1, point: [0, 0, 0] };
  if (joint.kind === "translational" && run.picture_rows > 0) {
    return { body: joint.body_j >= 0 ? joint.body_j : joint.body_i, point: [0, 0, 0] };
  }
  return { body: joint.body_j, point: joint.point_j };
}

function make_element_item(kind: "force" | "driver", index: number, element: SceneElement): Item {
  const { name, body_i, body_j, point_i, point_j, shape } = element;
  const at_i = shape === "bushing";
  const what = kind === "driver" && !/driver/.test(element.kind) ? `${words(element.kind)} driver` : words(element.kind);
  return {
    key: make_key(kind, index), kind, index, name, what, bodies: [body_i, body_j],
    body: at_i ? body_i : body_j, point: at_i ? point_i : point_j,
  };
}

export function list_items(run: Run): Item[] {
  return [
    ...run.scene.bodies.map((body, index): Item => ({
      key: make_key("body", index), kind: "body", index, name: body.name, what: "body",
      bodies: [index], body: index, point: [0, 0, 0],
    })),
    ...run.scene.joints.map((joint, index): Item => ({
      key: make_key("joint", index), kind: "joint", index, name: joint.name,
      what: `${words(joint.kind)} joint`, bodies: [joint.body_i, joint.body_j], ...place_joint(run, index),
    })),
    ...run.scene.forces.map((element, index) => make_element_item("force", index, element)),
    ...run.scene.drivers.map((element, index) => make_element_item("driver", index, element)),
    ...run.scene.points.map(({ name, body, point }, index): Item => ({
      key: make_key("point", index), kind: "point", index, name, what: "point", bodies: [body], body, point,
    })),
  ];
}

// The column of a table of the page, by the name of its channel.
export interface Column {
  values: ArrayLike<number>;
  stride: number;
  offset: number;
}

export function find_column(run: Run, id: string): Column | null {
  for (const { array, names } of run.head.tables) {
    const offset = names.indexOf(id);
    if (offset < 0) continue;
    const values = run.array(array);
    if (values.length > 0) return { values, stride: names.length, offset };
  }
  return null;
}

// Whether an element at a joint acts along the axis, not about it.
export function is_linear(run: Run, element: SceneElement): boolean {
  return find_column(run, `${element.name}.force`) !== null || find_column(run, `${element.name}.travel`) !== null;
}

