// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The mechanism in 3D: parts, ghosts, arrows of loads, ground, trails, names; what of it is seen and what
// is picked.
import {
  DirectionalLight, HemisphereLight, Object3D, Raycaster, Scene as ThreeScene, Vector2, Vector3, WebGLRenderer,
} from "three";
import type { OrthographicCamera, PerspectiveCamera } from "three";
import type { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { Arrows } from "./arrows";
import type { Frame, Standpoint } from "./camera";
import { find_frame } from "./camera";
import { BodyColors } from "./colors";
import type { Run, Vec3 } from "./data";
import { h } from "./dom";
import { list_element_parts } from "./elements";
import { Eye } from "./eye";
import { Ghost, is_same_mechanism } from "./ghosts";
import { Grid } from "./grid";
import type { LinkMesh, Mode, PartMesh } from "./instances";
import { make_link_meshes, make_meshes } from "./instances";
import type { Item } from "./items";
import { list_items, make_key } from "./items";
import type { Label } from "./labels";
import { make_label, place_labels } from "./labels";
import type { Largest, Load } from "./loads";
import { calc_load, find_largest, list_loads } from "./loads";
import * as math from "./math";
import type { Layer, Link, Part } from "./parts";
import { list_body_parts, list_joint_parts, SymbolSizes } from "./parts";
import { Poses } from "./pose";
import { Shadow } from "./shadow";
import { css, line_color, on_theme, theme } from "./theme";
import type { TrailPoint } from "./trail";
import { choose_first_trail, choose_memory, Trail } from "./trail";
import { Triad } from "./triad";

export interface Shown {
  joints: boolean;
  axes: boolean;
  forces: boolean;
  loads: boolean;
  grid: boolean;
  shadow: boolean;
  body_names: boolean;
  joint_names: boolean;
  force_names: boolean;
}

const MOST_LABELS = 120; // of each kind
const MOST_ARROWS = 2000;

const load = (v: Vec3) => new Vector3(v[0], v[1], v[2]);

export class View {
  readonly element: HTMLElement;
  readonly shown: Shown = {
    joints: true, axes: true, forces: true, loads: false, grid: true, shadow: true,
    body_names: false, joint_names: false, force_names: false,
  };
  trail_points: TrailPoint[] = [];
  trail_memory = Infinity; // s
  auto_memory = Infinity; // s, what suits the first trail
  selected = ""; // key of an item
  followed = -1; // a body that the camera goes with
  readonly hidden = new Set<string>(); // keys of items
  readonly faint = new Set<string>();
  readonly loaded = new Set<string>(); // items whose loads are shown though loads are off
  isolated: Set<string> | null = null;
  readonly ghost_hidden = new Set<number>(); // runs
  show_ghosts = true;
  load_scale = 1;
  items: Item[] = [];
  on_select: (key: string) => void = () => {};
  on_change: () => void = () => {}; // of hidden, faint, isolated, followed, loaded
  failed = false; // no WebGL here

  private renderer: WebGLRenderer | null = null;
  private readonly scene = new ThreeScene();
  private readonly eye: Eye;
  private readonly sky = new HemisphereLight(0xffffff, 0xa9b3bd, 1.6);
  private readonly light = new DirectionalLight(0xffffff, 2.1);
  private readonly canvas: HTMLCanvasElement;
  private readonly labels_box = h("div", { class: "labels", "aria-hidden": "true" });
  private readonly triad = new Triad();

  private poses: Poses | null = null;
  private parts: Part[] = [];
  private part_links: Link[] = [];
  private meshes: PartMesh[] = [];
  private links: LinkMesh[] = [];
  private frame: Frame | null = null;
  private sizes: SymbolSizes | null = null;
  private grid: Grid | null = null;
  private shadow: Shadow | null = null;
  private shadow_stale = true;
  private labels: Label[] = [];
  private trails: Trail[] = [];
  private ghosts: Ghost[] = [];
  private colors: BodyColors | null = null;
  private loads: Load[] = [];
  private largest: { force: Largest; torque: Largest } | null = null;
  private arrows: Arrows | null = null;
  private t = 0;
  private drawn_t = NaN;
  private run: Run | null = null;
  private runs: Run[] = [];
  private last_place: Vec3 | null = null; // of the body that is followed
  private width = 0; // of the picture, CSS pixels
  private height = 0;

  // `request` asks for a frame.
  constructor(private readonly request: () => void) {
    this.canvas = h("canvas", {
      tabindex: 0,
      class: "canvas",
      role: "img",
      "aria-label": "The mechanism in 3D. Arrow keys rotate it, plus and minus zoom, F fits.",
    });
    this.element = h("div", { class: "view" }, this.canvas, this.labels_box, this.triad.element);
    this.eye = new Eye(this.canvas, request);
    try {
      this.renderer = new WebGLRenderer({ canvas: this.canvas, antialias: true, alpha: true, stencil: true });
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
    this.scene.add(this.sky, this.light);
    this.add_picking();
    new ResizeObserver(() => this.on_resize()).observe(this.element);
    on_theme(() => this.paint());
  }

  // ---- what is shown

  // `others` can be seen as ghosts.
  set_run(run: Run, others: Run[] = []): void {
    const first = this.run === null;
    const same = this.run !== null && is_same_mechanism(this.run, run);
    this.run = run;
    this.runs = [run, ...others.filter((other) => other !== run && other.picture_rows > 0)];
    this.trail_points = same ? this.trail_points : [];
    this.items = list_items(run);
    if (!same) this.forget();
    if (!this.renderer) return;
    this.clear_scene();
    this.poses = new Poses(run);
    this.colors = new BodyColors(run);
    const sizes = new SymbolSizes(run);
    this.sizes = sizes;
    const up = find_frame(run, []).up;
    this.sky.position.copy(load(up));
    const drawing = list_joint_parts(run, sizes, math.scale(-1, up));
    const elements = list_element_parts(run, sizes);
    this.parts = [...list_body_parts(run, sizes), ...drawing.parts, ...elements.parts];
    this.part_links = [...drawing.links, ...elements.links];
    this.make_ghosts();
    this.frame = this.find_whole_frame();
    this.triad.set_gravity(run.scene.gravity);
    this.loads = list_loads(run);
    this.largest = null;
    const extent = math.length(math.subtract(this.frame.high, this.frame.low));
    this.arrows = new Arrows(Math.min(MOST_ARROWS, 2 * this.loads.length + 1), Math.max(0.22 * sizes.whole, 0.0055 * extent));
    this.scene.add(this.arrows.object);
    this.add_grid(run);
    this.make_labels();
    if (!same) this.trail_points = choose_first_trail(run);
    this.auto_memory = choose_memory(run, this.trail_points[0]);
    if (!same) this.trail_memory = this.auto_memory;
    this.set_trails(this.trail_points);
    this.rebuild();
    if (first || !this.eye.touched) this.fit("default");
    this.element.classList.toggle("empty", run.picture_rows === 0);
  }

  private forget(): void {
    this.hidden.clear();
    this.faint.clear();
    this.loaded.clear();
    this.isolated = null;
    this.followed = -1;
    this.last_place = null;
  }

  private clear_scene(): void {
    for (const object of [...this.scene.children]) {
      if (object !== this.light && object !== this.sky && object !== this.light.target) this.scene.remove(object);
    }
    for (const mesh of [...this.meshes, ...this.links, ...this.ghosts]) mesh.dispose();
    this.meshes = [];
    this.links = [];
    this.ghosts = [];
    this.shadow?.dispose();
    this.arrows?.dispose();
  }

  private find_whole_frame(): Frame {
    const run = this.run as Run;
    const frame = find_frame(run, this.parts, this.part_links);
    for (const ghost of this.ghosts) {
      const shift = math.subtract(ghost.run.head.origin, run.head.origin);
      for (const point of find_frame(ghost.run, ghost.parts, ghost.links).points) {
        const moved = math.add(point, shift);
        frame.points.push(moved);
        for (const k of [0, 1, 2] as const) {
          frame.low[k] = Math.min(frame.low[k], moved[k]);
          frame.high[k] = Math.max(frame.high[k], moved[k]);
        }
      }
    }
    return frame;
  }

  // ---- ghosts

  // Runs of the same mechanism that are not shown in full.
  get ghost_runs(): Run[] {
    return this.runs.slice(1).filter((other) => is_same_mechanism(this.run as Run, other));
  }

  private make_ghosts(): void {
    if (!this.show_ghosts) return;
    for (const other of this.ghost_runs) {
      const ghost = new Ghost(other, this.run as Run);
      this.ghosts.push(ghost);
      this.scene.add(ghost.object);
    }
  }

  set_ghost(index: number, on: boolean): void {
    if (on) this.ghost_hidden.delete(index);
    else this.ghost_hidden.add(index);
    this.show_layers();
  }

  // ---- trails

  set_trails(points: TrailPoint[]): void {
    this.trail_points = points;
    for (const trail of this.trails) {
      this.scene.remove(trail.mesh);
      trail.dispose();
    }
    const run = this.run;
    this.trails = run && this.renderer ? points.map((point) => new Trail(run, point)) : [];
    this.trails.forEach((trail) => this.scene.add(trail.mesh));
    for (const ghost of this.ghosts) ghost.set_trail(run as Run, points[0]);
    this.paint_trails();
    this.request();
  }

  private paint_trails(): void {
    // with ghosts a trail has the colour of its run
    const first = this.ghosts.length > 0 ? this.run?.index ?? 0 : 0;
    this.trails.forEach((trail, k) => trail.set_color(line_color(first + k)));
  }

  // ---- what is seen

  is_seen(key: string): boolean {
    if (key === "") return true;
    return !this.hidden.has(key) && (!this.isolated || this.isolated.has(key));
  }

  private is_on(layer: Layer): boolean {
    const { shown } = this;
    if (layer === "axis") return shown.axes && shown.joints;
    if (layer === "joint" || layer === "support") return shown.joints;
    if (layer === "force" || layer === "driver") return shown.forces;
    return true;
  }

  private mode_of(entry: Part | Link): Mode {
    if (this.faint.has(entry.item)) return "faint";
    if ("opacity" in entry && (entry.opacity ?? 1) < 1) return "glass";
    return ["joint", "force", "driver", "support"].includes(entry.layer) ? "marked" : "solid";
  }

  // The meshes anew, after something was hidden, isolated or made transparent.
  private rebuild(): void {
    if (!this.renderer) return;
    for (const mesh of [...this.meshes, ...this.links]) {
      this.scene.remove(mesh.mesh);
      if (mesh.twin) this.scene.remove(mesh.twin);
      mesh.dispose();
    }
    const seen = <T extends Part | Link>(list: T[]) => list.filter((entry) => this.is_seen(entry.item));
    this.meshes = make_meshes(seen(this.parts), (part) => this.mode_of(part));
    this.links = make_link_meshes(seen(this.part_links), (link) => this.mode_of(link));
    for (const { mesh, twin } of [...this.meshes, ...this.links]) {
      this.scene.add(mesh);
      if (twin) this.scene.add(twin);
    }
    this.paint();
  }

  private changed(): void {
    this.rebuild();
    this.on_change();
  }

  toggle(set: "hidden" | "faint" | "loaded", key: string): void {
    const list = this[set];
    if (!list.delete(key)) list.add(key);
    this.changed();
  }

  // Only an item and what it is attached to; once more: everything.
  isolate(key: string): void {
    const item = this.items.find((other) => other.key === key);
    const again = this.isolated?.has(key) && this.isolated_by === key;
    this.isolated = null;
    this.isolated_by = "";
    if (item && !again) {
      this.isolated_by = key;
      const bodies = item.bodies.filter((body) => body >= 0);
      this.isolated = new Set([key, ...bodies.map((body) => make_key("body", body))]);
      if (item.kind === "body") {
        for (const other of this.items) if (other.bodies.includes(item.index)) this.isolated.add(other.key);
        for (const other of this.items) {
          if (other.kind === "body" && other !== item) this.isolated.delete(other.key);
        }
      }
    }
    this.changed();
  }
  isolated_by = "";

  show_all(): void {
    this.hidden.clear();
    this.faint.clear();
    this.isolated = null;
    this.isolated_by = "";
    this.changed();
  }

  // The camera goes with a body; −1: stays.
  follow(body: number): void {
    this.followed = body;
    this.last_place = body >= 0 ? this.place_of(body) : null;
    this.on_change();
    this.request();
  }

  show_layers(): void {
    for (const { form, layer, mesh, twin } of [...this.meshes, ...this.links]) {
      // the arc of a motor makes room for the one that has its size
      mesh.visible = this.is_on(layer) && !(form === "arc" && this.shown.loads);
      if (twin) twin.visible = mesh.visible;
    }
    for (const ghost of this.ghosts) ghost.object.visible = !this.ghost_hidden.has(ghost.run.index);
    if (this.grid) this.grid.mesh.visible = this.shown.grid;
    if (this.shadow) this.shadow.mesh.visible = this.shown.shadow;
    for (const label of this.labels) {
      const on =
        label.kind === "joint" ? this.shown.joint_names
        : label.kind === "body" ? this.shown.body_names
        : this.shown.force_names;
      const picked = label.item !== "" && label.item === this.selected;
      label.element.hidden = !(on || picked) || !this.is_seen(label.item);
      label.element.classList.toggle("picked", picked);
    }
    this.shadow_stale = true;
    this.request();
  }

  select(key: string): void {
    this.selected = key;
    this.paint();
    this.on_select(key);
  }

  // Colours, after a change of theme or selection.
  private paint(): void {
    const color_of = (entry: Part | Link): string => {
      const { layer, item } = entry;
      const color = "color" in entry ? entry.color : undefined;
      if (item !== "" && item === this.selected) return css("--selected");
      if (color !== undefined) return color;
      if (layer === "body") return this.colors?.of(Number(item.slice(5))) ?? "#888888";
      return css(`--${layer}`);
    };
    for (const mesh of this.meshes) mesh.set_colors(color_of);
    for (const link of this.links) link.set_colors(color_of);
    for (const ghost of this.ghosts) ghost.paint();
    this.grid?.set_color(css("--grid-3d"));
    const dark = theme() === "dark";
    this.shadow?.set_color("#000000", dark ? 0.6 : 0.3);
    this.paint_trails();
    this.sky.intensity = dark ? 1.5 : 1.9;
    this.show_layers();
  }

  // ---- loads

  // The largest force and torque of the run, which the arrows are scaled by.
  find_largest_loads(): { force: Largest; torque: Largest } {
    const run = this.run as Run;
    return (this.largest ??= {
      force: find_largest(run, this.loads.filter((entry) => entry.kind === "force")),
      torque: find_largest(run, this.loads.filter((entry) => entry.kind === "torque")),
    });
  }

  get has_loads(): boolean {
    return this.loads.length > 0;
  }

  // Whether arrows are drawn to the scale of the legend.
  get loads_shown(): boolean {
    return this.has_loads && (this.shown.loads || this.loaded.size > 0);
  }

  private update_arrows(): void {
    const { arrows, poses } = this;
    if (!arrows || !poses) return;
    arrows.begin();
    const extent = this.frame ? math.length(math.subtract(this.frame.high, this.frame.low)) : 1;
    const colors = { reaction: css("--load-reaction"), acting: css("--load-acting"), symbol: css("--force") };
    for (const entry of this.loads) {
      if (!this.is_seen(entry.item)) continue;
      const scaled = this.shown.loads || this.loaded.has(entry.item);
      if (!scaled && !(entry.applied && this.shown.forces)) continue;
      const value = calc_load(entry, poses);
      const size = math.length(value);
      if (!(size > 0)) continue;
      const at = poses.place(entry.body, entry.point, [0, 0, 0]);
      const s = this.sizes?.at(entry.body, -1) ?? 1;
      const color = !scaled ? colors.symbol : entry.reaction ? colors.reaction : colors.acting;
      const hue = entry.item === this.selected ? css("--selected") : color;
      if (entry.kind === "force") {
        const long = scaled ? (this.load_scale * 0.3 * extent) / this.find_largest_loads().force.size : (8 * s) / size;
        arrows.add_force(at, math.scale(long, value), hue);
      } else {
        const wide = scaled ? (this.load_scale * 0.11 * extent) / this.find_largest_loads().torque.size : (3.2 * s) / size;
        arrows.add_torque(at, math.scale(wide, value), hue);
      }
    }
    arrows.end();
  }

  // ---- ground

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
    if (!(extent > 0)) return;
    // a planar mechanism is seen from the front: its shadow leans to the side
    const lean: [number, number] = planar ? [0.3, -0.3] : [0.12, 0.12];
    this.shadow = new Shadow(plane_point, turn, 1.3 * extent, 2 * depth + 2 * margin + 0.01 * extent, lean);
    this.scene.add(this.shadow.mesh);
  }

  // ---- names

  private make_labels(): void {
    const counts: Record<string, number> = {};
    this.labels = this.items.flatMap(({ name, kind, key, body, point }): Label[] => {
      const sort = kind === "body" || kind === "joint" ? kind : "force";
      counts[sort] = (counts[sort] ?? 0) + 1;
      return (counts[sort] ?? 0) > MOST_LABELS ? [] : [make_label(name, sort, key, body, point)];
    });
    this.labels_box.replaceChildren(...this.labels.map((label) => label.element));
  }

  private place_labels(): void {
    const { width, height } = this;
    const projected = new Vector3();
    place_labels(this.labels, this.selected, width, height, (label) => {
      const x = (this.poses as Poses).place(label.body, label.point, [0, 0, 0]);
      projected.set(x[0], x[1], x[2]).project(this.camera);
      if (projected.z > 1) return null;
      return [((projected.x + 1) / 2) * width, ((1 - projected.y) / 2) * height];
    });
  }

  // ---- camera

  get camera(): PerspectiveCamera | OrthographicCamera {
    return this.eye.camera;
  }
  get controls(): OrbitControls {
    return this.eye.controls;
  }
  get is_parallel(): boolean {
    return this.eye.is_parallel;
  }
  set_parallel(on: boolean): void {
    if (this.renderer) this.eye.set_parallel(on);
  }

  fit(from: Standpoint | "current"): void {
    if (this.run && this.frame && this.renderer) this.eye.fit(this.run, this.frame, from);
  }

  // A click on anything selects it, a click beside selects nothing.
  private add_picking(): void {
    let from = [0, 0];
    this.canvas.addEventListener("pointerdown", (event) => (from = [event.clientX, event.clientY]));
    this.canvas.addEventListener("click", (event) => {
      if (Math.hypot(event.clientX - (from[0] ?? 0), event.clientY - (from[1] ?? 0)) > 4) return;
      const box = this.canvas.getBoundingClientRect();
      this.select(this.find_item(event.clientX - box.left, event.clientY - box.top));
    });
    let last = 0;
    this.canvas.addEventListener("pointermove", (event) => {
      if (event.buttons !== 0 || event.pointerType === "touch" || event.timeStamp - last < 80) return;
      last = event.timeStamp;
      const box = this.canvas.getBoundingClientRect();
      const key = this.find_item(event.clientX - box.left, event.clientY - box.top);
      const item = this.items.find((other) => other.key === key);
      this.canvas.title = item ? `${item.name} (${item.what})` : "";
      this.canvas.classList.toggle("on-item", item !== undefined);
    });
  }

  // What is at a pixel: joints and forces, which are seen through bodies, before bodies, and those before
  // what is transparent.
  find_item(x: number, y: number): string {
    if (this.width === 0) return "";
    const ray = new Raycaster();
    ray.setFromCamera(new Vector2((2 * x) / this.width - 1, 1 - (2 * y) / this.height), this.camera);
    const nothing = () => ({ key: "", distance: Infinity });
    const best = { symbol: nothing(), body: nothing(), glass: nothing() };
    for (const { mesh, layer, mode, entries } of [...this.meshes, ...this.links]) {
      if (!mesh.visible || layer === "axis") continue;
      mesh.boundingSphere = null; // of the last time it was asked
      const place = layer !== "body" ? best.symbol : mode === "glass" ? best.glass : best.body;
      for (const hit of ray.intersectObject(mesh)) {
        if (hit.distance >= place.distance || hit.instanceId === undefined) continue;
        place.distance = hit.distance;
        place.key = entries[hit.instanceId]?.item ?? "";
      }
    }
    return best.symbol.key || best.body.key || best.glass.key;
  }

  // The pixel at which an item is drawn now.
  pixel_of(key: string): [number, number] | null {
    const item = this.items.find((other) => other.key === key);
    if (!item || !this.poses) return null;
    const at = load(this.poses.place(item.body, item.point, [0, 0, 0])).project(this.camera);
    return [((at.x + 1) / 2) * this.width, ((1 - at.y) / 2) * this.height];
  }

  // ---- frames

  private on_resize(): void {
    const width = (this.width = this.element.clientWidth);
    const height = (this.height = this.element.clientHeight);
    if (!this.renderer || width === 0 || height === 0) return;
    this.renderer.setSize(width, height, false);
    this.eye.set_aspect(width / height);
    if (!this.eye.touched) this.fit(this.eye.standpoint);
    this.draw(); // a canvas of another size is empty: not one frame of that
  }

  show(t: number): void {
    this.t = t;
    this.draw();
  }

  private draw(): void {
    const { renderer, poses, camera } = this;
    if (!renderer || !poses || this.width === 0) return;
    const moved = this.t !== this.drawn_t || this.shadow_stale;
    if (moved) {
      poses.set_time(this.t);
      for (const mesh of this.meshes) if (mesh.mesh.visible) mesh.update(poses);
      for (const link of this.links) if (link.mesh.visible) link.update(poses);
      for (const ghost of this.ghosts) if (ghost.object.visible) ghost.update(this.t);
      this.drawn_t = this.t;
      this.shadow_stale = false;
      this.go_with_body();
    }
    this.update_arrows();
    const size = renderer.getDrawingBufferSize(new Vector2());
    const memory = Math.min(this.trail_memory, Math.max(1e-9, this.run?.t_end ?? 1));
    for (const trail of [...this.trails, ...this.ghosts.flatMap(({ trail }) => trail ?? [])]) {
      trail.update(this.t, memory, size.x, size.y, renderer.getPixelRatio());
    }
    this.eye.set_depth(this.frame ? math.length(math.subtract(this.frame.high, this.frame.low)) : 1);
    this.light.position.set(0.35, 0.65, 1).applyQuaternion(camera.quaternion);
    if (moved && this.shadow && this.shown.shadow) {
      const casters: Object3D[] = [...this.meshes, ...this.links]
        .filter(({ layer, mesh, mode }) => mesh.visible && layer !== "axis" && mode !== "faint" && mode !== "glass")
        .map(({ mesh }) => mesh);
      this.shadow.update(renderer, casters);
    }
    renderer.render(this.scene, camera);
    this.place_labels();
    this.triad.place(camera);
  }

  // Moves the camera as far as the body that it follows has moved.
  private go_with_body(): void {
    if (this.followed < 0) return;
    const place = this.place_of(this.followed);
    if (place && this.last_place) {
      this.eye.move(load(math.subtract(place, this.last_place)));
    }
    this.last_place = place;
  }

  // The picture with its background and names, on a canvas of its own size.
  compose(context: CanvasRenderingContext2D, caption = ""): void {
    this.draw();
    const { width, height } = context.canvas;
    const ratio = width / this.width;
    const back = context.createLinearGradient(0, 0, 0, height);
    back.addColorStop(0, css("--view-top"));
    back.addColorStop(1, css("--view-bottom"));
    context.fillStyle = back;
    context.fillRect(0, 0, width, height);
    context.drawImage(this.canvas, 0, 0, width, height);
    context.textBaseline = "top";
    for (const label of this.labels) {
      if (label.element.hidden || !label.place) continue;
      context.font = `${label.kind === "body" ? 600 : 400} ${12 * ratio}px system-ui, sans-serif`;
      context.lineWidth = 3 * ratio;
      context.strokeStyle = css("--panel");
      context.fillStyle = css("--text");
      const [x, y] = label.place.map((value) => value * ratio) as [number, number];
      context.strokeText(label.text, x, y + 2 * ratio);
      context.fillText(label.text, x, y + 2 * ratio);
    }
    if (!caption) return;
    context.font = `${13 * ratio}px system-ui, sans-serif`;
    context.fillStyle = css("--muted");
    context.fillText(caption, 10 * ratio, 10 * ratio);
  }

  // A canvas for `compose`, with even numbers of pixels as videos want them.
  make_canvas(): HTMLCanvasElement {
    const ratio = this.renderer?.getPixelRatio() ?? 1;
    const even = (x: number) => Math.max(2, 2 * Math.round((x * ratio) / 2));
    return h("canvas", { width: even(this.width), height: even(this.height) });
  }

  make_picture(done: (blob: Blob | null) => void): void {
    const canvas = this.make_canvas();
    this.compose(canvas.getContext("2d") as CanvasRenderingContext2D);
    canvas.toBlob(done);
  }

  // Where a body is now, in the world.
  place_of(body: number): Vec3 | null {
    const run = this.run;
    if (!this.poses || !run || body < 0 || body >= run.n_bodies) return null;
    return math.add(this.poses.place(body, [0, 0, 0], [0, 0, 0]), run.head.origin);
  }
}
