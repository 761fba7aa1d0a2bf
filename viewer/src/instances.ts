// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Parts on the graphics card: one instanced mesh for each form and layer, whose matrices are
// R·L and r + R·c, with L and c of the part in its body.
import {
  BoxGeometry, BufferAttribute, BufferGeometry, Color, ConeGeometry, Curve, CylinderGeometry,
  DynamicDrawUsage, InstancedMesh, MeshLambertMaterial, SphereGeometry, TubeGeometry, Vector3,
} from "three";
import type { Vec3 } from "./data";
import * as math from "./math";
import type { Form, Layer, Link, Part } from "./parts";
import type { Poses } from "./pose";

// `rim` is ±1 where a face ends; the shader draws a thin line there.
function set_rim(geometry: BufferGeometry, rim: (i: number) => [number, number]): BufferGeometry {
  const n = geometry.getAttribute("position").count;
  const values = new Float32Array(2 * n);
  for (let i = 0; i < n; ++i) values.set(rim(i), 2 * i);
  geometry.setAttribute("rim", new BufferAttribute(values, 2));
  return geometry;
}

const WIRE = 0.13; // radius of a spring's wire, the coil's being 1
const COILS = 10;

class Helix extends Curve<Vector3> {
  constructor() {
    super();
  }
  override getPoint(u: number, out = new Vector3()): Vector3 {
    // straight ends of a tenth each
    const turn = Math.min(1, Math.max(0, (u - 0.1) / 0.8));
    const radius = u < 0.1 || u > 0.9 ? 0 : 1;
    const angle = 2 * Math.PI * COILS * turn;
    return out.set(radius * Math.cos(angle), radius * Math.sin(angle), u - 0.5);
  }
}

// Along the spring the wire keeps the scale that it has across.
const THIN_WIRE = `
  vec3 wire = transformed - core;
  wire.z *= length(instanceMatrix[0].xyz) / max(length(instanceMatrix[2].xyz), 1e-12);
  transformed = core + wire;`;

// Round forms with fewer facets where there are many of them.
function make_geometry(form: Form, count: number): BufferGeometry {
  const facets = count > 150 ? 12 : 28;
  if (form === "box") {
    const geometry = new BoxGeometry(1, 1, 1);
    const uv = geometry.getAttribute("uv");
    return set_rim(geometry, (i) => [2 * uv.getX(i) - 1, 2 * uv.getY(i) - 1]);
  }
  if (form === "cylinder") {
    const geometry = new CylinderGeometry(1, 1, 1, facets).rotateX(Math.PI / 2);
    const p = geometry.getAttribute("position");
    const n = geometry.getAttribute("normal");
    return set_rim(geometry, (i) => [
      0,
      Math.abs(n.getZ(i)) > 0.5 ? Math.hypot(p.getX(i), p.getY(i)) : 2 * p.getZ(i),
    ]);
  }
  if (form === "cone") {
    const geometry = new ConeGeometry(1, 1, 4, 1).rotateX(Math.PI / 2).translate(0, 0, -0.5);
    return set_rim(geometry, () => [0, 0]);
  }
  if (form === "helix") {
    const geometry = new TubeGeometry(new Helix(), 300, WIRE, 6);
    // the wire's middle: a spring that is pulled gets longer, its wire does not
    const core = geometry.getAttribute("position").clone() as BufferAttribute;
    const normal = geometry.getAttribute("normal");
    for (let i = 0; i < core.count; ++i) {
      core.setXYZ(i, core.getX(i) - WIRE * normal.getX(i), core.getY(i) - WIRE * normal.getY(i),
                  core.getZ(i) - WIRE * normal.getZ(i));
    }
    geometry.setAttribute("core", core);
    return set_rim(geometry, () => [0, 0]);
  }
  return set_rim(new SphereGeometry(1, facets, facets >> 1), () => [0, 0]);
}

function make_material(form: Form): MeshLambertMaterial {
  const material = new MeshLambertMaterial();
  material.customProgramCacheKey = () => (form === "helix" ? "helix" : "solid");
  material.onBeforeCompile = (shader) => {
    shader.vertexShader = shader.vertexShader
      .replace("#include <common>", `#include <common>
        attribute vec2 rim;
        varying vec2 v_rim;
        ${form === "helix" ? "attribute vec3 core;" : ""}`)
      .replace("#include <begin_vertex>", `#include <begin_vertex>
        v_rim = rim;
        ${form === "helix" ? THIN_WIRE : ""}`);
    shader.fragmentShader = shader.fragmentShader
      .replace("#include <common>", "#include <common>\nvarying vec2 v_rim;")
      .replace(
        "#include <dithering_fragment>",
        `#include <dithering_fragment>
        vec2 pixels = (1.0 - abs(v_rim)) / max(fwidth(v_rim), vec2(1e-6));
        float edge = 1.0 - smoothstep(0.5, 1.5, min(pixels.x, pixels.y));
        gl_FragColor.rgb *= 1.0 - 0.45 * edge;`,
      );
  };
  return material;
}

export class PartMesh {
  readonly mesh: InstancedMesh;
  private readonly local: Float64Array; // [parts × 12]: L by rows, then c

  constructor(form: Form, readonly layer: Layer, readonly parts: Part[]) {
    this.mesh = new InstancedMesh(make_geometry(form, parts.length), make_material(form), parts.length);
    this.mesh.instanceMatrix.setUsage(DynamicDrawUsage);
    this.mesh.frustumCulled = false;
    this.mesh.instanceMatrix.array.fill(0);
    this.local = new Float64Array(parts.length * 12);
    parts.forEach((part, k) => {
      const at = 12 * k;
      const axes: Vec3[] = [[part.size[0], 0, 0], [0, part.size[1], 0], [0, 0, part.size[2]]];
      axes.forEach((axis, column) => {
        const turned = math.rotate(part.orientation, axis);
        turned.forEach((x, row) => (this.local[at + 3 * row + column] = x));
        this.mesh.instanceMatrix.array[16 * k + 15] = 1;
      });
      part.position.forEach((x, row) => (this.local[at + 9 + row] = x));
    });
  }

  set_colors(color_of: (part: Part) => string): void {
    const color = new Color();
    this.parts.forEach((part, k) => this.mesh.setColorAt(k, color.set(color_of(part))));
    if (this.mesh.instanceColor) this.mesh.instanceColor.needsUpdate = true;
  }

  update(poses: Poses): void {
    const m = this.mesh.instanceMatrix.array;
    const { values } = poses;
    for (let k = 0; k < this.parts.length; ++k) {
      const body = (this.parts[k] as Part).body;
      const at = poses.offset(body);
      const l = 12 * k;
      const out = 16 * k;
      for (let row = 0; row < 3; ++row) {
        const a = values[at + 3 * row] as number;
        const b = values[at + 3 * row + 1] as number;
        const c = values[at + 3 * row + 2] as number;
        for (let column = 0; column < 3; ++column) {
          m[out + 4 * column + row] =
            a * (this.local[l + column] as number) +
            b * (this.local[l + 3 + column] as number) +
            c * (this.local[l + 6 + column] as number);
        }
        m[out + 12 + row] =
          (values[at + 9 + row] as number) +
          a * (this.local[l + 9] as number) +
          b * (this.local[l + 10] as number) +
          c * (this.local[l + 11] as number);
      }
    }
    this.mesh.instanceMatrix.needsUpdate = true;
  }
}

export class LinkMesh {
  readonly mesh: InstancedMesh;

  constructor(form: Form, readonly layer: Layer, readonly links: Link[]) {
    this.mesh = new InstancedMesh(make_geometry(form, links.length), make_material(form), links.length);
    this.mesh.instanceMatrix.setUsage(DynamicDrawUsage);
    this.mesh.frustumCulled = false;
    for (let k = 0; k < links.length; ++k) this.mesh.instanceMatrix.array[16 * k + 15] = 1;
  }

  set_color(hex: string): void {
    (this.mesh.material as MeshLambertMaterial).color.set(hex);
  }

  update(poses: Poses): void {
    const m = this.mesh.instanceMatrix.array;
    this.links.forEach((link, k) => {
      const from = poses.place(link.body_i, link.point_i, [0, 0, 0]);
      const to = poses.place(link.body_j, link.point_j, [0, 0, 0]);
      const along = math.subtract(to, from);
      const z = math.length(along) > 0 ? math.normalised(along) : ([0, 0, 1] as Vec3);
      const x = math.normal_to(z);
      const y = math.cross(z, x);
      const r = link.radius;
      for (let row = 0; row < 3; ++row) {
        m[16 * k + row] = r * (x[row] as number);
        m[16 * k + 4 + row] = r * (y[row] as number);
        m[16 * k + 8 + row] = along[row] as number;
        m[16 * k + 12 + row] = ((from[row] as number) + (to[row] as number)) / 2;
      }
    });
    this.mesh.instanceMatrix.needsUpdate = true;
  }
}

// Parts sorted into meshes.
export function make_meshes(parts: Part[]): PartMesh[] {
  const sorted = new Map<string, Part[]>();
  for (const part of parts) {
    const key = `${part.form} ${part.layer}`;
    const list = sorted.get(key);
    if (list) list.push(part);
    else sorted.set(key, [part]);
  }
  return [...sorted.values()].map((list) => {
    const first = list[0] as Part;
    return new PartMesh(first.form, first.layer, list);
  });
}

export function make_link_meshes(links: Link[]): LinkMesh[] {
  return (["cylinder", "helix"] as const)
    .map((form) => links.filter((link) => link.form === form))
    .filter((list) => list.length > 0)
    .map((list) => new LinkMesh((list[0] as Link).form, (list[0] as Link).layer, list));
}
