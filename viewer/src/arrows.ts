// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Arrows: straight ones for forces, arcs for torques, as many as are shown at a time, in three meshes
// and their twins that are seen through bodies.
import { Color, InstancedMesh, Object3D } from "three";
import type { Vec3 } from "./data";
import { find_material, make_instances, set_between } from "./instances";
import * as math from "./math";

export class Arrows {
  readonly object = new Object3D();
  private readonly shafts: InstancedMesh;
  private readonly heads: InstancedMesh;
  private readonly arcs: InstancedMesh;
  private readonly color = new Color();

  // At most so many of each kind; `width` is the radius of a shaft.
  constructor(capacity: number, private readonly width: number) {
    const make = (form: "cylinder" | "cone" | "arc") => {
      const mesh = make_instances(form, "marked", capacity);
      mesh.setColorAt(0, this.color);
      const twin = new InstancedMesh(mesh.geometry, find_material(form, "through"), capacity);
      twin.instanceMatrix = mesh.instanceMatrix;
      twin.instanceColor = mesh.instanceColor;
      twin.frustumCulled = false;
      twin.renderOrder = 2;
      this.object.add(mesh, twin);
      return mesh;
    };
    this.shafts = make("cylinder");
    this.heads = make("cone");
    this.arcs = make("arc");
    this.begin();
  }

  begin(): void {
    for (const mesh of [this.shafts, this.heads, this.arcs]) mesh.count = 0;
  }

  private set_color(mesh: InstancedMesh, hex: string): number {
    const k = mesh.count;
    mesh.setColorAt(k, this.color.set(hex));
    mesh.count = k + 1;
    return 16 * k;
  }

  // From a point along a vector whose length is that of the arrow.
  add_force(at: Vec3, along: Vec3, hex: string): void {
    const size = math.length(along);
    if (!(size > 0) || this.shafts.count >= this.shafts.instanceMatrix.count) return;
    const r = Math.min(this.width, 0.12 * size);
    const head = Math.min(0.5 * size, 7 * r);
    const tip = math.add(at, along);
    const neck = math.add(at, math.scale(1 - head / size, along));
    set_between(this.shafts.instanceMatrix.array, this.set_color(this.shafts, hex), at, neck, r);
    const m = this.heads.instanceMatrix.array;
    const k = this.set_color(this.heads, hex);
    set_between(m, k, neck, tip, 2.6 * r);
    for (let row = 0; row < 3; ++row) m[k + 12 + row] = tip[row] as number; // a cone has its tip at its origin
  }

  // Around a vector whose length is the radius of the arc.
  add_torque(at: Vec3, along: Vec3, hex: string): void {
    const r = math.length(along);
    if (!(r > 0) || this.arcs.count >= this.arcs.instanceMatrix.count) return;
    const z = math.scale(1 / r, along);
    const x = math.normal_to(z);
    const y = math.cross(z, x);
    const m = this.arcs.instanceMatrix.array;
    const k = this.set_color(this.arcs, hex);
    for (let row = 0; row < 3; ++row) {
      m[k + row] = r * (x[row] as number);
      m[k + 4 + row] = r * (y[row] as number);
      m[k + 8 + row] = r * (z[row] as number);
      m[k + 12 + row] = at[row] as number;
    }
  }

  end(): void {
    for (const mesh of [this.shafts, this.heads, this.arcs]) {
      mesh.visible = mesh.count > 0;
      mesh.instanceMatrix.needsUpdate = true;
      if (mesh.instanceColor) mesh.instanceColor.needsUpdate = true;
    }
    this.object.children.forEach((child, k) => {
      const mesh = this.object.children[k - (k % 2)] as InstancedMesh;
      child.visible = mesh.count > 0;
      (child as InstancedMesh).count = mesh.count;
    });
  }

  get counts(): { forces: number; torques: number } {
    return { forces: this.shafts.count, torques: this.arcs.count };
  }

  dispose(): void {
    for (const child of this.object.children) (child as InstancedMesh).dispose();
  }
}
