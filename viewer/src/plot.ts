// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// One plot, over time or of one channel over another: a uPlot drawing, a legend with the values at the
// time shown, the time cursor, the two cursors of the reader, and export as PNG and CSV. Plots of a
// group share the window of time and the cursors.
import uPlot from "uplot";
import type { Numbers } from "./data";
import { find_index, find_nearest } from "./data";
import { h } from "./dom";
import { short } from "./format";
import { Legend } from "./legend";
import type { Player } from "./player";
import { make_csv, make_picture, save } from "./plot_files";
import { Pyramid } from "./pyramid";
import { axis_label, equalise, linear_range, log_range, log_splits, power_label } from "./scales";
import { interpolate } from "./statistics";
import { css, DASHES, line_color, on_theme } from "./theme";
import { display, find_family, on_units } from "./units";

export interface Line {
  label: string;
  channel?: string; // the name of the channel it shows
  quantity?: string; // without the run, where several are compared
  run?: { letter: string; label: string };
  unit: string; // SI
  color: number; // into the palette
  dash: number; // into DASHES
  time: Float64Array;
  values: Numbers;
  x?: Numbers; // of an x–y plot: one for each value
  style?: "line" | "stepped" | "marks"; // marks: crosses, not joined
  hidden?: boolean;
}

export interface PlotSpec {
  id: string;
  title: string;
  unit?: string; // shown instead of the unit of the lines
  logarithmic?: boolean;
  integers?: boolean; // the values are counts
  x?: { label: string; unit: string }; // an x–y plot
  lines: Line[];
  empty?: string; // what to say when there is nothing to draw
}

export type Cursors = [number, number]; // s

// Plots that zoom together.
export class PlotGroup {
  window: [number, number];
  hover: number | null = null;
  cursors: Cursors | null = null;
  readonly panels: PlotPanel[] = [];
  private last_values = 0;
  private moved = false; // the cursors, since the last frame
  private readonly cursor_followers: (() => void)[] = [];

  constructor(readonly player: Player, readonly key: string) {
    this.window = [0, player.t_end > 0 ? player.t_end : 1];
    player.follow((t) => this.show_time(t));
    on_theme(() => this.panels.forEach((panel) => panel.rebuild()));
    on_units(() => this.panels.forEach((panel) => panel.rebuild()));
  }

  get full(): [number, number] {
    return [0, this.player.t_end > 0 ? this.player.t_end : 1];
  }

  remove(panel: PlotPanel): void {
    const at = this.panels.indexOf(panel);
    if (at >= 0) this.panels.splice(at, 1);
  }

  zoom_to(t0: number, t1: number): void {
    const [a, b] = this.full;
    const smallest = (b - a) * 1e-6;
    const begin = Math.max(a, Math.min(t0, b - smallest));
    this.window = [begin, Math.min(b, Math.max(t1, begin + smallest))];
    for (const panel of this.panels) panel.refresh();
    this.moved = true;
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

  // ---- the two cursors

  follow_cursors(follower: () => void): void {
    this.cursor_followers.push(follower);
  }
  set_cursors(cursors: Cursors | null): void {
    const [a, b] = this.full;
    const inside = (t: number) => Math.min(b, Math.max(a, t));
    this.cursors = cursors && [inside(cursors[0]), inside(cursors[1])];
    this.moved = true;
    for (const follower of this.cursor_followers) follower();
    this.player.request();
  }
  // On at a quarter and three quarters of what is in sight.
  toggle_cursors(): void {
    const [t0, t1] = this.window;
    this.set_cursors(this.cursors ? null : [t0 + (t1 - t0) / 4, t1 - (t1 - t0) / 4]);
  }
  get between(): [number, number] | null {
    return this.cursors && [Math.min(...this.cursors), Math.max(...this.cursors)];
  }

  // In each frame: the cursors always, the numbers ten times a second.
  private show_time(t: number): void {
    const panels = this.panels.filter((panel) => panel.in_sight);
    for (const panel of panels) panel.show_cursor(t);
    if (this.moved) {
      this.moved = false;
      for (const panel of panels) panel.show_cursors();
    }
    const now = performance.now();
    if (this.player.playing && this.hover === null && now - this.last_values < 100) return;
    this.last_values = now;
    for (const panel of panels) panel.show_values(this.hover ?? t);
  }
}

const HEIGHT = 190;

export class PlotPanel {
  readonly element: HTMLElement;
  readonly extra: HTMLElement; // what a plot may add to its head
  in_sight = false; // not in a tab that is closed
  private readonly heading = h("h3", {});
  private readonly box: HTMLElement;
  private readonly legend: Legend;
  private readonly message: HTMLElement;
  private readonly cursor: HTMLElement;
  private readonly band = h("div", { class: "cursor-band", hidden: true });
  private readonly handles: HTMLElement[];
  private readonly dots: HTMLElement[] = [];
  private plot: uPlot | null = null;
  private pyramids: Pyramid[] = [];
  private drawn: Line[] = [];
  private width = 0;
  private height = HEIGHT;
  private inner_width = 0; // of the part with the lines, CSS pixels
  private readonly observer: ResizeObserver;

  constructor(readonly group: PlotGroup, private spec: PlotSpec, readonly file_stem: string) {
    this.box = h("div", { class: "plot-box", role: "img" });
    this.legend = new Legend((line) => {
      line.hidden = !line.hidden;
      this.rebuild();
    });
    this.message = h("p", { class: "plot-empty" });
    this.extra = h("span", { class: "plot-extra" });
    this.cursor = h("div", { class: "time-cursor" });
    this.handles = ["A", "B"].map((name, k) => this.make_handle(name, k as 0 | 1));
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
        this.heading,
        this.extra,
        h(
          "span",
          { class: "plot-actions" },
          action("PNG", "Save this plot as a picture", () => this.save_png()),
          action("CSV", "Save the data of this plot as a table, in SI units", () => this.save_csv()),
        ),
      ),
      this.legend.element,
      this.box,
      this.message,
      this.legend.statistics,
    );
    group.panels.push(this);
    this.observer = new ResizeObserver(() => this.on_resize());
    this.observer.observe(this.element);
    this.set_spec({});
  }

  get lines(): Line[] {
    return this.spec.lines;
  }

  set_lines(lines: Line[]): void {
    this.set_spec({ lines });
  }

  set_spec(change: Partial<PlotSpec>): void {
    this.spec = { ...this.spec, ...change };
    this.pyramids = this.spec.lines.map(
      (line) => new Pyramid(line.time, line.values, this.spec.logarithmic === true),
    );
    this.rebuild();
  }

  set_height(height: number): void {
    if (height === this.height) return;
    this.height = height;
    this.box.style.height = this.message.style.minHeight = `${height}px`;
    this.plot?.setSize({ width: this.width, height });
    if (this.spec.x) this.refresh();
  }

  // Height of what is not the drawing, CSS pixels.
  get chrome(): number {
    const drawing = this.box.hidden ? this.message.offsetHeight : this.box.offsetHeight;
    return Math.max(0, this.element.offsetHeight - drawing);
  }

  remove(): void {
    this.observer.disconnect();
    this.plot?.destroy();
    this.plot = null;
    this.group.remove(this);
    this.element.remove();
  }

  private on_resize(): void {
    const seen = this.element.clientWidth > 0;
    if (seen && !this.in_sight) this.group.player.request();
    this.in_sight = seen;
    const width = Math.floor(this.box.clientWidth);
    if (width === this.width || width === 0) return;
    this.width = width;
    if (this.plot) {
      this.plot.setSize({ width, height: this.height });
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
    this.legend.set_lines(this.spec.lines);
    this.show_title();
    const something = this.spec.lines.some((_, k) => this.has_values(k));
    this.box.hidden = !something;
    this.message.hidden = something;
    this.message.textContent = this.spec.empty ?? "Not recorded.";
    this.in_sight = this.element.clientWidth > 0;
    this.width = Math.floor(this.box.clientWidth) || this.width;
    if (!something || this.width === 0 || !this.in_sight) return;
    this.plot = this.spec.x
      ? new uPlot(this.make_xy_options(), this.calc_xy_data(), this.box)
      : new uPlot(this.make_options(), this.calc_data(), this.box);
    this.plot.over.append(this.band, this.cursor, ...this.handles);
    this.cursor.hidden = this.spec.x !== undefined;
    this.make_dots();
    if (!this.spec.x) this.add_touch(this.plot.over);
    const [t0, t1] = this.group.full;
    this.box.setAttribute(
      "aria-label",
      `${this.spec.title} ${this.spec.x ? `over ${this.spec.x.label}` : ""} from ${short(t0)} to ${short(t1)} s: ` +
        this.spec.lines.map((line) => line.label).join(", "),
    );
    this.show_cursors();
    this.group.player.request();
  }

  private show_title(): void {
    const units = this.units();
    const unit = this.spec.unit ?? (units.length === 1 ? units[0] : "");
    this.heading.replaceChildren(this.spec.title, " ", h("span", { class: "unit" }, unit ? `[${unit}]` : ""));
    this.element.setAttribute("aria-label", this.spec.title);
  }

  private has_values(k: number): boolean {
    const pyramid = this.pyramids[k];
    if (!pyramid) return false;
    for (let i = 0; i < pyramid.length; ++i) if (pyramid.value(i) !== null) return true;
    return false;
  }

  refresh(): void {
    if (!this.plot) return;
    if (this.spec.x) this.plot.setData(this.calc_xy_data(), true);
    else this.plot.setData(this.calc_data(), true);
  }

  // Lines with the same times share a table; uPlot joins tables of different times.
  private calc_data(): uPlot.AlignedData {
    const [t0, t1] = this.group.window;
    const tables = this.spec.lines
      .map((line, k) => ({ line, k }))
      .filter(({ line }) => !line.hidden)
      .map(({ line, k }) => {
        const excerpt = (this.pyramids[k] as Pyramid).excerpt(t0, t1, this.width * devicePixelRatio);
        const { factor } = display(line.unit);
        const shown = factor === 1 ? excerpt.values : excerpt.values.map((x) => (x === null ? null : x * factor));
        return [excerpt.time, shown] as uPlot.AlignedData;
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

  // Units of the lines as shown; each has an axis, up to two.
  private units(): string[] {
    return [...new Set(this.drawn.map((line) => display(line.unit).unit))];
  }

  private scale_of(line: Line): "y" | "y2" {
    const unit = display(line.unit).unit;
    return unit !== this.units()[0] ? "y2" : "y";
  }

  private make_options(): uPlot.Options {
    const group = this.group;
    const units = this.units();
    const log = this.spec.logarithmic === true;
    const second = units.length > 1;
    const range = (_: uPlot, low: number | null, high: number | null) =>
      log ? log_range(low, high) : linear_range(low, high, this.spec.integers === true);
    const scale = log ? { distr: 3 as const, log: 10 as const, range } : { range };
    const axis = (of: string, side: 3 | 1, label: string): uPlot.Axis => ({
      ...make_axis(of, side, label),
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
      height: this.height,
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
        { ...make_axis("x", 2, ""), values: (_, splits) => splits.map((v, k) =>
            axis_label(v, splits) + (k === splits.length - 1 ? " s" : "")) },
        axis("y", 3, second ? (units[0] ?? "") : ""),
        ...(second ? [axis("y2", 1, units.slice(1).join(", "))] : []),
      ],
      series: [
        {},
        ...this.drawn.map((line): uPlot.Series => ({
          scale: this.scale_of(line),
          stroke: () => line_color(line.color),
          width: 1.5,
          dash: DASHES[line.dash % DASHES.length] ?? [],
          spanGaps: log,
          pxAlign: 0, // whole pixels would make stairs of a smooth curve
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
        ready: [(plot) => (this.measure(plot), this.add_click(plot, (event) => this.time_of(event.clientX)))],
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
        const y = plot.valToPos(value, this.scale_of(line), true);
        ctx.moveTo(x - size, y - size);
        ctx.lineTo(x + size, y + size);
        ctx.moveTo(x - size, y + size);
        ctx.lineTo(x + size, y - size);
      });
      ctx.stroke();
      ctx.restore();
    });
  }

  // ---- one channel over another

  // Ranges of what is in the window of time; lengths over lengths get the same scale.
  private calc_xy_ranges(): { x: [number, number]; y: [number, number]; y2: [number, number] } {
    const [t0, t1] = this.group.window;
    const ranges: Record<string, [number, number]> = {};
    const add = (scale: string, value: number) => {
      const range = (ranges[scale] ??= [Infinity, -Infinity]);
      if (value < range[0]) range[0] = value;
      if (value > range[1]) range[1] = value;
    };
    const fx = display(this.spec.x?.unit ?? "").factor;
    for (const line of this.drawn) {
      const fy = display(line.unit).factor;
      const scale = this.scale_of(line);
      const last = Math.min(find_index(line.time, t1), line.values.length - 1);
      for (let i = find_index(line.time, t0); i <= last; ++i) {
        add("x", fx * ((line.x as Numbers)[i] as number));
        add(scale, fy * (line.values[i] as number));
      }
    }
    const padded = (range: [number, number] | undefined) =>
      range && Number.isFinite(range[0]) ? linear_range(range[0], range[1], false) : linear_range(null, null, false);
    const [x, y, y2] = [padded(ranges.x), padded(ranges.y), padded(ranges.y2)];
    const alike = this.units().length === 1 && this.units()[0] === display(this.spec.x?.unit ?? "").unit &&
      find_family(this.spec.x?.unit ?? "")?.id === "length";
    if (!alike) return { x, y, y2 };
    return { ...equalise(x, y, this.width - 70, this.height - 50), y2 };
  }

  // uPlot draws the axes; the curves are drawn by draw_xy.
  private calc_xy_data(): uPlot.AlignedData {
    const { x } = (this.xy_ranges = this.calc_xy_ranges());
    return [[x[0], x[1]], ...this.drawn.map(() => [null, null])] as uPlot.AlignedData;
  }
  private xy_ranges = { x: [0, 1] as [number, number], y: [0, 1] as [number, number], y2: [0, 1] as [number, number] };

  private make_xy_options(): uPlot.Options {
    const units = this.units();
    const second = units.length > 1;
    const { x } = this.spec as Required<PlotSpec>;
    return {
      width: this.width,
      height: this.height,
      legend: { show: false },
      padding: [8, second ? 0 : 12, 0, 0],
      cursor: { drag: { x: false, y: false }, points: { show: false } },
      scales: {
        x: { time: false, range: () => this.xy_ranges.x },
        y: { range: () => this.xy_ranges.y },
        ...(second ? { y2: { range: () => this.xy_ranges.y2 } } : {}),
      },
      axes: [
        make_axis("x", 2, `${x.label} [${display(x.unit).unit}]`),
        make_axis("y", 3, second ? (units[0] ?? "") : ""),
        ...(second ? [make_axis("y2", 1, units.slice(1).join(", "))] : []),
      ],
      series: [{}, ...this.drawn.map((line): uPlot.Series => ({ scale: this.scale_of(line), points: { show: false } }))],
      hooks: {
        setSize: [(plot) => this.measure(plot)],
        draw: [(plot) => this.draw_xy(plot)],
        setCursor: [(plot) => {
          const { left = -1, top = -1 } = plot.cursor;
          this.group.set_hover(left >= 0 ? this.find_time(plot, left, top) : null);
        }],
        ready: [(plot) => {
          this.measure(plot);
          this.add_click(plot, (event) => {
            const box = plot.over.getBoundingClientRect();
            return this.find_time(plot, event.clientX - box.left, event.clientY - box.top);
          });
        }],
      },
    };
  }

  private draw_xy(plot: uPlot): void {
    const { ctx, bbox } = plot;
    const [t0, t1] = this.group.window;
    const fx = display(this.spec.x?.unit ?? "").factor;
    ctx.save();
    ctx.beginPath();
    ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
    ctx.clip();
    for (const line of this.drawn) {
      const scale = this.scale_of(line);
      const fy = display(line.unit).factor;
      const last = Math.min(find_index(line.time, t1), line.values.length - 1);
      ctx.strokeStyle = line_color(line.color);
      ctx.lineWidth = 1.5 * devicePixelRatio;
      ctx.lineJoin = "round";
      ctx.setLineDash((DASHES[line.dash % DASHES.length] ?? []).map((x) => x * devicePixelRatio));
      ctx.beginPath();
      let px = NaN;
      let py = NaN;
      for (let i = find_index(line.time, t0); i <= last; ++i) {
        const x = plot.valToPos(fx * ((line.x as Numbers)[i] as number), "x", true);
        const y = plot.valToPos(fy * (line.values[i] as number), scale, true);
        if (Math.abs(x - px) + Math.abs(y - py) < 0.5) continue;
        if (Number.isNaN(px)) ctx.moveTo(x, y);
        else ctx.lineTo(x, y);
        px = x;
        py = y;
      }
      ctx.stroke();
    }
    ctx.restore();
  }

  // The time at which a curve passes nearest to a point of the plot.
  private find_time(plot: uPlot, left: number, top: number): number {
    const [t0, t1] = this.group.window;
    const fx = display(this.spec.x?.unit ?? "").factor;
    let best = this.group.player.t;
    let nearest = Infinity;
    for (const line of this.drawn) {
      const fy = display(line.unit).factor;
      const scale = this.scale_of(line);
      const first = find_index(line.time, t0);
      const last = Math.min(find_index(line.time, t1), line.values.length - 1);
      const stride = Math.max(1, Math.floor((last - first) / 4000));
      for (let i = first; i <= last; i += stride) {
        const x = plot.valToPos(fx * ((line.x as Numbers)[i] as number), "x");
        const y = plot.valToPos(fy * (line.values[i] as number), scale);
        const distance = Math.hypot(x - left, y - top);
        if (distance < nearest) {
          nearest = distance;
          best = line.time[i] as number;
        }
      }
    }
    return best;
  }

  // Where the mechanism is now, on each curve.
  private make_dots(): void {
    for (const dot of this.dots.splice(0)) dot.remove();
    if (!this.spec.x) return;
    for (const line of this.drawn) {
      const dot = h("div", { class: "now-dot" });
      dot.style.background = line_color(line.color);
      this.dots.push(dot);
      this.plot?.over.append(dot);
    }
  }

  private place_dots(plot: uPlot, t: number): void {
    const fx = display(this.spec.x?.unit ?? "").factor;
    this.drawn.forEach((line, k) => {
      const dot = this.dots[k];
      if (!dot) return;
      const x = plot.valToPos(fx * interpolate(line.time, line.x as Numbers, t), "x");
      const y = plot.valToPos(display(line.unit).factor * interpolate(line.time, line.values, t), this.scale_of(line));
      dot.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
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
  private add_click(plot: uPlot, find: (event: MouseEvent) => number): void {
    let from = 0;
    plot.over.addEventListener("mousedown", (event) => (from = event.clientX));
    plot.over.addEventListener("click", (event) => {
      if (Math.abs(event.clientX - from) > 3) return;
      this.group.player.seek(find(event));
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

  // One of the two cursors: drag it; the keyboard has the fields of the toolbar.
  private make_handle(name: string, k: 0 | 1): HTMLElement {
    const handle = h("div", { class: "cursor-handle", "data-cursor": name, hidden: true }, h("span", {}, name));
    const move = (event: PointerEvent) => {
      const cursors: Cursors = [...(this.group.cursors ?? this.group.full)];
      cursors[k] = this.time_of(event.clientX);
      this.group.set_cursors(cursors);
    };
    for (const type of ["mousedown", "click", "dblclick"]) {
      handle.addEventListener(type, (event) => event.stopPropagation());
    }
    handle.addEventListener("pointerdown", (event) => {
      handle.setPointerCapture(event.pointerId);
      event.stopPropagation();
    });
    handle.addEventListener("pointermove", (event) => {
      event.stopPropagation();
      if (handle.hasPointerCapture(event.pointerId)) move(event);
    });
    return handle;
  }

  private time_of(client_x: number): number {
    const plot = this.plot as uPlot;
    return plot.posToVal(client_x - plot.over.getBoundingClientRect().left, "x");
  }

  // ---- time shown

  show_cursor(t: number): void {
    const plot = this.plot;
    if (!plot) return;
    if (this.spec.x) {
      this.place_dots(plot, t);
      return;
    }
    const [t0, t1] = this.group.window;
    const x = ((t - t0) / (t1 - t0)) * this.inner_width;
    this.cursor.style.transform = `translateX(${x.toFixed(1)}px)`;
    this.cursor.hidden = t < t0 || t > t1;
  }

  // The reader's two cursors and what lies between them.
  show_cursors(): void {
    const { cursors, window: [t0, t1] } = this.group;
    const place = (t: number) => ((t - t0) / (t1 - t0)) * this.inner_width;
    const none = !cursors || this.spec.x !== undefined;
    this.handles.forEach((handle, k) => {
      const t = cursors?.[k] ?? 0;
      handle.hidden = none || t < t0 || t > t1;
      handle.style.transform = `translateX(${place(t).toFixed(1)}px)`;
    });
    this.band.hidden = none;
    if (!none) {
      const [a, b] = (this.group.between as [number, number]).map((t) => place(Math.min(t1, Math.max(t0, t))));
      this.band.style.left = `${(a as number).toFixed(1)}px`;
      this.band.style.width = `${((b as number) - (a as number)).toFixed(1)}px`;
    }
    this.legend.show_statistics(this.group.between);
  }

  show_values(t: number): void {
    this.legend.show_values(this.spec.lines.map((line) => this.value_at(line, t)), t);
  }

  // The value of the row nearest to t, in SI; of a logarithmic plot its size.
  private value_at(line: Line, t: number): number | null {
    const n = Math.min(line.time.length, line.values.length);
    if (n === 0) return null;
    const i = line.style === "stepped" ? find_index(line.time, t) : find_nearest(line.time, t);
    if (i >= n) return null;
    const value = line.values[i] as number;
    return this.spec.logarithmic ? Math.abs(value) : value;
  }

  // ---- export

  make_csv(): string {
    return make_csv(this.drawn, this.spec.x);
  }

  private save_csv(): void {
    save(new Blob([this.make_csv()], { type: "text/csv" }), `${this.file_stem}-${this.spec.id}.csv`);
  }

  private save_png(): void {
    if (!this.plot) return;
    const title = this.heading.textContent ?? "";
    make_picture(title, this.drawn, this.plot.ctx.canvas, this.width).toBlob((blob) => {
      if (blob) save(blob, `${this.file_stem}-${this.spec.id}.png`);
    });
  }
}

// ---- small things

function make_axis(scale: string, side: 1 | 2 | 3, label: string): uPlot.Axis {
  const font = "12px system-ui, sans-serif";
  return {
    scale,
    side,
    stroke: () => css("--muted"),
    font,
    size: side === 2 ? 26 : 58,
    gap: side === 2 ? 3 : 4,
    grid: side === 1 ? { show: false } : { stroke: () => css("--grid"), width: 1 },
    ticks: { show: false },
    ...(side === 2 ? { space: 60 } : {}),
    ...(label ? { label, labelSize: 16, labelFont: font, labelGap: 0 } : {}),
    values: (_, splits) => splits.map((v) => axis_label(v, splits)),
  };
}
