// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The camera of the 3D view, with and without perspective: it orbits, pans, zooms and fits, by mouse,
// fingers and keys.
import { OrthographicCamera, PerspectiveCamera, Vector3 } from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import type { Frame, Standpoint } from "./camera";
import { find_direction, find_fit } from "./camera";
import type { Run, Vec3 } from "./data";
import * as math from "./math";

const ANGLE = 32; // degrees, of view
const SLOPE = Math.tan((ANGLE / 2) * (Math.PI / 180));

export class Eye {
  camera: PerspectiveCamera | OrthographicCamera;
  controls: OrbitControls;
  touched = false; // the reader has moved the camera
  standpoint: Standpoint = "default";
  private readonly perspective = new PerspectiveCamera(ANGLE, 1, 0.1, 100);
  private readonly parallel = new OrthographicCamera(-1, 1, 1, -1, 0.1, 100);
  private half_height = 1; // m, without perspective
  private aspect = 1;

  // `request` asks for a frame.
  constructor(private readonly canvas: HTMLCanvasElement, private readonly request: () => void) {
    this.camera = this.perspective;
    this.controls = this.make_controls();
    canvas.addEventListener("keydown", (event) => this.on_key(event));
  }

  // The controls take their camera and its up when they are made.
  private make_controls(): OrbitControls {
    const controls = new OrbitControls(this.camera, this.canvas);
    controls.addEventListener("change", () => this.request());
    controls.addEventListener("start", () => (this.touched = true));
    return controls;
  }

  // Looks from here with the camera that is set.
  private look(from: Vector3, at: Vector3, up: Vector3): void {
    this.camera.up.copy(up);
    this.camera.position.copy(from);
    this.controls.dispose();
    this.controls = this.make_controls();
    this.controls.target.copy(at);
    this.set_lens();
    this.controls.update();
    this.request();
  }

  // Standard views are without perspective: what is parallel stays so, and lengths can be compared.
  fit(run: Run, frame: Frame, from: Standpoint | "current"): void {
    const direction: Vec3 =
      from === "current"
        ? (this.camera.position.clone().sub(this.controls.target).toArray() as Vec3)
        : find_direction(run, frame, from);
    if (from !== "current") {
      this.standpoint = from;
      this.camera = from === "default" ? this.perspective : this.parallel;
    }
    const fit = find_fit(frame, direction, frame.up, Math.atan(SLOPE), this.aspect);
    const eye = math.add(fit.target, math.scale(fit.distance, math.normalised(direction)));
    this.half_height = fit.half_height;
    this.parallel.zoom = 1;
    this.look(new Vector3(...eye), new Vector3(...fit.target), new Vector3(...frame.up));
  }

  get is_parallel(): boolean {
    return this.camera === this.parallel;
  }

  // The same view with or without perspective.
  set_parallel(on: boolean): void {
    if (on === this.is_parallel) return;
    const target = this.controls.target.clone();
    const arm = this.camera.position.clone().sub(target);
    if (on) {
      this.half_height = arm.length() * SLOPE;
      this.parallel.zoom = 1;
    } else {
      arm.setLength(this.half_height / this.parallel.zoom / SLOPE);
    }
    const up = this.camera.up.clone();
    this.camera = on ? this.parallel : this.perspective;
    this.look(arm.add(target), target, up);
  }

  set_aspect(aspect: number): void {
    this.aspect = aspect;
    this.set_lens();
  }

  private set_lens(): void {
    const { parallel, half_height, aspect } = this;
    this.perspective.aspect = aspect;
    parallel.top = half_height;
    parallel.bottom = -half_height;
    parallel.right = half_height * aspect;
    parallel.left = -parallel.right;
    this.camera.updateProjectionMatrix();
  }

  // What is as far from the target as `reach` is drawn.
  set_depth(reach: number): void {
    const { camera } = this;
    const distance = camera.position.distanceTo(this.controls.target);
    camera.near = this.is_parallel ? distance - 6 * reach : Math.max(1e-3 * distance, distance - 4 * reach);
    camera.far = distance + 6 * reach;
    camera.updateProjectionMatrix();
  }

  move(step: Vector3): void {
    this.camera.position.add(step);
    this.controls.target.add(step);
    this.camera.updateMatrixWorld();
  }

  private turn(across: number, above: number): void {
    const { target } = this.controls;
    const { up } = this.camera;
    const arm = this.camera.position.clone().sub(target).applyAxisAngle(up, across);
    const right = new Vector3().crossVectors(up, arm).normalize();
    const next = arm.clone().applyAxisAngle(right, above);
    const angle = next.angleTo(up);
    if (angle > 0.05 && angle < Math.PI - 0.05) arm.copy(next);
    this.camera.position.copy(target).add(arm);
  }

  private zoom(factor: number): void {
    const { target } = this.controls;
    if (this.is_parallel) this.parallel.zoom /= factor;
    else this.camera.position.sub(target).multiplyScalar(factor).add(target);
    this.camera.updateProjectionMatrix();
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
    this.touched = true;
    this.controls.update();
    this.request();
    event.preventDefault();
    event.stopPropagation();
  }
}
