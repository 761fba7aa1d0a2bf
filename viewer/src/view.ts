// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The mechanism in 3D: parts, ground, grid, gravity, trails, names; a camera that orbits, pans, zooms
// and fits.
import {
  AmbientLight, DirectionalLight, Object3D, PerspectiveCamera, Raycaster, Scene as ThreeScene,
  Vector2, Vector3, WebGLRenderer,
} from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import type { Fit, Frame, Standpoint } from "./camera";
import { find_direction, find_fit, find_frame } from "./camera";
import { find_farthest } from "./channels";
import type { Run, Vec3 } from "./data";
import { h, svg } from "./dom";
import { Grid } from "./grid";
import type { LinkMesh, PartMesh } from "./instances";
import { make_link_meshes, make_meshes } from "./instances";
import * as math from "./math";
import type { Part } from "./parts";
import { choose_joint_size, list_body_parts, list_joint_parts } from "./parts";
import { Poses } from "./pose";
import { body_color, css, line_color, on_theme, theme } from "./theme";
import type { TrailPoint } from "./trail";
import { list_trail_points, Trail } from "./trail";

export interface Shown {
  joints: boolean;
  axes: boolean;
  grid: boolean;
  gravity: boolean;
  body_names: boolean;
  joint_names: boolean;
}

interface Label {
  element: HTMLElement;
  body: number;
  point: Vec3;
}

const ANGLE = 32; // degrees, of view
const MOST_LABELS = 60;

const load = (v: Vec3) => new Vector3(v[0], v[1], v[2]);

export class View {
  readonly element: HTMLElement;
  readonly shown: Shown = {
    joints: true, axes: true, grid: true, gravity: true, body_names: false, joint_names: false,
  };
  trail_points: TrailPoint[] = [];
  trail_memory = Infinity; // s
  selected = -1; // a body
  on_select: (body: number) => void = () => {};
  failed = false; // no WebGL here

  private renderer: WebGLRenderer | null = null;
  private readonly scene = new ThreeScene();
  private readonly camera = new PerspectiveCamera(ANGLE, 1, 0.1, 100);
  private controls: OrbitControls | null = null;
  private readonly canvas: HTMLCanvasElement;
  private readonly labels_box = h("div", { class: "labels", "aria-hidden": "true" });
  private readonly triad: { line: SVGElement; text: SVGElement; axis: Vec3 }[] = [];

  private poses: Poses | null = null;
  private meshes: PartMesh[] = [];
  private links: LinkMesh[] = [];
  private frame: Frame | null = null;
  private grid: Grid | null = null;
  private labels: Label[] = [];
  private trails: Trail[] = [];
  private t = 0;
  private run: Run | null = null;
  private touched = false; // the reader has moved the camera
  private width = 0; // of the picture, CSS pixels
  private height = 0;

  // `request` asks for a frame.
  constructor(private readonly request: () => void) {
    this.canvas = h("canvas", {
      tabindex: 0,
      class: "canvas",
      role: "img",
      "aria-label": "The mechanism in 3D. Arrow keys turn it, plus and minus zoom, F fits.",
    });
    this.element = h("div", { class: "view" }, this.canvas, this.labels_box, this.make_triad());
    try {
      this.renderer = new WebGLRenderer({ canvas: this.canvas, antialias: true, alpha: true });
    } catch {
      this.failed = true;
      this.canvas.remove();
      this.element.append(
        h("p", { class: "view-message" }, "This browser cannot draw in 3D (WebGL is missing or turned off)."),
      );
      return;
    }
    this.renderer.debug.checkShaderErrors = false; // asking would wait for the graphics card
    this.renderer.setPixelRatio(Math.min(2, devicePixelRatio));
    this.controls = new OrbitControls(this.camera, this.canvas);
    this.controls.addEventListener("change", () => this.request());
    this.controls.addEventListener("start", () => (this.touched = true));
    this.scene.add(new AmbientLight(0xffffff, 1.5));
    const light = new DirectionalLight(0xffffff, 2.1);
    light.position.set(0.4, 0.9, 1);
    this.camera.add(light);
    this.scene.add(this.camera);
    this.canvas.addEventListener("keydown", (event) => this.on_key(event));
    this.add_picking();
    new ResizeObserver(() => this.on_resize()).observe(this.element);
    on_theme(() => this.paint());
  }

  // ---- what is shown

  set_run(run: Run): void {
    const first = this.run === null;
    this.run = run;
    this.trail_points = [];
    if (!this.renderer) return;
    for (const object of [...this.scene.children]) {
      if (object !== this.camera && !(object instanceof AmbientLight)) this.scene.remove(object);
    }
    this.poses = new Poses(run);
    const s = choose_joint_size(run);
    const up = math.scale(1, find_frame(run, []).up);
    const drawing = list_joint_parts(run, s, math.scale(-1, up));
    const parts = [...list_body_parts(run, s), ...drawing.parts];
    this.frame = find_frame(run, parts, drawing.links);
    parts.push(...this.make_gravity_parts(run));
    this.meshes = make_meshes(parts);
    this.links = make_link_meshes(drawing.links);
    for (const { mesh } of [...this.meshes, ...this.links]) this.scene.add(mesh);
    this.add_grid(run);
    this.make_labels(run);
    this.set_trails(this.choose_first_trail(run));
    this.paint();
    if (first || !this.touched) this.fit("default");
    this.element.classList.toggle("empty", run.picture_rows === 0);
  }

  // The body that goes farthest.
  private choose_first_trail(run: Run): TrailPoint[] {
    const body = find_farthest(run);
    const name = run.scene.bodies[body]?.name;
    const first = name === undefined ? undefined : list_trail_points(run)[body];
    return first ? [first] : [];
  }

  set_trails(points: TrailPoint[]): void {
    this.trail_points = points;
    for (const trail of this.trails) {
      this.scene.remove(trail.mesh);
      trail.dispose();
    }
    const run = this.run;
    this.trails = run && this.renderer ? points.map((point) => new Trail(run, point)) : [];
    this.trails.forEach((trail, k) => {
      trail.set_color(line_color(k));
      this.scene.add(trail.mesh);
    });
    this.request();
  }

  show_layers(): void {
    for (const entry of [...this.meshes, ...this.links]) {
      const { layer, mesh } = entry;
      mesh.visible =
        layer === "axis" ? this.shown.axes && this.shown.joints
        : layer === "joint" || layer === "support" ? this.shown.joints
        : layer === "gravity" ? this.shown.gravity
        : true;
    }
    if (this.grid) this.grid.mesh.visible = this.shown.grid;
    for (const label of this.labels) {
      const { kind } = label.element.dataset;
      label.element.hidden =
        kind === "gravity" ? !this.shown.gravity
        : kind === "joint" ? !this.shown.joint_names
        : !this.shown.body_names;
    }
    this.request();
  }

  select(body: number): void {
    this.selected = body;
    this.paint();
    this.on_select(body);
  }

  // Colours, after a change of theme or selection.
  private paint(): void {
    const color_of = (part: Part): string => {
      if (part.layer === "body") {
        return part.body === this.selected ? css("--selected") : body_color(part.color);
      }
      if (part.layer === "gravity") return css("--gravity");
      if (part.layer === "axis") return css("--axis");
      if (part.layer === "support") return css("--support");
      return css("--joint");
    };
    for (const mesh of this.meshes) mesh.set_colors(color_of);
    for (const link of this.links) link.set_color(css("--joint"));
    this.grid?.set_color(css("--grid-3d"));
    this.trails.forEach((trail, k) => trail.set_color(line_color(k)));
    const ambient = this.scene.children.find((object) => object instanceof AmbientLight);
    if (ambient) (ambient as AmbientLight).intensity = theme() === "dark" ? 1.2 : 1.6;
    this.show_layers();
  }

  // ---- ground and gravity

  private add_grid(run: Run): void {
    const { low, high, up } = this.frame as Frame;
    const center = math.scale(0.5, math.add(low, high));
    const half = math.scale(0.5, math.subtract(high, low));
    const extent = math.length(half);
    const planar = run.scene.dimension === 2;
    const normal: Vec3 = planar ? [0, 0, 1] : up;
    // below everything; a planar mechanism has it behind
    const depth = (half.map((x, k) => x * Math.abs(normal[k] as number)) as Vec3).reduce((a, b) => a + b);
    const margin = planar ? 0.35 * extent : 0.1 * extent;
    const plane_point = math.subtract(center, math.scale(depth + margin, normal));
    const turn = math.turn_z_to(normal);
    const x_axis = math.rotate(turn, [1, 0, 0]);
    const y_axis = math.rotate(turn, [0, 1, 0]);
    const from_origin = math.add(plane_point, run.head.origin);
    const cell = math.nice_below(extent / 4 || 1);
    this.grid = new Grid(
      cell, 3.2 * extent || 5, math.dot(from_origin, x_axis), math.dot(from_origin, y_axis),
    );
    const object: Object3D = this.grid.mesh;
    object.position.copy(load(plane_point));
    object.quaternion.set(turn[1], turn[2], turn[3], turn[0]);
    this.scene.add(object);
  }

  private gravity_place: Vec3 = [0, 0, 0];

  private make_gravity_parts(run: Run): Part[] {
    const { low, high, up } = this.frame as Frame;
    if (math.length(run.scene.gravity) === 0) return [];
    const extent = math.length(math.subtract(high, low)) / 2;
    const l = 0.3 * extent;
    const down = math.scale(-1, up);
    const half = math.scale(0.5, math.subtract(high, low));
    const center = math.scale(0.5, math.add(low, high));
    // beside the mechanism, on the left of the picture at first sight
    const eye = find_direction(run, this.frame as Frame, "default");
    const left = math.normalised(math.cross(eye, up));
    const reach = half.map((x, k) => Math.abs(x * (left[k] as number))).reduce((a, b) => a + b);
    const at = math.add(center, math.scale(reach + 0.1 * extent, left));
    const tip = math.add(at, math.scale(l / 2, down));
    const tail = math.add(at, math.scale(-l / 2, down));
    this.gravity_place = math.add(tail, run.head.origin);
    (this.frame as Frame).points.push(tip, tail);
    const w = 0.012 * extent;
    const base = { layer: "gravity" as const, body: -1, color: -1 };
    const place = (x: Vec3) => math.add(x, run.head.origin);
    const turn = math.turn_z_to(down);
    return [
      { ...base, form: "cylinder", orientation: turn, size: [w, w, 0.75 * l],
        position: place(math.add(tail, math.scale(0.375 * l, down))) },
      { ...base, form: "cone", orientation: turn, size: [3.2 * w, 3.2 * w, 0.28 * l],
        position: place(tip) },
    ];
  }

  // ---- names

  private make_labels(run: Run): void {
    const make = (text: string, kind: string, body: number, point: Vec3): Label => ({
      element: h("span", { class: `label ${kind}`, "data-kind": kind }, text),
      body,
      point,
    });
    this.labels = [
      ...run.scene.bodies.slice(0, MOST_LABELS).map((body, b) => make(body.name, "body", b, [0, 0, 0])),
      ...run.scene.joints
        .slice(0, MOST_LABELS)
        .map((joint) => {
          // a slider is drawn at the centre of the body that slides
          const slides = joint.kind === "translational";
          const body = slides && joint.body_j < 0 ? joint.body_i : joint.body_j;
          return make(joint.name, "joint", body, slides ? [0, 0, 0] : joint.point_j);
        }),
    ];
    if (math.length(run.scene.gravity) > 0) this.labels.push(make("g", "gravity", -1, this.gravity_place));
    this.labels_box.replaceChildren(...this.labels.map((label) => label.element));
  }

  private place_labels(): void {
    const { width, height } = this;
    const projected = new Vector3();
    for (const label of this.labels) {
      if (label.element.hidden) continue;
      const x = (this.poses as Poses).place(label.body, label.point, [0, 0, 0]);
      projected.set(x[0], x[1], x[2]).project(this.camera);
      const left = ((projected.x + 1) / 2) * width;
      const top = ((1 - projected.y) / 2) * height;
      label.element.style.transform = `translate(${left.toFixed(1)}px, ${top.toFixed(1)}px)`;
    }
  }

  // The directions of the world's axes, in the corner.
  private make_triad(): Element {
    const root = svg("svg", { viewBox: "-32 -32 64 64", class: "triad", "aria-hidden": "true" });
    (["x", "y", "z"] as const).forEach((name, k) => {
      const axis: Vec3 = [0, 0, 0];
      axis[k as 0 | 1 | 2] = 1;
      const line = svg("line", { x1: 0, y1: 0, class: `axis-${name}` });
      const text = svg("text", { class: "triad-name" });
      text.textContent = name;
      root.append(line, text);
      this.triad.push({ line, text, axis });
    });
    return root;
  }

  private place_triad(): void {
    const direction = new Vector3();
    for (const { line, text, axis } of this.triad) {
      direction.set(axis[0], axis[1], axis[2]).transformDirection(this.camera.matrixWorldInverse);
      line.setAttribute("x2", (20 * direction.x).toFixed(1));
      line.setAttribute("y2", (-20 * direction.y).toFixed(1));
      text.setAttribute("x", (27 * direction.x).toFixed(1));
      text.setAttribute("y", (-27 * direction.y + 3.5).toFixed(1));
    }
  }

  // ---- camera

  fit(from: Standpoint | "current"): void {
    if (!this.run || !this.frame || !this.controls) return;
    const direction: Vec3 =
      from === "current"
        ? (this.camera.position.clone().sub(this.controls.target).toArray() as Vec3)
        : find_direction(this.run, this.frame, from);
    const { up } = this.frame;
    const aspect = this.camera.aspect;
    const fit: Fit = find_fit(this.frame, direction, up, (ANGLE / 2) * (Math.PI / 180), aspect);
    this.camera.up.copy(load(up));
    // the controls take their up from the camera when they are made
    this.controls.dispose();
    this.controls = new OrbitControls(this.camera, this.canvas);
    this.controls.addEventListener("change", () => this.request());
    this.controls.addEventListener("start", () => (this.touched = true));
    this.controls.target.copy(load(fit.target));
    const eye = math.add(fit.target, math.scale(fit.distance, math.normalised(direction)));
    this.camera.position.copy(load(eye));
    this.controls.update();
    this.request();
  }

  turn(across: number, above: number): void {
    if (!this.controls) return;
    this.touched = true;
    const { target } = this.controls;
    const arm = this.camera.position.clone().sub(target);
    const { up } = this.camera;
    arm.applyAxisAngle(up, across);
    const right = new Vector3().crossVectors(up, arm).normalize();
    const next = arm.clone().applyAxisAngle(right, above);
    const angle = next.angleTo(up);
    if (angle > 0.05 && angle < Math.PI - 0.05) arm.copy(next);
    this.camera.position.copy(target).add(arm);
    this.controls.update();
    this.request();
  }

  zoom(factor: number): void {
    if (!this.controls) return;
    this.touched = true;
    const { target } = this.controls;
    this.camera.position.sub(target).multiplyScalar(factor).add(target);
    this.controls.update();
    this.request();
  }

  private on_key(event: KeyboardEvent): void {
    const actions: Record<string, () => void> = {
      ArrowLeft: () => this.turn(-0.12, 0),
      ArrowRight: () => this.turn(0.12, 0),
      ArrowUp: () => this.turn(0, -0.1),
      ArrowDown: () => this.turn(0, 0.1),
      "+": () => this.zoom(1 / 1.15),
      "=": () => this.zoom(1 / 1.15),
      "-": () => this.zoom(1.15),
    };
    const action = actions[event.key];
    if (!action || event.ctrlKey || event.metaKey || event.altKey) return;
    action();
    event.preventDefault();
    event.stopPropagation();
  }

  // A click on a body chooses it, a click beside it none.
  private add_picking(): void {
    let from = [0, 0];
    this.canvas.addEventListener("pointerdown", (event) => (from = [event.clientX, event.clientY]));
    this.canvas.addEventListener("click", (event) => {
      if (Math.hypot(event.clientX - (from[0] ?? 0), event.clientY - (from[1] ?? 0)) > 4) return;
      const box = this.canvas.getBoundingClientRect();
      const at = new Vector2(
        (2 * (event.clientX - box.left)) / box.width - 1,
        1 - (2 * (event.clientY - box.top)) / box.height,
      );
      this.select(this.find_body(at));
    });
  }

  private find_body(at: Vector2): number {
    const ray = new Raycaster();
    ray.setFromCamera(at, this.camera);
    let nearest = Infinity;
    let body = -1;
    for (const { mesh, layer, parts } of this.meshes) {
      if (layer !== "body") continue;
      mesh.boundingSphere = null; // of the last time it was asked
      for (const hit of ray.intersectObject(mesh)) {
        if (hit.distance < nearest && hit.instanceId !== undefined) {
          nearest = hit.distance;
          body = parts[hit.instanceId]?.body ?? -1;
        }
      }
    }
    return body;
  }

  // ---- frames

  private on_resize(): void {
    const width = (this.width = this.element.clientWidth);
    const height = (this.height = this.element.clientHeight);
    if (!this.renderer || width === 0 || height === 0) return;
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    if (!this.touched) this.fit("default");
    this.request();
  }

  show(t: number): void {
    this.t = t;
    this.draw();
  }

  private draw(): void {
    const { renderer, poses, controls } = this;
    if (!renderer || !poses || !controls || this.width === 0) return;
    poses.set_time(this.t);
    for (const mesh of this.meshes) if (mesh.mesh.visible) mesh.update(poses);
    for (const link of this.links) if (link.mesh.visible) link.update(poses);
    const size = renderer.getDrawingBufferSize(new Vector2());
    const memory = Math.min(this.trail_memory, Math.max(1e-9, this.run?.t_end ?? 1));
    for (const trail of this.trails) {
      trail.update(this.t, memory, size.x, size.y, renderer.getPixelRatio());
    }
    const distance = this.camera.position.distanceTo(controls.target);
    const reach = this.frame ? math.length(math.subtract(this.frame.high, this.frame.low)) : 1;
    this.camera.near = Math.max(1e-3 * distance, distance - 4 * reach);
    this.camera.far = distance + 6 * reach;
    this.camera.updateProjectionMatrix();
    renderer.render(this.scene, this.camera);
    this.place_labels();
    this.place_triad();
  }

  make_picture(done: (blob: Blob | null) => void): void {
    this.draw();
    this.canvas.toBlob(done);
  }

  // Where a body is now, in the world.
  place_of(body: number): Vec3 | null {
    const run = this.run;
    if (!this.poses || !run || body < 0 || body >= run.n_bodies) return null;
    return math.add(this.poses.place(body, [0, 0, 0], [0, 0, 0]), run.head.origin);
  }
}
