// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Shapes that are no box, cylinder or sphere, as geometry: lathe forms, extruded outlines and meshes. Each has
// a form of its own, in which equal proportions are the same; its size stretches it.
import { BufferAttribute, BufferGeometry, ShapeUtils, Vector2 } from "three";
import type { PackedMesh, Run, SceneShape, Vec3 } from "./data";

export type SolidForm = `solid ${string}`;

export interface Solid {
  form: SolidForm;
  size: Vec3; // of the form's own axes, m per unit
  low: Vec3; // corners of the box around the form, before it is stretched
  high: Vec3;
}

const makers = new Map<string, (facets: number) => BufferGeometry>();

export const is_solid = (form: string): form is SolidForm => form.startsWith("solid ");
export const is_mesh = (form: string): boolean => form.startsWith("solid mesh");

export function make_solid_geometry(form: SolidForm, facets: number): BufferGeometry {
  return (makers.get(form) as (facets: number) => BufferGeometry)(facets);
}

// Null for shapes that are forms of instances.ts.
export function find_solid(run: Run, shape: SceneShape): Solid | null {
  const [p = 0, q = 0, r = 0] = shape.size;
  const know = (key: string, make: (facets: number) => BufferGeometry): SolidForm => {
    makers.set(`solid ${key}`, make);
    return `solid ${key}`;
  };
  const round = (form: SolidForm, radius: number, length: number, half: number): Solid => ({
    form, size: [radius, radius, length], low: [-1, -1, -half], high: [1, 1, half],
  });
  if (shape.kind === "capsule") {
    const half = q / p / 2;
    return round(know(`capsule ${half}`, (facets) => make_capsule(half, facets)), p, p, half + 1);
  }
  if (shape.kind === "cone") {
    const wide = Math.max(p, q);
    const form = know(`cone ${p / wide} ${q / wide}`, (facets) => make_cone(p / wide, q / wide, facets));
    return round(form, wide, r, 0.5);
  }
  if (shape.kind === "ring") {
    return round(know(`ring ${q / p}`, (facets) => make_ring(q / p, facets)), p, r, 0.5);
  }
  if (shape.kind === "extrusion") {
    const loops = (shape.loops ?? []).map(to_corners);
    const form = know(`extrusion ${JSON.stringify(shape.loops)}`, () => make_extrusion(loops));
    const xs = (loops[0] ?? []).map(({ x }) => x);
    const ys = (loops[0] ?? []).map(({ y }) => y);
    return {
      form, size: [1, 1, p],
      low: [Math.min(...xs), Math.min(...ys), -0.5], high: [Math.max(...xs), Math.max(...ys), 0.5],
    };
  }
  if (shape.kind === "mesh") return find_mesh(run, shape.mesh ?? -1, [p, q, r], know);
  return null;
}

function find_mesh(
  run: Run, index: number, scale: Vec3,
  know: (key: string, make: (facets: number) => BufferGeometry) => SolidForm,
): Solid | null {
  const mesh = run.meshes[index];
  if (!mesh) return null;
  const sign = scale.map((x) => (x < 0 ? -1 : 1)) as Vec3;
  const side = (k: 0 | 1 | 2, at: number) => sign[k] * (mesh.low[k] + at * mesh.step[k]);
  const ends = ([0, 1, 2] as const).map((k) => [side(k, 0), side(k, 65535)] as const);
  return {
    form: know(`mesh ${index} ${sign.join(" ")}`, () => make_mesh_geometry(mesh, sign)),
    size: scale.map(Math.abs) as Vec3,
    low: ends.map(([a, b]) => Math.min(a, b)) as Vec3,
    high: ends.map(([a, b]) => Math.max(a, b)) as Vec3,
  };
}

// ---- triangles with a normal and a rim (instances.ts) at each corner

class Builder {
  private readonly position: number[] = [];
  private readonly normal: number[] = [];
  private readonly rim: number[] = [];
  private readonly index: number[] = [];

  add(x: Vec3, n: Vec3, rim: [number, number]): number {
    this.position.push(...x);
    this.normal.push(...n);
    this.rim.push(...rim);
    return this.position.length / 3 - 1;
  }
  triangle(a: number, b: number, c: number): void {
    this.index.push(a, b, c);
  }
  finish(): BufferGeometry {
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(new Float32Array(this.position), 3));
    geometry.setAttribute("normal", new BufferAttribute(new Float32Array(this.normal), 3));
    geometry.setAttribute("rim", new BufferAttribute(new Float32Array(this.rim), 2));
    geometry.setIndex(this.index);
    return geometry;
  }
}

// ---- round forms

// A point of a profile: radius, height, the normal there, and the rim across the circle.
type Profile = { r: number; z: number; nr: number; nz: number; rim: number }[];

// Circles, each joined to the next; the profile runs so that the outside is to its right.
function add_lathe(builder: Builder, profile: Profile, facets: number): void {
  const circles = profile.map(({ r, z, nr, nz, rim }) => {
    const first = builder.add([r, 0, z], [nr, 0, nz], [0, rim]);
    for (let k = 1; k <= facets; ++k) {
      const angle = (2 * Math.PI * k) / facets;
      const [c, s] = [Math.cos(angle), Math.sin(angle)];
      builder.add([r * c, r * s, z], [nr * c, nr * s, nz], [0, rim]);
    }
    return first;
  });
  for (let i = 0; i + 1 < circles.length; ++i) {
    for (let k = 0; k < facets; ++k) {
      const a = (circles[i] as number) + k;
      const b = (circles[i + 1] as number) + k;
      builder.triangle(a, a + 1, b + 1);
      builder.triangle(a, b + 1, b);
    }
  }
}

// A straight piece, with lines at its ends unless they are points.
function add_straight(builder: Builder, from: [number, number], to: [number, number], facets: number): void {
  const [dr, dz] = [to[0] - from[0], to[1] - from[1]];
  const size = Math.hypot(dr, dz) || 1;
  const [nr, nz] = [dz / size, -dr / size];
  const at = ([r, z]: [number, number], rim: number) => ({ r, z, nr, nz, rim: r > 0 ? rim : 0 });
  add_lathe(builder, [at(from, -1), at(to, 1)], facets);
}

function make_cone(bottom: number, top: number, facets: number): BufferGeometry {
  const builder = new Builder();
  if (bottom > 0) add_straight(builder, [0, -0.5], [bottom, -0.5], facets);
  add_straight(builder, [bottom, -0.5], [top, 0.5], facets);
  if (top > 0) add_straight(builder, [top, 0.5], [0, 0.5], facets);
  return builder.finish();
}

function make_ring(inner: number, facets: number): BufferGeometry {
  const builder = new Builder();
  const corners: [number, number][] = [[1, -0.5], [1, 0.5], [inner, 0.5], [inner, -0.5], [1, -0.5]];
  for (let k = 0; k < 4; ++k) {
    add_straight(builder, corners[k] as [number, number], corners[k + 1] as [number, number], facets);
  }
  return builder.finish();
}

function make_capsule(half: number, facets: number): BufferGeometry {
  const builder = new Builder();
  const bands = Math.max(4, facets >> 2);
  const profile: Profile = [];
  for (const side of [-1, 1]) {
    for (let k = 0; k <= bands; ++k) {
      const angle = (Math.PI / 2) * (side < 0 ? k / bands : 1 - k / bands);
      const [s, c] = [Math.sin(angle), Math.cos(angle)];
      profile.push({ r: s, z: side * (half + c), nr: s, nz: side * c, rim: 0 });
    }
  }
  add_lathe(builder, profile, facets);
  return builder.finish();
}

// ---- extruded outlines

const SHARP = Math.cos(Math.PI / 6); // a larger angle between two faces is an edge

function to_corners(numbers: number[]): Vector2[] {
  const corners: Vector2[] = [];
  for (let k = 0; k + 1 < numbers.length; k += 2) {
    corners.push(new Vector2(numbers[k] as number, numbers[k + 1] as number));
  }
  return corners;
}

// Anticlockwise; holes clockwise: the outside is to the right of each edge.
function make_extrusion(given: Vector2[][]): BufferGeometry {
  const loops = given.map((loop, k) => ((ShapeUtils.area(loop) < 0) !== k > 0 ? [...loop].reverse() : loop));
  const builder = new Builder();
  for (const loop of loops) add_sides(builder, loop);
  const [outline = [], ...holes] = loops;
  const corners = loops.flat();
  const faces = ShapeUtils.triangulateShape(outline, holes);
  for (const z of [-0.5, 0.5]) {
    const first = corners.map(({ x, y }) => builder.add([x, y, z], [0, 0, 2 * z], [0, 0]))[0] ?? 0;
    for (const [a = 0, b = 0, c = 0] of faces) {
      const [p, q, r] = [corners[a], corners[b], corners[c]] as [Vector2, Vector2, Vector2];
      const left = (q.x - p.x) * (r.y - p.y) - (q.y - p.y) * (r.x - p.x) > 0;
      if (left === z > 0) builder.triangle(first + a, first + b, first + c);
      else builder.triangle(first + a, first + c, first + b);
    }
  }
  return builder.finish();
}

function add_sides(builder: Builder, loop: Vector2[]): void {
  const n = loop.length;
  const corner = (k: number) => loop[(k + n) % n] as Vector2;
  const normals = loop.map((from, k) => {
    const along = corner(k + 1).clone().sub(from);
    return new Vector2(along.y, -along.x).normalize();
  });
  const normal = (k: number) => normals[(k + n) % n] as Vector2;
  const is_sharp = (k: number) => normal(k - 1).dot(normal(k)) < SHARP; // at corner k
  for (let k = 0; k < n; ++k) {
    const ends = [k, k + 1].map((at, end) => {
      const sharp = is_sharp(at);
      const other = end === 0 ? normal(k - 1) : normal(k + 1);
      const m = sharp ? normal(k) : normal(k).clone().add(other).normalize();
      const { x, y } = corner(at);
      const across = sharp ? 2 * end - 1 : 0;
      return [-0.5, 0.5].map((z) => builder.add([x, y, z], [m.x, m.y, 0], [across, 2 * z]));
    });
    const [[a, d], [b, c]] = ends as [[number, number], [number, number]];
    builder.triangle(a, b, c);
    builder.triangle(a, c, d);
  }
}

// ---- meshes

const MOST_AROUND = 64; // faces at a point; where there are more, each keeps its own normal

// Each triangle has corners of its own, whose normals are those of the faces around that are not at a
// sharp angle to it, weighted by area.
function make_mesh_geometry(mesh: PackedMesh, sign: Vec3): BufferGeometry {
  const { points, triangles } = mesh;
  const mirrored = sign[0] * sign[1] * sign[2] < 0;
  const n = triangles.length / 3;
  const x = new Float32Array(points.length);
  for (let k = 0; k < points.length; ++k) {
    const axis = (k % 3) as 0 | 1 | 2;
    x[k] = sign[axis] * (mesh.low[axis] + (points[k] as number) * mesh.step[axis]);
  }
  const corner = (f: number, k: number) => triangles[3 * f + (mirrored && k > 0 ? 3 - k : k)] as number;
  const area = new Float32Array(3 * n); // twice the area along the normal
  const begin = new Uint32Array(points.length / 3 + 1); // faces around each point
  for (let f = 0; f < n; ++f) {
    const [a, b, c] = [3 * corner(f, 0), 3 * corner(f, 1), 3 * corner(f, 2)];
    const u = [0, 1, 2].map((k) => (x[b + k] as number) - (x[a + k] as number)) as Vec3;
    const v = [0, 1, 2].map((k) => (x[c + k] as number) - (x[a + k] as number)) as Vec3;
    area[3 * f] = u[1] * v[2] - u[2] * v[1];
    area[3 * f + 1] = u[2] * v[0] - u[0] * v[2];
    area[3 * f + 2] = u[0] * v[1] - u[1] * v[0];
    for (let k = 0; k < 3; ++k) ++(begin[corner(f, k) + 1] as number);
  }
  for (let p = 1; p < begin.length; ++p) (begin[p] as number) += begin[p - 1] as number;
  const around = new Uint32Array(3 * n);
  const filled = begin.slice();
  for (let f = 0; f < n; ++f) {
    for (let k = 0; k < 3; ++k) around[(filled[corner(f, k)] as number)++] = f;
  }
  const position = new Float32Array(9 * n);
  const normal = new Float32Array(9 * n);
  const size = (f: number) => Math.hypot(area[3 * f] as number, area[3 * f + 1] as number, area[3 * f + 2] as number);
  for (let f = 0; f < n; ++f) {
    const own = size(f);
    for (let k = 0; k < 3; ++k) {
      const p = corner(f, k);
      const out = 9 * f + 3 * k;
      position.set(x.subarray(3 * p, 3 * p + 3), out);
      const sum: Vec3 = [0, 0, 0];
      const [from, to] = [begin[p] as number, begin[p + 1] as number];
      for (let i = from; i < to && to - from <= MOST_AROUND; ++i) {
        const g = around[i] as number;
        const dot = [0, 1, 2].reduce((d, j) => d + (area[3 * f + j] as number) * (area[3 * g + j] as number), 0);
        if (dot < SHARP * own * size(g)) continue;
        for (const j of [0, 1, 2] as const) sum[j] += area[3 * g + j] as number;
      }
      if (sum.every((s) => s === 0)) for (const j of [0, 1, 2] as const) sum[j] = area[3 * f + j] as number;
      const length = Math.hypot(...sum) || 1;
      for (const j of [0, 1, 2] as const) normal[out + j] = sum[j] / length;
    }
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(position, 3));
  geometry.setAttribute("normal", new BufferAttribute(normal, 3));
  geometry.setAttribute("rim", new BufferAttribute(new Float32Array(6 * n), 2));
  return geometry;
}
