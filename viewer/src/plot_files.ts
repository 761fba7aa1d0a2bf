// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// A plot as a file: its data as CSV, its drawing as PNG.
import type { Numbers } from "./data";
import { h } from "./dom";
import { csv_field } from "./format";
import type { Line } from "./plot";
import { css, DASHES, line_color } from "./theme";

// The columns side by side, each set of lines with the times that belong to it.
export function make_csv(drawn: Line[], x: { label: string; unit: string } | undefined): string {
  const sets: { time: Float64Array; lines: Line[] }[] = [];
  for (const line of drawn) {
    const set = sets.find((entry) => entry.time === line.time);
    if (set) set.lines.push(line);
    else sets.push({ time: line.time, lines: [line] });
  }
  const header = sets.flatMap((set) => [
    "time [s]",
    ...set.lines.flatMap((line) => [
      ...(x && line.x ? [csv_field(`${x.label}${line.run ? ` ${line.run.letter}` : ""} [${x.unit}]`)] : []),
      csv_field(`${line.label} [${line.unit}]`),
    ]),
  ]);
  const rows = [header.join(",")];
  const n = Math.max(0, ...sets.map((set) => set.time.length));
  for (let i = 0; i < n; ++i) {
    const cells: string[] = [];
    for (const set of sets) {
      const inside = i < set.time.length;
      cells.push(inside ? String(set.time[i]) : "");
      for (const line of set.lines) {
        if (x && line.x) cells.push(inside ? number_text(line.x, i) : "");
        cells.push(inside ? number_text(line.values, i) : "");
      }
    }
    rows.push(cells.join(","));
  }
  return rows.join("\n") + "\n";
}

// Title, legend and plot on one canvas.
export function make_picture(title: string, drawn: Line[], source: HTMLCanvasElement, wide: number): HTMLCanvasElement {
  const ratio = source.width / wide;
  const font = "12px system-ui, sans-serif";
  const canvas = h("canvas", { width: source.width });
  const ctx = canvas.getContext("2d") as CanvasRenderingContext2D;
  ctx.font = font;
  // entries of the legend, in as many rows as they need
  let [x, y] = [10, 37];
  const entries = drawn.map((line) => {
    const size = 35 + ctx.measureText(line.label).width;
    if (x > 10 && x + size > wide - 10) [x, y] = [10, y + 17];
    x += size;
    return { line, x: x - size, y };
  });
  const top = y + 7;
  canvas.height = Math.round(source.height + top * ratio); // forgets what was set before
  ctx.fillStyle = css("--panel");
  ctx.fillRect(0, 0, canvas.width, canvas.height);
  ctx.scale(ratio, ratio);
  ctx.fillStyle = css("--text");
  ctx.font = "600 13px system-ui, sans-serif";
  ctx.fillText(title, 10, 18);
  ctx.font = font;
  ctx.lineWidth = 2;
  for (const entry of entries) {
    ctx.strokeStyle = line_color(entry.line.color);
    ctx.setLineDash(DASHES[entry.line.dash % DASHES.length] ?? []);
    ctx.beginPath();
    ctx.moveTo(entry.x, entry.y - 4);
    ctx.lineTo(entry.x + 18, entry.y - 4);
    ctx.stroke();
    ctx.fillText(entry.line.label, entry.x + 23, entry.y);
  }
  ctx.setTransform(1, 0, 0, 1, 0, 0);
  ctx.drawImage(source, 0, top * ratio);
  return canvas;
}

export function save(blob: Blob, name: string): void {
  const link = h("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

// The shortest number that reads back to the same bits of the array it comes from.
function number_text(values: Numbers, i: number): string {
  const x = values[i] as number;
  if (!(values instanceof Float32Array)) return String(x);
  for (let digits = 6; digits < 9; ++digits) {
    const rounded = Number(x.toPrecision(digits));
    if (Math.fround(rounded) === x) return String(rounded);
  }
  return String(Number(x.toPrecision(9)));
}
