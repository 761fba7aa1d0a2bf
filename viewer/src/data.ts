// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// What the program wrote into the page: a JSON object (names, scene, summary) and, for each run, a
// block of little-endian numbers in base64 with a table of its arrays. Written by src/page.

export type Vec3 = [number, number, number];
export type Quaternion = [number, number, number, number]; // scalar first

// size: box: three edges; cylinder, capsule: radius, length along z; sphere: radius; cone: radius, top, length;
// ring: radius, inner radius, length; extrusion: length; mesh: scale of the axes, negative where mirrored.
export interface SceneShape {
  kind: "box" | "cylinder" | "sphere" | "capsule" | "cone" | "ring" | "extrusion" | "mesh";
  size: number[];
  loops?: number[][]; // of an extrusion: outline and holes as x, y, x, y, …
  mesh?: number; // into the meshes of the page
  position: Vec3;
  orientation: Quaternion;
  color?: Vec3; // red, green, blue of sRGB, 0 … 1; without it that of the body
  opacity?: number; // 0 … 1; without it 1
}
export interface SceneBody {
  name: string;
  mass: number;
  shapes: SceneShape[];
  inertia_shape: boolean;
}
export interface SceneJoint {
  name: string;
  kind: string;
  body_i: number; // −1: the ground
  body_j: number;
  point_i: Vec3;
  point_j: Vec3;
  axis_i: Vec3;
  axis_j: Vec3;
}
// A force element or a driver, as it is drawn.
export interface SceneElement {
  name: string;
  kind: string; // the word of the model file
  shape: "line" | "joint" | "point" | "bushing" | "body";
  joint: number; // into joints, −1 where it acts at none
  body_i: number; // −1: the ground
  body_j: number;
  point_i: Vec3; // m, in the frame of its body
  point_j: Vec3;
  axis: Vec3; // unit vector in body j; zero if there is none
  orientation: Quaternion; // axes of a bushing to body i
  free_length: number;
}
export interface ScenePoint {
  name: string;
  body: number;
  point: Vec3;
}
export interface Scene {
  dimension: number;
  gravity: Vec3;
  length: number;
  bodies: SceneBody[];
  joints: SceneJoint[];
  forces: SceneElement[];
  drivers: SceneElement[];
  points: ScenePoint[];
}

// The JSON summary of a run (docs/reference/results.md); what is not a finite number is null.
export interface Summary {
  status: string;
  t: number | null;
  message: string;
  method_choice?: string; // with method auto: what made the steps, and why
  warnings: string[];
  steps: { accepted: number; rejected: number };
  counts: Record<string, number | null>;
  cpu_seconds: Record<string, number | null>;
  violation: Record<string, number | null>;
  energy: Record<string, number | null>;
  worst_row: { position: string; velocity: string };
  degrees_of_freedom: number;
  events?: Record<string, { count: number; times: number[] }>; // of models with events
  options: Record<string, unknown>;
  model: string;
  version: string;
}

interface ArrayEntry {
  type: "f32" | "f64" | "u32" | "u16" | "u8";
  offset: number; // bytes
  length: number; // elements
}
// An array whose columns have names of their own: coordinates of joints, loads of drivers.
export interface NamedTable {
  array: string;
  names: string[];
  units: string[];
}
export interface RunHead {
  label: string;
  summary: Summary; // in the page a text of its own
  report: string;
  model_text: string;
  check: { bodies: number; joints: number; rows: number; rank: number };
  scene: Scene;
  tables: NamedTable[];
  rows: number; // output rows of the run
  thinning: number; // every so many of them has positions and reactions in the page
  origin: Vec3; // m, what positions in the page are measured from
  arrays: Record<string, ArrayEntry>;
}
export interface PaperFigure {
  model: string;
  variant: string;
  energy: boolean;
  run: number; // into runs
}
// Of a file: points on a grid of 65536 cells along each axis, x = low + step · k.
interface MeshHead {
  file: string;
  low: Vec3;
  step: Vec3;
  points: ArrayEntry;
  triangles: ArrayEntry;
}
export interface PackedMesh {
  low: Vec3;
  step: Vec3;
  points: Uint16Array; // three numbers each
  triangles: Uint16Array | Uint32Array; // three points each, anticlockwise seen from outside
}
export interface PageHead {
  kind: "run" | "paper";
  version: string;
  runs: RunHead[];
  meshes: MeshHead[];
  figures?: PaperFigure[];
  tables?: string; // Markdown
}

export type Numbers = Float64Array | Float32Array | Uint8Array;

function decode_base64(text: string): Uint8Array {
  const modern = Uint8Array as unknown as { fromBase64?: (text: string) => Uint8Array };
  if (modern.fromBase64) return modern.fromBase64(text);
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; ++i) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

// One run: the columns as they are in the page, positions measured from `origin`.
export class Run {
  readonly time: Float64Array; // s, of all rows
  readonly motion_time: Float64Array; // s, of the rows that have positions
  readonly position: Float32Array; // [rows × bodies × 3] m
  readonly orientation: Float32Array; // [rows × bodies × 4]
  readonly step_time: Float64Array;

  constructor(
    readonly head: RunHead,
    readonly index: number,
    private readonly buffer: ArrayBuffer,
    readonly meshes: PackedMesh[], // of the page
  ) {
    this.time = this.array("time") as Float64Array;
    this.motion_time = this.array("motion_time") as Float64Array;
    this.position = this.array("position") as Float32Array;
    this.orientation = this.array("orientation") as Float32Array;
    this.step_time = this.array("step_time") as Float64Array;
  }

  get scene(): Scene {
    return this.head.scene;
  }
  get n_bodies(): number {
    return this.head.scene.bodies.length;
  }
  // Rows from which a picture can be drawn: what is recorded can be chosen.
  get picture_rows(): number {
    const complete = this.position.length > 0 && this.orientation.length > 0;
    return complete ? this.motion_time.length : 0;
  }
  get t_end(): number {
    return this.time.length > 0 ? (this.time[this.time.length - 1] as number) : 0;
  }
  get label(): string {
    return this.head.label;
  }
  // A letter for places where a label would be too long.
  get letter(): string {
    return this.index < 26 ? String.fromCharCode(65 + this.index) : String(this.index + 1);
  }

  // A view into the block, nothing is copied; empty where the page has no such array.
  array(name: string): Numbers {
    const entry = this.head.arrays[name];
    if (!entry) return new Float64Array(0);
    if (entry.type === "f64") return new Float64Array(this.buffer, entry.offset, entry.length);
    if (entry.type === "f32") return new Float32Array(this.buffer, entry.offset, entry.length);
    return new Uint8Array(this.buffer, entry.offset, entry.length);
  }
}

export interface Page {
  head: PageHead;
  runs: Run[];
}

// The numbers of an element with base64, which is removed: half of the page's memory.
function take_block(id: string): ArrayBuffer {
  const element = document.getElementById(id);
  const bytes = decode_base64((element?.textContent ?? "").trim());
  element?.remove();
  return bytes.buffer as ArrayBuffer;
}

function read_meshes(heads: MeshHead[]): PackedMesh[] {
  if (heads.length === 0) return [];
  const buffer = take_block("page-data-meshes");
  const take = ({ type, offset, length }: ArrayEntry) =>
    type === "u32" ? new Uint32Array(buffer, offset, length) : new Uint16Array(buffer, offset, length);
  return heads.map(({ low, step, points, triangles }) => ({
    low, step, points: take(points) as Uint16Array, triangles: take(triangles),
  }));
}

export function read_page(): Page {
  const text = (id: string) => document.getElementById(id)?.textContent ?? "";
  const head = JSON.parse(text("page-head")) as PageHead;
  const meshes = read_meshes(head.meshes);
  const runs = head.runs.map((run, index) => {
    run.summary = JSON.parse(run.summary as unknown as string) as Summary;
    return new Run(run, index, take_block(`page-data-${index}`), meshes);
  });
  return { head, runs };
}

// The last index with values[i] <= x; 0 before the first.
export function find_index(values: ArrayLike<number>, x: number): number {
  let low = 0;
  let high = values.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((values[middle] as number) <= x) low = middle;
    else high = middle - 1;
  }
  return low;
}

// The index whose value is nearest to x.
export function find_nearest(values: ArrayLike<number>, x: number): number {
  const i = find_index(values, x);
  if (i + 1 >= values.length) return i;
  return x - (values[i] as number) <= (values[i + 1] as number) - x ? i : i + 1;
}
