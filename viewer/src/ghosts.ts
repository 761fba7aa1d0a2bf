// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Another run in the same scene: its bodies and springs, transparent, in the colour that the run has in
// the plots.
import { Object3D } from "three";
import type { Run } from "./data";
import { list_element_parts } from "./elements";
import type { LinkMesh, PartMesh } from "./instances";
import { make_link_meshes, make_meshes } from "./instances";
import * as math from "./math";
import type { Link, Part } from "./parts";
import { list_body_parts, SymbolSizes } from "./parts";
import { Poses } from "./pose";
import { line_color } from "./theme";
import type { TrailPoint } from "./trail";
import { Trail } from "./trail";

export class Ghost {
  readonly object = new Object3D();
  readonly poses: Poses;
  readonly parts: Part[];
  readonly links: Link[];
  private readonly meshes: (PartMesh | LinkMesh)[];
  trail: Trail | null = null;

  // `main` is the run that is shown in full: places are measured from its origin.
  constructor(readonly run: Run, main: Run) {
    const sizes = new SymbolSizes(run);
    this.poses = new Poses(run);
    this.parts = list_body_parts(run, sizes);
    this.links = list_element_parts(run, sizes).links;
    this.meshes = [...make_meshes(this.parts, () => "ghost"), ...make_link_meshes(this.links, () => "ghost")];
    for (const { mesh } of this.meshes) this.object.add(mesh);
    const shift = math.subtract(run.head.origin, main.head.origin);
    this.object.position.set(...shift);
    this.paint();
  }

  // The path of the same point of the body with the same name.
  set_trail(main: Run, point: TrailPoint | undefined): void {
    if (this.trail) {
      this.object.remove(this.trail.mesh);
      this.trail.dispose();
      this.trail = null;
    }
    if (!point) return;
    const name = main.scene.bodies[point.body]?.name;
    const body = this.run.scene.bodies.findIndex((other) => other.name === name);
    if (body < 0) return;
    this.trail = new Trail(this.run, { ...point, body });
    this.trail.set_color(line_color(this.run.index));
    this.object.add(this.trail.mesh);
  }

  paint(): void {
    const color = line_color(this.run.index);
    for (const mesh of this.meshes) mesh.set_colors(() => color);
    this.trail?.set_color(color);
  }

  update(t: number): void {
    this.poses.set_time(t);
    for (const mesh of this.meshes) mesh.update(this.poses);
  }

  dispose(): void {
    for (const mesh of this.meshes) mesh.dispose();
    this.trail?.dispose();
  }
}

// Runs of the same mechanism: the same bodies by name.
export function is_same_mechanism(a: Run, b: Run): boolean {
  return a.n_bodies === b.n_bodies &&
    a.scene.bodies.every((body, k) => body.name === b.scene.bodies[k]?.name);
}
