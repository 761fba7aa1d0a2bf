// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Colours of bodies: calm ones, and one hue for bodies whose names differ in their number only
// (link_1 … link_20), lighter and darker in turn.
import { Color } from "three";
import type { Run, Vec3 } from "./data";
import type { Theme } from "./theme";
import { theme } from "./theme";

const HUES: Record<Theme, string[]> = {
  light: ["#7f9fb8", "#c9a27e", "#8fb09c", "#a997b5", "#c2b280", "#94a1ac", "#b98f8f", "#7fb0b3"],
  dark: ["#6489a8", "#b98a62", "#6f9a83", "#91799f", "#a89761", "#7b8894", "#a37575", "#5f979b"],
};

// Of red, green and blue from 0 to 1.
export function to_hex(color: Vec3): string {
  return `#${color.map((x) => Math.round(255 * x).toString(16).padStart(2, "0")).join("")}`;
}

// "link_12" and "link_3" have the stem "link"; a name without number is its own.
function find_stem(name: string): string {
  return name.replace(/[\s_.-]*\d+$/, "") || name;
}

export class BodyColors {
  private readonly family: number[] = [];
  private readonly step: number[] = []; // place of a body in its family
  private readonly size: number[] = []; // bodies of a family

  constructor(private readonly run: Run) {
    const known = new Map<string, number>();
    for (const { name } of run.scene.bodies) {
      const stem = find_stem(name);
      const family = known.get(stem) ?? known.size;
      known.set(stem, family);
      const before = this.size[family] ?? 0;
      this.family.push(family);
      this.step.push(before);
      this.size[family] = before + 1;
    }
  }

  // Of a body in lists: that of its first shape with a colour.
  shown(body: number): string {
    const own = this.run.scene.bodies[body]?.shapes.find(({ color }) => color)?.color;
    return own ? to_hex(own) : this.of(body);
  }

  of(body: number): string {
    const list = HUES[theme()];
    const family = this.family[body] ?? 0;
    const color = new Color(list[family % list.length] as string);
    if ((this.size[family] ?? 1) > 1) {
      const shift = (this.step[body] ?? 0) % 2 === 0 ? 0.035 : -0.035;
      color.offsetHSL(0, 0, shift);
    }
    return `#${color.getHexString()}`;
  }
}
