// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Symbols of force elements and drivers:
//
//   spring_damper              a coil that is stretched with its length
//   nonlinear_spring, gas_strut  a strut: a tube and a rod that slides in it
//   linear_actuator            the same, wider
//   gravitation, cables, stops, friction between points  a thin line
//   at a joint, rotation       an arrow around the axis; drivers, motors, friction and dampers have a disc too
//   at a joint, translation    arrows along the axis
//   bushing                    a block in its own axes
//   driver of a distance       an actuator: a wide tube and a rod
//   named points               a small ball
//
// Applied forces and torques are arrows that change with the load (arrows.ts).
import { point_at } from "./channels";
import type { Quaternion, Run, SceneElement, Vec3 } from "./data";
import { is_linear, make_key } from "./items";
import * as math from "./math";
import type { Drawing, Layer, Link, Part, SymbolSizes } from "./parts";

const THIN = ["gravitation", "one_sided_spring", "stop", "backlash", "friction"];
const DISCS = ["rotational_damper", "dc_motor", "friction"];
const NO_TURN: Quaternion = [1, 0, 0, 0];

// The shortest distance between the two points of a line over the run.
function find_shortest(run: Run, element: SceneElement): number {
  const n = run.picture_rows;
  const stride = Math.max(1, Math.floor(n / 200));
  let shortest = Infinity;
  for (let i = 0; i < n; i += stride) {
    const from = point_at(run, i, element.body_i, element.point_i);
    const to = point_at(run, i, element.body_j, element.point_j);
    shortest = Math.min(shortest, math.length(math.subtract(to, from)));
  }
  return Number.isFinite(shortest) ? shortest : 0;
}

class ElementDrawer {
  readonly parts: Part[] = [];
  readonly links: Link[] = [];

  constructor(
    private readonly run: Run, private readonly element: SceneElement, private readonly layer: Layer,
    private readonly item: string, private readonly s: number, private readonly at_joint: number,
  ) {}

  draw(): void {
    const { shape } = this.element;
    if (shape === "line") this.line();
    else if (shape === "joint") this.at_axis();
    else if (shape === "bushing") this.bushing();
    else if (shape === "point" && this.layer === "driver") this.ball("j", 0.6 * this.s);
  }

  private line(): void {
    const { s } = this;
    const { kind } = this.element;
    if (THIN.includes(kind)) return this.link("cylinder", 0.08 * s);
    this.ball("i", 0.5 * s);
    this.ball("j", 0.5 * s);
    if (kind === "spring_damper") {
      return this.link("helix", Math.max(1.3 * s, 0.06 * find_shortest(this.run, this.element)));
    }
    const shortest = find_shortest(this.run, this.element);
    const tube = 0.62 * shortest;
    const wide = Math.max(this.layer === "driver" || kind === "linear_actuator" ? 0.9 * s : 0.65 * s, 0.03 * shortest);
    if (tube < 2 * s) return this.link("cylinder", 0.4 * s);
    this.link("cylinder", wide, tube);
    this.link("cylinder", 0.45 * wide, -tube);
  }

  private link(form: "cylinder" | "helix", radius: number, fixed = 0): void {
    const { body_i, body_j, point_i, point_j } = this.element;
    this.links.push({ form, layer: this.layer, item: this.item, radius, fixed, body_i, body_j, point_i, point_j });
  }

  private part(side: "i" | "j", form: Part["form"], position: Vec3, orientation: Quaternion, size: Vec3): void {
    const body = side === "i" ? this.element.body_i : this.element.body_j;
    this.parts.push({ form, layer: this.layer, item: this.item, body, position, orientation, size });
  }

  private ball(side: "i" | "j", radius: number): void {
    const at = side === "i" ? this.element.point_i : this.element.point_j;
    this.part(side, "sphere", at, NO_TURN, [radius, radius, radius]);
  }

  // Several elements at one joint get arcs of different radii.
  private at_axis(): void {
    const { element, s, at_joint } = this;
    const { axis, point_j } = element;
    if (math.length(axis) === 0) return this.ball("j", 0.7 * s);
    const turn = math.turn_z_to(axis);
    if (is_linear(this.run, element)) {
      for (const sign of [-1, 1]) {
        const tip = math.add(point_j, math.scale(sign * (3.4 + at_joint) * s, axis));
        this.part("j", "cone", tip, math.turn_z_to(math.scale(sign, axis)), [0.65 * s, 0.65 * s, 1.5 * s]);
      }
      return;
    }
    const r = (2.7 + 0.9 * at_joint) * s;
    const shift = 1.25 * s * (1 + at_joint % 3);
    const at = math.add(point_j, math.scale(shift, axis));
    this.part("j", "arc", at, turn, [r, r, r]);
    if (this.layer === "driver" || DISCS.includes(element.kind)) {
      this.part("j", "cylinder", at, turn, [1.15 * s, 1.15 * s, 0.5 * s]);
    }
  }

  private bushing(): void {
    const { s } = this;
    const { point_i, orientation } = this.element;
    this.part("i", "box", point_i, orientation, [2.4 * s, 2.4 * s, 2.4 * s]);
    this.ball("j", 0.7 * s);
  }
}

export function list_element_parts(run: Run, sizes: SymbolSizes): Drawing {
  const drawing: Drawing = { parts: [], links: [] };
  const places = new Map<string, number>(); // elements drawn at the same joint so far
  const draw = (element: SceneElement, layer: Layer, item: string) => {
    const place = `${element.body_i} ${element.body_j} ${element.point_j.join(" ")}`;
    const before = element.shape === "joint" ? places.get(place) ?? 0 : 0;
    places.set(place, before + 1);
    const s = sizes.at(element.body_i, element.body_j);
    const drawer = new ElementDrawer(run, element, layer, item, s, before);
    drawer.draw();
    drawing.parts.push(...drawer.parts);
    drawing.links.push(...drawer.links);
  };
  run.scene.drivers.forEach((element, k) => draw(element, "driver", make_key("driver", k)));
  run.scene.forces.forEach((element, k) => draw(element, "force", make_key("force", k)));
  run.scene.points.forEach(({ body, point }, k) => {
    const r = 0.45 * sizes.at(body, -1);
    drawing.parts.push({
      form: "sphere", layer: "joint", item: make_key("point", k), body, position: point, orientation: NO_TURN, size: [r, r, r],
    });
  });
  return drawing;
}
