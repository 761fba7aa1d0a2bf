// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// One plot over time: a uPlot drawing of thinned lines, a legend with the values at the time shown,
// a time cursor, and its export as PNG and CSV. Plots of a group share the window of time.
import uPlot from "uplot";
import type { Numbers } from "./data";
import { find_index, find_nearest } from "./data";
import { h, svg } from "./dom";
import { csv_field, power_of_ten, short } from "./format";
import type { Player } from "./player";
import { Pyramid } from "./pyramid";
import { css, DASHES, line_color, on_theme } from "./theme";

export interface Line {
  label: string;
  unit: string;
  color: number; // into the palette
  dash: number; // into DASHES
  time: Float64Array;
  values: Numbers;
  style?: "line" | "stepped" | "marks"; // marks: crosses, not joined
  hidden?: boolean;
}

export interface PlotSpec {
  id: string;
  title: string;
  unit: string;
  logarithmic?: boolean;
  integers?: boolean; // the values are counts
  lines: Line[];
  empty?: string; // what to say when there is nothing to draw
}

// Plots that zoom together.
export class PlotGroup {
  window: [number, number];
  hover: number | null = null;
  readonly panels: PlotPanel[] = [];
  private last_values = 0;

  constructor(readonly player: Player, readonly key: string) {
    this.window = [0, player.t_end > 0 ? player.t_end : 1];
    player.follow((t) => this.show_time(t));
    on_theme(() => this.panels.forEach((panel) => panel.rebuild()));
  }

  get full(): [number, number] {
    return [0, this.player.t_end > 0 ? this.player.t_end : 1];
  }

  zoom_to(t0: number, t1: number): void {
    const [a, b] = this.full;
    const smallest = (b - a) * 1e-6;
    const begin = Math.max(a, Math.min(t0, b - smallest));
    this.window = [begin, Math.min(b, Math.max(t1, begin + smallest))];
    for (const panel of this.panels) panel.refresh();
    this.player.request();
  }
  zoom_by(factor: number): void {
    const [t0, t1] = this.window;
    const t = this.player.t;
    const center = t >= t0 && t <= t1 ? t : (t0 + t1) / 2;
    this.zoom_to(center - (center - t0) * factor, center + (t1 - center) * factor);
  }
  reset_zoom(): void {
    this.zoom_to(...this.full);
  }

  set_hover(t: number | null): void {
    if (t === this.hover) return;
    this.hover = t;
    this.last_values = 0;
    this.player.request();
  }

  // In each frame: the cursors always, the numbers ten times a second.
  private show_time(t: number): void {
    for (const panel of this.panels) panel.show_cursor(t);
    const now = performance.now();
    if (this.player.playing && this.hover === null && now - this.last_values < 100) return;
    this.last_values = now;
    for (const panel of this.panels) panel.show_values(this.hover ?? t);
  }
}

const HEIGHT = 190;

export class PlotPanel {
  readonly element: HTMLElement;
  readonly extra: HTMLElement; // what a plot may add to its head
  private readonly box: HTMLElement;
  private readonly legend: HTMLElement;
  private readonly message: HTMLElement;
  private readonly cursor: HTMLElement;
  private plot: uPlot | null = null;
  private values: HTMLElement[] = [];
  private pyramids: Pyramid[] = [];
  private drawn: Line[] = [];
  private width = 0;
  private inner_width = 0; // of the part with the lines, CSS pixels

  constructor(readonly group: PlotGroup, private spec: PlotSpec, readonly file_stem: string) {
    this.box = h("div", { class: "plot-box", role: "img" });
    this.legend = h("div", { class: "legend" });
    this.message = h("p", { class: "plot-empty" });
    this.extra = h("span", { class: "plot-extra" });
    this.cursor = h("div", { class: "time-cursor" });
    const action = (label: string, title: string, run: () => void) => {
      const button = h("button", { type: "button", class: "link", title }, label);
      button.addEventListener("click", run);
      return button;
    };
    this.element = h(
      "section",
      { class: "plot card", id: `plot-${spec.id}`, "aria-label": spec.title },
      h(
        "header",
        { class: "plot-head" },
        h("h3", {}, spec.title, " ", h("span", { class: "unit" }, spec.unit ? `[${spec.unit}]` : "")),
        this.extra,
        h(
          "span",
          { class: "plot-actions" },
          action("PNG", `Save the plot "${spec.title}" as a picture`, () => this.save_png()),
          action("CSV", `Save the data of "${spec.title}" as a table`, () => this.save_csv()),
        ),
      ),
      this.legend,
      this.box,
      this.message,
    );
    group.panels.push(this);
    new ResizeObserver(() => this.on_resize()).observe(this.box);
    this.set_lines(spec.lines);
  }

  set_lines(lines: Line[]): void {
    this.spec = { ...this.spec, lines };
    this.pyramids = lines.map(
      (line) => new Pyramid(line.time, line.values, this.spec.logarithmic === true),
    );
    this.rebuild();
  }

  private on_resize(): void {
    const width = Math.floor(this.box.clientWidth);
    if (width === this.width || width === 0) return;
    this.width = width;
    if (this.plot) {
      this.plot.setSize({ width, height: HEIGHT });
      this.refresh();
    } else {
      this.rebuild();
    }
  }

  // ---- drawing

  rebuild(): void {
    this.plot?.destroy();
    this.plot = null;
    this.drawn = this.spec.lines.filter((line) => !line.hidden);
    this.make_legend();
    const something = this.spec.lines.some((_, k) => this.has_values(k));
    this.box.hidden = !something;
    this.message.hidden = something;
    this.message.textContent = this.spec.empty ?? "Nothing was recorded.";
    this.width ||= Math.floor(this.box.clientWidth);
    if (!something || this.width === 0) return;
    this.plot = new uPlot(this.make_options(), this.calc_data(), this.box);
    this.plot.over.append(this.cursor);
    this.add_touch(this.plot.over);
    const [t0, t1] = this.group.full;
    this.box.setAttribute(
      "aria-label",
      `${this.spec.title} from ${short(t0)} to ${short(t1)} s: ` +
        this.spec.lines.map((line) => line.label).join(", "),
    );
    this.group.player.request();
  }

  private has_values(k: number): boolean {
    const pyramid = this.pyramids[k];
    if (!pyramid) return false;
    for (let i = 0; i < pyramid.length; ++i) if (pyramid.value(i) !== null) return true;
    return false;
  }

  refresh(): void {
    this.plot?.setData(this.calc_data(), true);
  }

  // Lines with the same times share a table; uPlot joins tables of different times.
  private calc_data(): uPlot.AlignedData {
    const [t0, t1] = this.group.window;
    const tables = this.spec.lines
      .map((line, k) => ({ line, k }))
      .filter(({ line }) => !line.hidden)
      .map(({ k }) => {
        const excerpt = (this.pyramids[k] as Pyramid).excerpt(t0, t1, 2 * this.width);
        return [excerpt.time, excerpt.values] as uPlot.AlignedData;
      });
    if (tables.length === 0) return [[t0, t1]];
    const first = tables[0] as uPlot.AlignedData;
    const same = tables.every((table, k) => {
      const drawn = this.drawn[k] as Line;
      return drawn.time === this.drawn[0]?.time && table[0].length === first[0].length;
    });
    if (same) return [first[0], ...tables.map((table) => table[1])] as uPlot.AlignedData;
    return uPlot.join(tables);
  }

  private units(): string[] {
    return [...new Set(this.drawn.map((line) => line.unit))];
  }

  private make_options(): uPlot.Options {
    const group = this.group;
    const units = this.units();
    const log = this.spec.logarithmic === true;
    const second = units.length > 1;
    const range = (_: uPlot, low: number | null, high: number | null) =>
      log ? log_range(low, high) : linear_range(low, high, this.spec.integers === true);
    const scale = log ? { distr: 3 as const, log: 10 as const, range } : { range };
    const grid = { stroke: () => css("--grid"), width: 1 };
    const font = "12px system-ui, sans-serif";
    const axis = (of: string, side: 3 | 1, label: string): uPlot.Axis => ({
      scale: of,
      side,
      stroke: () => css("--muted"),
      font,
      size: 58,
      gap: 4,
      grid: side === 3 ? grid : { show: false },
      ticks: { show: false },
      ...(label ? { label, labelSize: 16, labelFont: font, labelGap: 0 } : {}),
      values: (_, splits) => splits.map((v) => (log ? power_label(v) : axis_label(v, splits))),
      ...(log
        ? {
            splits: (_u: uPlot, _i: number, low: number, high: number) => log_splits(low, high),
            filter: (_u: uPlot, splits: number[]) => splits,
          }
        : {}),
      ...(this.spec.integers ? { incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000] } : {}),
    });
    return {
      width: this.width,
      height: HEIGHT,
      legend: { show: false },
      padding: [8, second ? 0 : 12, 0, 0],
      cursor: {
        sync: { key: group.key, setSeries: false },
        drag: { x: true, y: false, setScale: false },
        points: { show: false },
        y: false,
        bind: { dblclick: () => () => (group.reset_zoom(), null) },
      },
      select: { show: true, left: 0, top: 0, width: 0, height: 0 },
      scales: { x: { time: false, range: () => group.window }, y: scale, ...(second ? { y2: scale } : {}) },
      axes: [
        {
          stroke: () => css("--muted"),
          font,
          size: 26,
          gap: 3,
          grid,
          ticks: { show: false },
          space: 60,
          values: (_, splits) => splits.map((v) => axis_label(v, splits)),
        },
        axis("y", 3, second ? (units[0] ?? "") : ""),
        ...(second ? [axis("y2", 1, units.slice(1).join(", "))] : []),
      ],
      series: [
        {},
        ...this.drawn.map((line): uPlot.Series => ({
          scale: second && line.unit !== units[0] ? "y2" : "y",
          stroke: () => line_color(line.color),
          width: 1.5,
          dash: DASHES[line.dash % DASHES.length] ?? [],
          spanGaps: log,
          points: { show: false },
          ...(line.style === "stepped" ? { paths: uPlot.paths.stepped?.({ align: 1 }) } : {}),
          ...(line.style === "marks" ? { paths: () => null } : {}),
        })),
      ],
      hooks: {
        setSize: [(plot) => this.measure(plot)],
        draw: [(plot) => this.draw_marks(plot)],
        setSelect: [(plot) => this.on_select(plot)],
        setCursor: [(plot) => this.on_cursor(plot)],
        ready: [(plot) => (this.measure(plot), this.add_click(plot))],
      },
    };
  }

  // Once for each size: asking the element in each frame would make the browser lay out the page.
  private measure(plot: uPlot): void {
    this.inner_width = plot.bbox.width / devicePixelRatio;
  }

  private draw_marks(plot: uPlot): void {
    const { ctx } = plot;
    const size = 3.5 * devicePixelRatio;
    this.drawn.forEach((line, k) => {
      if (line.style !== "marks") return;
      ctx.save();
      ctx.setLineDash([]);
      ctx.strokeStyle = line_color(line.color);
      ctx.lineWidth = 1.5 * devicePixelRatio;
      ctx.beginPath();
      ctx.rect(plot.bbox.left, plot.bbox.top, plot.bbox.width, plot.bbox.height);
      ctx.clip();
      ctx.beginPath();
      const values = plot.data[k + 1] as (number | null | undefined)[];
      values.forEach((value, i) => {
        if (value === null || value === undefined) return;
        const x = plot.valToPos(plot.data[0][i] as number, "x", true);
        const y = plot.valToPos(value, "y", true);
        ctx.moveTo(x - size, y - size);
        ctx.lineTo(x + size, y + size);
        ctx.moveTo(x - size, y + size);
        ctx.lineTo(x + size, y - size);
      });
      ctx.stroke();
      ctx.restore();
    });
  }

  // ---- mouse and fingers

  private on_select(plot: uPlot): void {
    const { left, width } = plot.select;
    if (width < 4) return;
    const t0 = plot.posToVal(left, "x");
    const t1 = plot.posToVal(left + width, "x");
    plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
    this.group.zoom_to(t0, t1);
  }

  private on_cursor(plot: uPlot): void {
    const left = plot.cursor.left ?? -1;
    this.group.set_hover(left >= 0 ? plot.posToVal(left, "x") : null);
  }

  // A click, not the end of a drag, sets the time.
  private add_click(plot: uPlot): void {
    let from = 0;
    plot.over.addEventListener("mousedown", (event) => (from = event.clientX));
    plot.over.addEventListener("click", (event) => {
      if (Math.abs(event.clientX - from) > 3) return;
      this.group.player.seek(this.time_of(event.clientX));
    });
  }

  // A finger that moves sideways scrubs; up and down it scrolls the page.
  private add_touch(over: HTMLElement): void {
    const scrub = (event: PointerEvent) => {
      if (event.pointerType !== "mouse" && event.buttons) {
        this.group.player.seek(this.time_of(event.clientX));
      }
    };
    over.addEventListener("pointerdown", scrub);
    over.addEventListener("pointermove", scrub);
  }

  private time_of(client_x: number): number {
    const plot = this.plot as uPlot;
    return plot.posToVal(client_x - plot.over.getBoundingClientRect().left, "x");
  }

  // ---- time shown

  show_cursor(t: number): void {
    const plot = this.plot;
    if (!plot) return;
    const [t0, t1] = this.group.window;
    const x = ((t - t0) / (t1 - t0)) * this.inner_width;
    this.cursor.style.transform = `translateX(${x.toFixed(1)}px)`;
    this.cursor.hidden = t < t0 || t > t1;
  }

  show_values(t: number): void {
    this.spec.lines.forEach((line, k) => {
      const element = this.values[k];
      if (!element) return;
      element.textContent = line.time.length > 0 ? short(this.value_at(line, t)) : "–";
    });
  }

  private value_at(line: Line, t: number): number | null {
    const n = Math.min(line.time.length, line.values.length);
    if (n === 0) return null;
    const i = line.style === "stepped" ? find_index(line.time, t) : find_nearest(line.time, t);
    return i < n ? (line.values[i] as number) : null;
  }

  private make_legend(): void {
    this.values = [];
    this.legend.replaceChildren(
      ...this.spec.lines.map((line) => {
        const value = h("span", { class: "value" });
        this.values.push(value);
        if (line.style === "marks") {
          value.hidden = true;
        }
        const button = h(
          "button",
          { type: "button", "aria-pressed": String(!line.hidden), title: "Show or hide this line" },
          make_swatch(line),
          h("span", { class: "name" }, line.label),
          value,
        );
        button.addEventListener("click", () => {
          line.hidden = !line.hidden;
          this.rebuild();
        });
        return button;
      }),
    );
  }

  // ---- export

  // The columns side by side, each set of lines with the times that belong to it.
  make_csv(): string {
    const sets: { time: Float64Array; lines: Line[] }[] = [];
    for (const line of this.drawn) {
      const set = sets.find((entry) => entry.time === line.time);
      if (set) set.lines.push(line);
      else sets.push({ time: line.time, lines: [line] });
    }
    const header = sets.flatMap((set) => [
      "time [s]",
      ...set.lines.map((line) => csv_field(`${line.label} [${line.unit}]`)),
    ]);
    const rows = [header.join(",")];
    const n = Math.max(0, ...sets.map((set) => set.time.length));
    for (let i = 0; i < n; ++i) {
      const cells: string[] = [];
      for (const set of sets) {
        const inside = i < set.time.length;
        cells.push(inside ? String(set.time[i]) : "");
        for (const line of set.lines) cells.push(inside ? number_text(line.values, i) : "");
      }
      rows.push(cells.join(","));
    }
    return rows.join("\n") + "\n";
  }

  private save_csv(): void {
    save(new Blob([this.make_csv()], { type: "text/csv" }), `${this.file_stem}-${this.spec.id}.csv`);
  }

  // Title, legend and plot on one canvas.
  make_picture(): HTMLCanvasElement | null {
    const plot = this.plot;
    if (!plot) return null;
    const source = plot.ctx.canvas;
    const ratio = source.width / this.width;
    const top = 44;
    const canvas = h("canvas", { width: source.width, height: source.height + top * ratio });
    const ctx = canvas.getContext("2d") as CanvasRenderingContext2D;
    ctx.fillStyle = css("--panel");
    ctx.fillRect(0, 0, canvas.width, canvas.height);
    ctx.scale(ratio, ratio);
    ctx.fillStyle = css("--text");
    ctx.font = "600 13px system-ui, sans-serif";
    ctx.fillText(this.spec.title + (this.spec.unit ? ` [${this.spec.unit}]` : ""), 10, 18);
    ctx.font = "12px system-ui, sans-serif";
    let x = 10;
    for (const line of this.drawn) {
      ctx.strokeStyle = line_color(line.color);
      ctx.lineWidth = 2;
      ctx.setLineDash(DASHES[line.dash % DASHES.length] ?? []);
      ctx.beginPath();
      ctx.moveTo(x, 33);
      ctx.lineTo(x + 18, 33);
      ctx.stroke();
      ctx.fillText(line.label, x + 23, 37);
      x += 35 + ctx.measureText(line.label).width;
    }
    ctx.setTransform(1, 0, 0, 1, 0, 0);
    ctx.drawImage(source, 0, top * ratio);
    return canvas;
  }

  private save_png(): void {
    this.make_picture()?.toBlob((blob) => {
      if (blob) save(blob, `${this.file_stem}-${this.spec.id}.png`);
    });
  }
}

// ---- small things

function make_swatch(line: Line): SVGElement {
  const stroke = line_color(line.color);
  const children =
    line.style === "marks"
      ? [svg("path", { d: "M6 1l7 8M6 9l7-8", stroke, "stroke-width": 1.8, fill: "none" })]
      : [
          svg("line", {
            x1: 0, x2: 20, y1: 5, y2: 5, stroke, "stroke-width": 2.4,
            "stroke-dasharray": (DASHES[line.dash % DASHES.length] ?? []).join(" ") || "none",
          }),
        ];
  return svg(
    "svg",
    { width: 20, height: 10, viewBox: "0 0 20 10", "aria-hidden": "true", class: "swatch" },
    ...children,
  );
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

function linear_range(low: number | null, high: number | null, integers: boolean): [number, number] {
  if (low === null || high === null) return [0, 1];
  if (integers) return [Math.min(0, low), high + Math.max(1, 0.08 * high)];
  const size = Math.max(Math.abs(low), Math.abs(high));
  const span = high - low;
  // rounding noise on a constant is not worth a picture of its own
  if (span <= 1e-12 * size || span === 0) {
    const half = size > 0 ? 0.1 * size : 1;
    return [low - half, high + half];
  }
  return [low - 0.06 * span, high + 0.06 * span];
}

function log_range(low: number | null, high: number | null): [number, number] {
  if (low === null || high === null || !(low > 0)) return [1e-16, 1];
  // far below the others there is only rounding: it may leave the picture
  const a = Math.floor(Math.log10(Math.max(low, 1e-5 * Math.min(high, 1e-12))) - 0.05);
  const b = Math.ceil(Math.log10(high) + 0.05);
  return [10 ** a, 10 ** Math.max(b, a + 1)];
}

function log_splits(low: number, high: number): number[] {
  const a = Math.ceil(Math.log10(low) - 1e-6);
  const b = Math.floor(Math.log10(high) + 1e-6);
  const step = Math.max(1, Math.ceil((b - a) / 5));
  const splits: number[] = [];
  for (let k = Math.ceil(a / step) * step; k <= b; k += step) splits.push(10 ** k);
  return splits;
}

function power_label(value: number): string {
  return power_of_ten(Math.round(Math.log10(value)));
}

function axis_label(value: number, splits: number[]): string {
  const size = Math.max(...splits.map(Math.abs));
  if (Math.abs(value) < 1e-12 * size) return "0";
  if (size >= 1e5 || size < 1e-3) return short(value, 4);
  return String(Number(value.toPrecision(10))).replace("-", "−");
}
