// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The picture as a list of parts: boxes, cylinders, spheres and cones, each fixed to a body, and links
// between two bodies. A joint is drawn by its kind with parts of the two bodies it connects:
//
//   spherical      a ball                      cylindrical    a sleeve on a shaft
//   revolute       a pin along its axis        translational  a square sleeve on a rail
//   universal      a cross of two pins         point_on_line  a ball on a rail
//   fixed          a cube                      distance       a rod between its points
//   screw          a threaded sleeve           …_spherical    a rod with a pin and a ball
//   planar, point_in_plane, line_in_plane    a ball on a plate
//
// A kind that is not known here is a ball, with its axis if it has one. The ground's side of a joint
// stands on a support.
import { orientation_at, point_at } from "./channels";
import { to_hex } from "./colors";
import type { Quaternion, Run, SceneJoint, SceneShape, Vec3 } from "./data";
import { make_key } from "./items";
import * as math from "./math";
import type { SolidForm } from "./solids";
import { find_solid } from "./solids";

export type Form = "box" | "cylinder" | "sphere" | "cone" | "helix" | "arc" | SolidForm;
export type Layer = "body" | "joint" | "axis" | "support" | "force" | "driver";

// Unit forms: box of edge 1; cylinder of radius 1 and height 1 along z; sphere of radius 1; cone with
// its tip at the origin and a base of radius 1 at z = −1; arc: three quarters of a circle of radius 1
// around z with an arrow head.
export interface Part {
  form: Form;
  layer: Layer;
  item: string; // key of what it shows, empty where it shows nothing that has a name
  body: number; // −1: the ground
  position: Vec3; // in the body's frame
  orientation: Quaternion;
  size: Vec3;
  bounds?: [Vec3, Vec3]; // of a solid's form, before it is stretched
  color?: string; // of its own
  opacity?: number;
}

// Stretched between two points; along z from the first to the second. `fixed` > 0: only the first so
// many metres of the way; < 0: all but the first so many.
export interface Link {
  form: Form;
  layer: Layer;
  item: string;
  radius: number;
  fixed?: number;
  body_i: number;
  body_j: number;
  point_i: Vec3;
  point_j: Vec3;
}

const NO_TURN: Quaternion = [1, 0, 0, 0];

// Shapes of the bodies; one without shape is its box of inertia, with arms to its joints.
export function list_body_parts(run: Run, sizes: SymbolSizes): Part[] {
  const parts: Part[] = [];
  run.scene.bodies.forEach((body, b) => {
    const base = { layer: "body" as const, body: b, item: make_key("body", b) };
    for (const shape of body.shapes) {
      const [p = 0, q = 0, r = 0] = shape.size;
      const { position, orientation, color, opacity = 1 } = shape;
      if (opacity === 0) continue;
      const at = { ...base, position, orientation, opacity, ...(color && { color: to_hex(color) }) };
      const solid = find_solid(run, shape);
      if (solid) parts.push({ ...at, form: solid.form, size: solid.size, bounds: [solid.low, solid.high] });
      else if (shape.kind === "box") parts.push({ ...at, form: "box", size: [p, q, r] });
      else if (shape.kind === "cylinder") parts.push({ ...at, form: "cylinder", size: [p, p, q] });
      else if (shape.kind === "sphere") parts.push({ ...at, form: "sphere", size: [p, p, p] });
    }
    if (!body.inertia_shape) return;
    for (const end of list_points_of(run, b)) {
      parts.push(...make_rod([0, 0, 0], end, 0.3 * sizes.at(b, -1), { ...base, form: "cylinder" }));
    }
  });
  return parts;
}

function list_points_of(run: Run, body: number): Vec3[] {
  const points: Vec3[] = [];
  const lines = [...run.scene.forces, ...run.scene.drivers].filter((element) => element.shape === "line");
  for (const link of [...run.scene.joints, ...lines]) {
    if (link.body_i === body) points.push(link.point_i);
    if (link.body_j === body) points.push(link.point_j);
  }
  return points;
}

type Base = Pick<Part, "form" | "layer" | "body" | "item">;

function make_rod(from: Vec3, to: Vec3, radius: number, base: Base): Part[] {
  const along = math.subtract(to, from);
  const size = math.length(along);
  if (size < radius) return [];
  return [
    {
      ...base,
      position: math.scale(0.5, math.add(from, to)),
      orientation: math.turn_z_to(math.normalised(along)),
      size: [radius, radius, size],
    },
  ];
}

export interface Drawing {
  parts: Part[];
  links: Link[];
}

// How far `point` of body `rider` travels along the line through `origin` in the frame of `base`.
function find_travel(
  run: Run, base: number, origin: Vec3, axis: Vec3, rider: number, point: Vec3,
): [number, number] {
  const n = run.picture_rows;
  let low = Infinity;
  let high = -Infinity;
  const stride = Math.max(1, Math.floor(n / 300));
  for (let i = 0; i < n; i += stride) {
    const from = point_at(run, i, base, origin);
    const along = math.rotate(orientation_at(run, i, base), axis);
    const x = math.dot(math.subtract(point_at(run, i, rider, point), from), along);
    if (x < low) low = x;
    if (x > high) high = x;
  }
  return n > 0 ? [low, high] : [0, 0];
}

// Makes the parts of one joint; s is the size of a joint's ball.
class JointDrawer {
  readonly parts: Part[] = [];
  readonly links: Link[] = [];

  constructor(
    private readonly run: Run,
    private readonly joint: SceneJoint,
    private readonly item: string,
    private readonly s: number,
    private readonly down: Vec3,
  ) {}

  draw(): void {
    const { joint, s } = this;
    switch (joint.kind) {
      case "revolute":
        this.pin("j", 0.55 * s, 3.4 * s);
        this.axis_line();
        break;
      case "universal":
        this.pin("i", 0.34 * s, 3.6 * s);
        this.pin("j", 0.34 * s, 3.6 * s);
        this.ball(0.6 * s);
        break;
      case "fixed":
        this.part("j", "box", joint.point_j, NO_TURN, [1.5 * s, 1.5 * s, 1.5 * s]);
        break;
      case "cylindrical":
        this.pin("j", 0.85 * s, 3 * s);
        this.rail(joint.point_i, joint.point_j, "cylinder");
        break;
      case "screw":
        this.pin("j", 0.85 * s, 3 * s);
        for (const k of [-1, 0, 1]) this.ring(1.1 * s, 0.25 * s, k * s);
        this.rail(joint.point_i, joint.point_j, "cylinder");
        break;
      case "constant_velocity":
        this.pin("i", 0.5 * s, 3 * s);
        this.pin("j", 0.5 * s, 3 * s);
        this.ball(0.9 * s);
        break;
      case "revolute_spherical":
      case "universal_spherical":
      case "cylindrical_spherical":
      case "revolute_cylindrical":
      case "revolute_revolute":
        this.links.push({ ...joint, form: "cylinder", layer: "joint", item: this.item, radius: 0.25 * s });
        this.ball(0.8 * s);
        if (math.length(joint.axis_i) > 0) this.pin("i", 0.45 * s, 3 * s);
        break;
      case "planar":
      case "point_in_plane":
        this.ball(0.8 * s);
        this.plate();
        break;
      case "line_in_plane":
        this.plate();
        this.pin("j", 0.3 * s, 8 * s);
        break;
      case "axis_distance":
        this.pin("i", 0.2 * s, 8 * s);
        this.pin("j", 0.2 * s, 8 * s);
        break;
      case "translational":
        this.slide();
        break;
      case "point_on_line":
        this.ball(0.8 * s);
        this.rail(joint.point_i, joint.point_j, "cylinder");
        break;
      case "distance":
        this.links.push({ ...joint, form: "cylinder", layer: "joint", item: this.item, radius: 0.2 * s });
        break;
      case "spherical":
        this.ball(s);
        break;
      default:
        this.ball(0.8 * s);
        this.axis_line();
    }
    this.support();
  }

  private part(side: "i" | "j", form: Form, at: Vec3, turn: Quaternion, size: Vec3,
               layer: Layer = "joint"): void {
    const body = side === "i" ? this.joint.body_i : this.joint.body_j;
    this.parts.push({ form, layer, item: this.item, body, position: at, orientation: turn, size });
  }

  private ball(radius: number): void {
    this.part("j", "sphere", this.joint.point_j, NO_TURN, [radius, radius, radius]);
  }

  private pin(side: "i" | "j", radius: number, length: number, layer: Layer = "joint"): void {
    const { joint } = this;
    const axis = side === "i" ? joint.axis_i : joint.axis_j;
    const at = side === "i" ? joint.point_i : joint.point_j;
    if (math.length(axis) === 0) return this.ball(this.s);
    this.part(side, "cylinder", at, math.turn_z_to(axis), [radius, radius, length], layer);
  }

  // Around the axis in body j, `shift` along it.
  private ring(radius: number, width: number, shift: number): void {
    const { axis_j, point_j } = this.joint;
    if (math.length(axis_j) === 0) return;
    const at = math.add(point_j, math.scale(shift, axis_j));
    this.part("j", "cylinder", at, math.turn_z_to(axis_j), [radius, radius, width]);
  }

  // The plane of body i, normal to its axis.
  private plate(): void {
    const { axis_i, point_i } = this.joint;
    const { s } = this;
    if (math.length(axis_i) === 0) return;
    this.part("i", "box", point_i, math.turn_z_to(axis_i), [10 * s, 10 * s, 0.12 * s], "axis");
  }

  private axis_line(): void {
    if (math.length(this.joint.axis_j) > 0) this.pin("j", 0.09 * this.s, 9 * this.s, "axis");
  }

  // The line in body i along which point j goes, as far as it goes.
  private rail(origin: Vec3, rider: Vec3, form: Form): void {
    const { joint, s, run } = this;
    if (math.length(joint.axis_i) === 0) return;
    const [low, high] = find_travel(run, joint.body_i, origin, joint.axis_i, joint.body_j, rider);
    const middle = math.add(origin, math.scale((low + high) / 2, joint.axis_i));
    const length = high - low + 5 * s;
    const w = 0.22 * s;
    const size: Vec3 = form === "box" ? [2 * w, 2 * w, length] : [w, w, length];
    this.part("i", form, middle, math.turn_z_to(joint.axis_i), size, "axis");
  }

  // Any line along the axis serves a translational joint: drawn through the centre of a moving body.
  private slide(): void {
    const { joint, s, run } = this;
    if (math.length(joint.axis_i) === 0 || run.picture_rows === 0) return this.ball(s);
    const rider = joint.body_j >= 0 ? "j" : "i";
    const [base, moving] = rider === "j" ? [joint.body_i, joint.body_j] : [joint.body_j, joint.body_i];
    const [axis, axis_moving] =
      rider === "j" ? [joint.axis_i, joint.axis_j] : [joint.axis_j, joint.axis_i];
    // the centre of the rider at t = 0, seen from the other body
    const turn = math.conjugate(orientation_at(run, 0, base));
    const centre = point_at(run, 0, moving, [0, 0, 0]);
    const at_base = base < 0 ? math.scale(-1, run.head.origin) : point_at(run, 0, base, [0, 0, 0]);
    const origin = math.rotate(turn, math.subtract(centre, at_base));
    const [low, high] = find_travel(run, base, origin, axis, moving, [0, 0, 0]);
    const middle = math.add(origin, math.scale((low + high) / 2, axis));
    const other = rider === "j" ? "i" : "j";
    const w = 0.44 * s;
    this.part(other, "box", middle, math.turn_z_to(axis), [w, w, high - low + 8 * s], "axis");
    this.part(rider, "box", [0, 0, 0], math.turn_z_to(axis_moving), [1.5 * s, 1.5 * s, 3.2 * s]);
  }

  private support(): void {
    const { joint, s } = this;
    const on_i = joint.body_i < 0;
    if (!on_i && joint.body_j >= 0) return;
    if (["translational", "cylindrical", "point_on_line", "screw", "planar", "point_in_plane", "line_in_plane"].includes(joint.kind)) return;
    const at = on_i ? joint.point_i : joint.point_j;
    const turn = math.turn_z_to(math.scale(-1, this.down));
    this.part(on_i ? "i" : "j", "cone", at, turn, [1.5 * s, 1.5 * s, 2.6 * s], "support");
  }
}

export function list_joint_parts(run: Run, sizes: SymbolSizes, down: Vec3): Drawing {
  const drawing: Drawing = { parts: [], links: [] };
  run.scene.joints.forEach((joint, k) => {
    const s = sizes.at(joint.body_i, joint.body_j);
    const drawer = new JointDrawer(run, joint, make_key("joint", k), s, down);
    drawer.draw();
    drawing.parts.push(...drawer.parts);
    drawing.links.push(...drawer.links);
  });
  return drawing;
}

// Edges of the box around a shape.
function list_edges(run: Run, shape: SceneShape): number[] {
  const { kind, size: [p = 0, q = 0, r = 0] } = shape;
  const solid = find_solid(run, shape);
  if (solid) return solid.size.map((x, k) => x * ((solid.high[k] as number) - (solid.low[k] as number)));
  return kind === "box" ? [p, q, r] : kind === "sphere" ? [2 * p] : [2 * p, q];
}

const median = (list: number[]): number | undefined => [...list].sort((a, b) => a - b)[list.length >> 1];

// Sizes of symbols, m: the radius of the ball of a joint. The thinner of the two bodies decides, so that
// the bearing of a crane and the pins of its chain both can be seen.
export class SymbolSizes {
  readonly whole: number; // for what has no body
  private readonly of_body: number[];

  constructor(run: Run) {
    const by_arms = 0.05 * (run.scene.length || 1);
    this.of_body = run.scene.bodies.map((body) => {
      const edges = body.shapes.flatMap((shape) => list_edges(run, shape)).filter((edge) => edge > 0);
      const longest = Math.max(0, ...edges);
      if (body.inertia_shape || edges.length === 0) return Math.max(by_arms, 0.06 * longest);
      return Math.max(0.35 * by_arms, Math.min(0.55 * Math.min(...edges), 0.2 * longest));
    });
    this.whole = median(this.of_body) ?? by_arms;
  }

  at(body_i: number, body_j: number): number {
    const sizes = [body_i, body_j].flatMap((body) => this.of_body[body] ?? []);
    return sizes.length > 0 ? Math.min(...sizes) : this.whole;
  }
}
