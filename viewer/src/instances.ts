// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Parts on the graphics card: one instanced mesh for each form and layer, whose matrices are
// R·L and r + R·c, with L and c of the part in its body.
import {
  AlwaysStencilFunc, BoxGeometry, BufferAttribute, BufferGeometry, Color, ConeGeometry, Curve,
  CylinderGeometry, DoubleSide, DynamicDrawUsage, GreaterDepth, InstancedMesh, KeepStencilOp, MeshLambertMaterial,
  NotEqualStencilFunc, ReplaceStencilOp, SphereGeometry, TorusGeometry, TubeGeometry, Vector3,
} from "three";
import { mergeGeometries } from "three/examples/jsm/utils/BufferGeometryUtils.js";
import type { Vec3 } from "./data";
import * as math from "./math";
import type { Form, Layer, Link, Part } from "./parts";
import type { Poses } from "./pose";
import { is_mesh, is_solid, make_solid_geometry } from "./solids";

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

// Three quarters of a circle around z with a head at its end.
function make_arc(): BufferGeometry {
  const angle = 1.5 * Math.PI;
  const tube = new TorusGeometry(1, 0.085, 8, 40, angle);
  const head = new ConeGeometry(0.24, 0.5, 20).translate(1, 0.2, 0).rotateZ(angle);
  const end = new SphereGeometry(0.085, 10, 8).translate(1, 0, 0);
  return mergeGeometries([tube, head, end]) as BufferGeometry;
}

// Round forms with fewer facets where there are many of them.
function choose_facets(count: number): number {
  return count > 600 ? 16 : count > 150 ? 24 : count > 40 ? 48 : 96;
}

const geometries = new Map<string, BufferGeometry>();

export function find_geometry(form: Form, count: number): BufferGeometry {
  const facets = is_mesh(form) ? 0 : choose_facets(count);
  const key = `${form} ${facets}`;
  let geometry = geometries.get(key);
  if (!geometry) geometries.set(key, (geometry = make_geometry(form, facets)));
  return geometry;
}

function make_geometry(form: Form, facets: number): BufferGeometry {
  if (is_solid(form)) return make_solid_geometry(form, facets);
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
    const geometry = new ConeGeometry(1, 1, Math.min(32, facets)).rotateX(Math.PI / 2).translate(0, 0, -0.5);
    return set_rim(geometry, () => [0, 0]);
  }
  if (form === "arc") return set_rim(make_arc(), () => [0, 0]);
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
  const round = Math.min(40, facets);
  return set_rim(new SphereGeometry(1, round, round >> 1), () => [0, 0]);
}

// solid: as it is; marked: solid, and where it is seen the stencil is 1; through: what is hidden
// behind other things, once per pixel, where the stencil is not yet 1; faint: transparent; ghost: of
// another run, behind what is at the same place; glass: as opaque as the model says.
export type Mode = "solid" | "marked" | "through" | "faint" | "ghost" | "glass";

const materials = new Map<string, MeshLambertMaterial>();

export function find_material(form: Form, mode: Mode, opacity = 1): MeshLambertMaterial {
  const thin = form === "helix";
  const key = `${thin} ${is_mesh(form)} ${mode} ${opacity}`;
  let material = materials.get(key);
  if (!material) {
    materials.set(key, (material = make_material(thin, mode)));
    if (is_mesh(form)) material.side = DoubleSide; // it may be open
    if (mode === "glass") material.opacity = opacity;
  }
  return material;
}

function make_material(thin: boolean, mode: Mode): MeshLambertMaterial {
  const material = new MeshLambertMaterial();
  if (mode === "marked" || mode === "through") {
    material.stencilWrite = true;
    material.stencilRef = 1;
    material.stencilFunc = mode === "through" ? NotEqualStencilFunc : AlwaysStencilFunc;
    material.stencilFail = material.stencilZFail = KeepStencilOp;
    material.stencilZPass = ReplaceStencilOp;
  }
  if (mode === "through") material.depthFunc = GreaterDepth;
  if (mode === "glass") {
    material.transparent = true;
    material.depthWrite = false;
  }
  if (mode === "through" || mode === "faint" || mode === "ghost") {
    material.transparent = true;
    material.depthWrite = mode === "ghost";
    material.opacity = mode === "through" ? 0.38 : mode === "faint" ? 0.2 : 0.34;
  }
  if (mode === "ghost") {
    material.polygonOffset = true;
    material.polygonOffsetFactor = material.polygonOffsetUnits = 2;
  }
  material.customProgramCacheKey = () => (thin ? "helix" : "solid");
  material.onBeforeCompile = (shader) => {
    shader.vertexShader = shader.vertexShader
      .replace("#include <common>", `#include <common>
        attribute vec2 rim;
        varying vec2 v_rim;
        ${thin ? "attribute vec3 core;" : ""}`)
      .replace("#include <begin_vertex>", `#include <begin_vertex>
        v_rim = rim;
        ${thin ? THIN_WIRE : ""}`);
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

const ORDER: Record<Mode, number> = { solid: 0, marked: 1, through: 2, ghost: 3, faint: 4, glass: 5 };

export function make_instances(form: Form, mode: Mode, count: number, opacity = 1): InstancedMesh {
  const mesh = new InstancedMesh(find_geometry(form, count), find_material(form, mode, opacity), count);
  mesh.instanceMatrix.setUsage(DynamicDrawUsage);
  mesh.frustumCulled = false;
  mesh.renderOrder = ORDER[mode];
  mesh.instanceMatrix.array.fill(0);
  for (let k = 0; k < count; ++k) mesh.instanceMatrix.array[16 * k + 15] = 1;
  return mesh;
}

// The same instances once more, seen through what hides them.
function make_twin(form: Form, mesh: InstancedMesh): InstancedMesh {
  const twin = new InstancedMesh(mesh.geometry, find_material(form, "through"), mesh.count);
  twin.instanceMatrix = mesh.instanceMatrix;
  twin.frustumCulled = false;
  twin.renderOrder = ORDER.through;
  return twin;
}

interface Colored {
  layer: Layer;
  item: string;
  opacity?: number; // the same for all entries of a mesh
}

// What parts and links have in common: a mesh, perhaps its twin, and a colour for each instance.
abstract class Instances<T extends Colored> {
  readonly mesh: InstancedMesh;
  readonly twin: InstancedMesh | null;

  constructor(readonly form: Form, readonly layer: Layer, readonly mode: Mode, readonly entries: T[]) {
    this.mesh = make_instances(form, mode, entries.length, entries[0]?.opacity);
    this.twin = mode === "marked" ? make_twin(form, this.mesh) : null;
  }

  abstract update(poses: Poses): void;

  set_colors(color_of: (entry: T) => string): void {
    const color = new Color();
    this.entries.forEach((entry, k) => this.mesh.setColorAt(k, color.set(color_of(entry))));
    if (this.mesh.instanceColor) this.mesh.instanceColor.needsUpdate = true;
    if (this.twin) this.twin.instanceColor = this.mesh.instanceColor;
  }

  dispose(): void {
    this.mesh.dispose();
    this.twin?.dispose();
  }
}

export class PartMesh extends Instances<Part> {
  private readonly local: Float64Array; // [parts × 12]: L by rows, then c

  constructor(form: Form, layer: Layer, mode: Mode, parts: Part[]) {
    super(form, layer, mode, parts);
    this.local = new Float64Array(parts.length * 12);
    parts.forEach((part, k) => {
      const at = 12 * k;
      const axes: Vec3[] = [[part.size[0], 0, 0], [0, part.size[1], 0], [0, 0, part.size[2]]];
      axes.forEach((axis, column) => {
        const turned = math.rotate(part.orientation, axis);
        turned.forEach((x, row) => (this.local[at + 3 * row + column] = x));
      });
      part.position.forEach((x, row) => (this.local[at + 9 + row] = x));
    });
  }

  update(poses: Poses): void {
    const m = this.mesh.instanceMatrix.array;
    const { values } = poses;
    for (let k = 0; k < this.entries.length; ++k) {
      const body = (this.entries[k] as Part).body;
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

// Columns of a matrix that takes z to the way from a to b, and x and y to lengths r across it.
export function set_between(m: ArrayLike<number> & { [n: number]: number }, at: number, a: Vec3, b: Vec3, r: number): void {
  const along = math.subtract(b, a);
  const z = math.length(along) > 0 ? math.normalised(along) : ([0, 0, 1] as Vec3);
  const x = math.normal_to(z);
  const y = math.cross(z, x);
  for (let row = 0; row < 3; ++row) {
    m[at + row] = r * (x[row] as number);
    m[at + 4 + row] = r * (y[row] as number);
    m[at + 8 + row] = along[row] as number;
    m[at + 12 + row] = ((a[row] as number) + (b[row] as number)) / 2;
  }
}

export class LinkMesh extends Instances<Link> {
  update(poses: Poses): void {
    const m = this.mesh.instanceMatrix.array;
    this.entries.forEach((link, k) => {
      let from = poses.place(link.body_i, link.point_i, [0, 0, 0]);
      let to = poses.place(link.body_j, link.point_j, [0, 0, 0]);
      const { fixed = 0 } = link;
      if (fixed !== 0) {
        const along = math.subtract(to, from);
        const size = math.length(along);
        const cut = math.add(from, math.scale(size > 0 ? Math.min(1, Math.abs(fixed) / size) : 0, along));
        if (fixed > 0) to = cut;
        else from = cut;
      }
      set_between(m, 16 * k, from, to, link.radius);
    });
    this.mesh.instanceMatrix.needsUpdate = true;
  }
}

// Sorted by form, layer, mode and opacity, one mesh for each.
function sort_into<T extends { form: Form; layer: Layer; opacity?: number }, M>(
  list: T[], mode_of: (entry: T) => Mode, make: (form: Form, layer: Layer, mode: Mode, list: T[]) => M,
): M[] {
  const sorted = new Map<string, T[]>();
  for (const entry of list) {
    const mode = mode_of(entry);
    const key = `${entry.form} ${entry.layer} ${mode} ${mode === "glass" ? entry.opacity : 1}`;
    const same = sorted.get(key);
    if (same) same.push(entry);
    else sorted.set(key, [entry]);
  }
  return [...sorted.values()].map((same) => {
    const first = same[0] as T;
    return make(first.form, first.layer, mode_of(first), same);
  });
}

export function make_meshes(parts: Part[], mode_of: (part: Part) => Mode): PartMesh[] {
  return sort_into(parts, mode_of, (form, layer, mode, list) => new PartMesh(form, layer, mode, list));
}

export function make_link_meshes(links: Link[], mode_of: (link: Link) => Mode): LinkMesh[] {
  return sort_into(links, mode_of, (form, layer, mode, list) => new LinkMesh(form, layer, mode, list));
}
