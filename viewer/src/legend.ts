// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The legend of a plot: names, the values at the time shown, statistics between the two cursors. One
// run has a list; runs that are compared have a table, a row for each quantity and a column for each
// run. Full precision, in SI units, is in the data attributes.
import { h, svg } from "./dom";
import { short } from "./format";
import type { Line } from "./plot";
import { calc_statistics } from "./statistics";
import type { Statistics } from "./statistics";
import { DASHES, line_color } from "./theme";
import { display } from "./units";

export function make_swatch(line: Line): SVGElement {
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

// In parts of the largest value of a line.
const ROUNDING = 1e-12;

function find_size(values: ArrayLike<number>): number {
  let size = 0;
  for (let i = 0; i < values.length; ++i) {
    const value = Math.abs(values[i] as number);
    if (value > size && value < Infinity) size = value;
  }
  return size;
}

const STATISTICS: [keyof Statistics, string][] = [["min", "min"], ["max", "max"], ["mean", "mean"], ["rms", "RMS"]];

export class Legend {
  readonly element = h("div", { class: "legend" });
  readonly statistics = h("div", { class: "statistics", hidden: true });
  private values: HTMLElement[] = [];
  private lines: Line[] = [];
  private noise: number[] = [];  // of each line: smaller values are rounding, and read as 0
  private with_units = false;

  // `toggle` shows or hides a line.
  constructor(private readonly toggle: (line: Line) => void) {}

  set_lines(lines: Line[]): void {
    this.lines = lines;
    this.noise = lines.map((line) => ROUNDING * find_size(line.values));
    this.with_units = new Set(lines.map((line) => line.unit)).size > 1;
    this.values = lines.map((line) =>
      h("span", { class: "value", "data-channel": line.channel ?? line.label, "data-run": line.run?.letter,
                  "data-unit": line.unit, hidden: line.style === "marks" }));
    const compared = new Set(lines.map((line) => line.run?.letter)).size > 1;
    this.element.classList.toggle("compared", compared);
    if (compared) this.element.replaceChildren(this.make_table());
    else this.element.replaceChildren(...lines.map((line, k) => this.make_button(line, k)));
  }

  private make_button(line: Line, k: number, table = false): HTMLElement {
    const button = h(
      "button",
      { type: "button", "aria-pressed": String(!line.hidden), title: "Show or hide this line",
        "aria-label": table ? line.label : undefined },
      make_swatch(line),
      !table && h("span", { class: "name" }, line.label),
      this.values[k],
    );
    button.addEventListener("click", () => this.toggle(line));
    return button;
  }

  private make_table(): HTMLElement {
    const quantities = [...new Set(this.lines.map((line) => line.quantity ?? line.label))];
    const runs = [...new Map(this.lines.map((line) => [line.run?.letter ?? "", line.run])).values()];
    return h("table", {},
      h("thead", {}, h("tr", {}, h("td", {}),
        ...runs.map((run) => h("th", { scope: "col", title: run?.label }, run?.letter ?? "")))),
      h("tbody", {}, ...quantities.map((quantity) =>
        h("tr", {}, h("th", { scope: "row" }, quantity), ...runs.map((run) => {
          const k = this.lines.findIndex((line) =>
            (line.quantity ?? line.label) === quantity && line.run?.letter === run?.letter);
          const line = this.lines[k];
          return h("td", {}, line && this.make_button(line, k, true));
        })))));
  }

  // `values`: in SI, one for each line.
  show_values(values: (number | null)[], t: number): void {
    this.values.forEach((element, k) => {
      const line = this.lines[k] as Line;
      const value = values[k] ?? null;
      const { unit, factor } = display(line.unit);
      const shown = value !== null && Math.abs(value) < (this.noise[k] as number) ? 0 : value;
      element.textContent = short(shown === null ? null : shown * factor) + (this.with_units && value !== null ? ` ${unit}` : "");
      element.dataset.value = value === null ? "" : String(value);
      element.dataset.time = String(t);
    });
  }

  show_statistics(between: [number, number] | null): void {
    this.statistics.hidden = between === null;
    if (!between) return;
    const rows = this.lines.filter((line) => !line.hidden && (line.style ?? "line") === "line").map((line) => {
      const found = calc_statistics(line.time, line.values, ...between);
      const { unit, factor } = display(line.unit);
      const cells = STATISTICS.map(([key]) => {
        const value = found ? found[key] : null;
        return h("td", { "data-statistic": key, "data-value": value === null ? "" : String(value) },
                 short(value === null ? null : value * factor));
      });
      return h("tr", { "data-channel": line.channel ?? line.label, "data-run": line.run?.letter },
               h("th", { scope: "row" }, make_swatch(line), h("span", {}, line.label),
                 this.with_units && h("span", { class: "unit" }, ` [${unit}]`)), ...cells);
    });
    this.statistics.replaceChildren(
      h("table", {},
        h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "between A and B"),
                         ...STATISTICS.map(([, name]) => h("th", { scope: "col" }, name)))),
        h("tbody", {}, ...rows)),
    );
    this.statistics.hidden = rows.length === 0;
  }
}
