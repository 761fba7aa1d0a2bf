// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The path of a point of a body up to the time shown, fading with age: a ribbon of constant width on
// the screen.
import { BufferAttribute, BufferGeometry, Color, Mesh, ShaderMaterial, Vector2 } from "three";
import { point_at } from "./channels";
import type { Run, Vec3 } from "./data";

export interface TrailPoint {
  label: string;
  body: number;
  point: Vec3; // in the body's frame
  named?: boolean; // a point of the model
}

const MOST_POINTS = 4000;

const VERTEX = `
  attribute vec3 before;
  attribute vec3 after;
  attribute float side;
  attribute float stamp;
  uniform vec2 resolution;
  uniform float width;
  varying float v_stamp;
  void main() {
    mat4 m = projectionMatrix * modelViewMatrix;
    vec4 here = m * vec4(position, 1.0);
    vec4 a = m * vec4(before, 1.0);
    vec4 b = m * vec4(after, 1.0);
    vec2 along = (b.xy / b.w - a.xy / a.w) * resolution;
    float size = length(along);
    vec2 normal = size > 1e-6 ? vec2(-along.y, along.x) / size : vec2(0.0, 1.0);
    here.xy += side * normal * width / resolution * here.w;
    v_stamp = stamp;
    gl_Position = here;
  }`;

const FRAGMENT = `
  uniform vec3 color;
  uniform float now;
  uniform float memory;
  varying float v_stamp;
  void main() {
    float age = now - v_stamp;
    if (age < 0.0 || age > memory) discard;
    gl_FragColor = vec4(color, 0.15 + 0.75 * (1.0 - age / memory));
    #include <colorspace_fragment>
  }`;

export class Trail {
  readonly mesh: Mesh<BufferGeometry, ShaderMaterial>;

  constructor(run: Run, readonly trail_point: TrailPoint) {
    const material = new ShaderMaterial({
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      transparent: true,
      depthWrite: false,
      side: 2, // both
      uniforms: {
        resolution: { value: new Vector2(1, 1) },
        width: { value: 2 },
        color: { value: new Color() },
        now: { value: 0 },
        memory: { value: 1 },
      },
    });
    this.mesh = new Mesh(make_ribbon(run, trail_point), material);
    this.mesh.frustumCulled = false;
  }

  set_color(hex: string): void {
    (this.mesh.material.uniforms.color as { value: Color }).value.set(hex);
  }

  update(t: number, memory: number, width: number, height: number, ratio: number): void {
    const uniforms = this.mesh.material.uniforms as Record<string, { value: unknown }>;
    (uniforms.now as { value: unknown }).value = t;
    (uniforms.memory as { value: unknown }).value = memory;
    ((uniforms.resolution as { value: Vector2 }).value).set(width, height);
    (uniforms.width as { value: unknown }).value = 2.2 * ratio;
  }

  dispose(): void {
    this.mesh.geometry.dispose();
    this.mesh.material.dispose();
  }
}

// Two vertices for each point of the path, one on either side.
function make_ribbon(run: Run, { body, point }: TrailPoint): BufferGeometry {
  const rows = run.picture_rows;
  const stride = Math.max(1, Math.ceil(rows / MOST_POINTS));
  const picked: number[] = [];
  for (let i = 0; i < rows; i += stride) picked.push(i);
  if (rows > 0 && picked[picked.length - 1] !== rows - 1) picked.push(rows - 1);
  const n = picked.length;
  const path = picked.map((row) => point_at(run, row, body, point));
  const here = new Float32Array(6 * n), before = new Float32Array(6 * n);
  const after = new Float32Array(6 * n);
  const side = new Float32Array(2 * n), stamp = new Float32Array(2 * n);
  const index = new Uint32Array(Math.max(0, 6 * (n - 1)));
  for (let k = 0; k < n; ++k) {
    for (let s = 0; s < 2; ++s) {
      const at = 6 * k + 3 * s;
      here.set(path[k] as Vec3, at);
      before.set(path[Math.max(0, k - 1)] as Vec3, at);
      after.set(path[Math.min(n - 1, k + 1)] as Vec3, at);
      side[2 * k + s] = s === 0 ? -1 : 1;
      stamp[2 * k + s] = run.motion_time[picked[k] as number] as number;
    }
    if (k + 1 < n) {
      const v = 2 * k;
      index.set([v, v + 1, v + 2, v + 2, v + 1, v + 3], 6 * k);
    }
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(here, 3));
  geometry.setAttribute("before", new BufferAttribute(before, 3));
  geometry.setAttribute("after", new BufferAttribute(after, 3));
  geometry.setAttribute("side", new BufferAttribute(side, 1));
  geometry.setAttribute("stamp", new BufferAttribute(stamp, 1));
  geometry.setIndex(new BufferAttribute(index, 1));
  return geometry;
}

// What a trail can be drawn of: named points, the centres of the bodies and the points of their joints.
export function list_trail_points(run: Run): TrailPoint[] {
  const points: TrailPoint[] = run.scene.points.map(({ name, body, point }) => ({
    label: `${name} (point)`, body, point, named: true,
  }));
  run.scene.bodies.forEach((body, b) => points.push({ label: body.name, body: b, point: [0, 0, 0] }));
  for (const joint of run.scene.joints) {
    for (const [body, point] of [
      [joint.body_j, joint.point_j],
      [joint.body_i, joint.point_i],
    ] as const) {
      if (body >= 0) {
        points.push({ label: `${joint.name} (joint)`, body, point });
        break;
      }
    }
  }
  return points;
}

// The path of the centre of a body: its length and the diagonal of the box around it, m.
function measure_path(run: Run, body: number): { path: number; box: number } {
  const rows = run.picture_rows;
  const stride = Math.max(1, Math.floor(rows / 2000));
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  let path = 0;
  let last: Vec3 | null = null;
  for (let i = 0; i < rows; i += stride) {
    const x = point_at(run, i, body, [0, 0, 0]);
    if (last) path += Math.hypot(x[0] - last[0], x[1] - last[1], x[2] - last[2]);
    last = x;
    x.forEach((value, k) => {
      low[k] = Math.min(low[k] as number, value);
      high[k] = Math.max(high[k] as number, value);
    });
  }
  return { path, box: rows > 0 ? Math.hypot(...high.map((x, k) => x - (low[k] as number))) : 0 };
}

// At first: the first named point of the model; else the body that goes farthest, one of many alike
// (rod_1 … rod_6) only where the others hardly move.
export function choose_first_trail(run: Run): TrailPoint[] {
  const points = list_trail_points(run);
  const named = points.find((point) => point.named);
  if (named) return [named];
  let best: TrailPoint | undefined;
  let largest = 0;
  run.scene.bodies.forEach(({ name }, b) => {
    const { box } = measure_path(run, b);
    const alike = /\d$/.test(name) && run.n_bodies > 3;
    const score = alike ? 0.35 * box : box;
    if (score > largest) {
      largest = score;
      best = points.find((point) => point.body === b);
    }
  });
  return best ? [best] : [];
}

// How much of a trail is shown at first, s: some six times the size of the figure it draws.
export function choose_memory(run: Run, point: TrailPoint | undefined): number {
  if (!point) return Infinity;
  const { path, box } = measure_path(run, point.body);
  return path > 8 * box && box > 0 ? (run.t_end * 6 * box) / path : Infinity;
}
