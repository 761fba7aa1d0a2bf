// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Names in the picture, beside what they name. A name that would cover another moves to another side, or
// waits until there is room.
import type { Vec3 } from "./data";
import { h } from "./dom";

export interface Label {
  element: HTMLElement;
  text: string;
  kind: string; // body, joint, force
  item: string;
  body: number;
  point: Vec3;
  side: number; // where it was last
  size: [number, number]; // px, 0 before it is measured
  place: [number, number] | null; // px, left and top; null while there is no room
}

type Box = [number, number, number, number]; // left, top, right, bottom

// Where a label of so many pixels can be, from the point it names.
const SIDES: ((w: number, h: number) => [number, number])[] = [
  (_, h) => [8, -h / 2],
  (w, h) => [-w - 8, -h / 2],
  (w, h) => [-w / 2, -h - 8],
  (w) => [-w / 2, 8],
  (_, h) => [8, -h - 6],
  () => [8, 6],
  (w, h) => [-w - 8, -h - 6],
  (w) => [-w - 8, 6],
];

const overlap = (a: Box, b: Box) => a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3];

export function make_label(text: string, kind: string, item: string, body: number, point: Vec3): Label {
  return {
    element: h("span", { class: `label ${kind}`, "data-kind": kind }, text),
    text, kind, item, body, point, side: 0, size: [0, 0], place: null,
  };
}

// `project` gives the pixel of a label's point, null if it is behind the eye.
export function place_labels(
  labels: Label[], selected: string, width: number, height: number,
  project: (label: Label) => [number, number] | null,
): void {
  const shown = labels.filter((label) => !label.element.hidden);
  if (shown.length === 0) return;
  // measured together, before anything is moved: one layout
  for (const label of shown) {
    if (label.size[0] === 0) label.size = [label.element.offsetWidth, label.element.offsetHeight];
  }
  const taken: Box[] = [];
  const rank = (label: Label) => (label.item === selected ? 0 : 1);
  shown.sort((a, b) => rank(a) - rank(b));
  for (const label of shown) {
    const at = project(label);
    label.place = at ? find_room(label, at, taken, width, height) : null;
    const { style } = label.element;
    style.visibility = label.place ? "visible" : "hidden";
    if (!label.place) continue;
    const [left, top] = label.place;
    style.transform = `translate(${left.toFixed(1)}px, ${top.toFixed(1)}px)`;
  }
}

function find_room(label: Label, at: [number, number], taken: Box[], width: number, height: number): [number, number] | null {
  const [w, tall] = label.size;
  for (let k = 0; k < SIDES.length; ++k) {
    const side = k === 0 ? label.side : k <= label.side ? k - 1 : k; // the last side first
    const [dx, dy] = (SIDES[side] as (w: number, h: number) => [number, number])(w, tall);
    const box: Box = [at[0] + dx - 1, at[1] + dy, at[0] + dx + w + 1, at[1] + dy + tall];
    if (box[2] < 0 || box[3] < 0 || box[0] > width || box[1] > height) continue;
    if (taken.some((other) => overlap(box, other))) continue;
    taken.push(box);
    label.side = side;
    return [box[0] + 1, box[1]];
  }
  return null;
}
