// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The directions of the world's axes and of gravity, in the corner of the 3D view.
import { Vector3 } from "three";
import type { Camera } from "three";
import type { Vec3 } from "./data";
import { svg } from "./dom";
import * as math from "./math";

export class Triad {
  readonly element = svg("svg", { viewBox: "-32 -32 64 64", class: "triad", "aria-hidden": "true" });
  private readonly arrows: { line: SVGElement; text: SVGElement; axis: Vec3 }[];

  constructor() {
    const axes: [string, Vec3][] = [["x", [1, 0, 0]], ["y", [0, 1, 0]], ["z", [0, 0, 1]], ["g", [0, 0, 0]]];
    this.arrows = axes.map(([name, axis]) => {
      const line = svg("line", { x1: 0, y1: 0, class: `axis-${name}` });
      const text = svg("text", { class: "triad-name" });
      text.textContent = name;
      this.element.append(line, text);
      return { line, text, axis };
    });
  }

  set_gravity(gravity: Vec3): void {
    const arrow = this.arrows[3] as Triad["arrows"][number];
    arrow.axis = math.normalised(gravity);
    for (const part of [arrow.line, arrow.text]) part.classList.toggle("none", math.length(gravity) === 0);
  }

  place(camera: Camera): void {
    const direction = new Vector3();
    for (const { line, text, axis } of this.arrows) {
      direction.set(axis[0], axis[1], axis[2]).transformDirection(camera.matrixWorldInverse);
      line.setAttribute("x2", (20 * direction.x).toFixed(1));
      line.setAttribute("y2", (-20 * direction.y).toFixed(1));
      text.setAttribute("x", (27 * direction.x).toFixed(1));
      text.setAttribute("y", (-27 * direction.y + 3.5).toFixed(1));
    }
  }
}
