// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// What is selected: its values at the time shown, and what can be done with it.
import type { Channel } from "./channels";
import { ChannelList } from "./channels";
import type { Run } from "./data";
import { find_nearest } from "./data";
import { h } from "./dom";
import { short } from "./format";
import type { Item } from "./items";
import { icon } from "./icons";
import { make_actions } from "./tree";
import { display, on_units } from "./units";
import type { View } from "./view";

const MOST_ROWS = 60;

export class Details {
  readonly element = h("section", { class: "details", id: "details", hidden: true, "aria-label": "Selected item" });
  // Plots channels, by name.
  on_plot: ((names: string[]) => void) | null = null;
  private list: ChannelList | null = null;
  private run: Run | null = null;
  private item: Item | null = null;
  private channels: Channel[] = [];
  private cells: HTMLElement[] = [];
  private buttons: (() => void)[] = [];

  constructor(private readonly view: View, private readonly request: () => void) {
    on_units(() => this.show(this.item));
  }

  set_run(run: Run): void {
    this.run = run;
    this.list = null;
  }

  show(item: Item | null): void {
    this.item = item;
    this.element.hidden = item === null;
    if (!item || !this.run) return;
    this.list ??= new ChannelList(this.run);
    const prefix = `${item.name}.`;
    this.channels = this.list.all.filter((channel) => channel.id.startsWith(prefix)).slice(0, MOST_ROWS);
    this.fill(item);
    this.request();
  }

  // The channels that say most of an item, in one plot.
  private choose_main(): string[] {
    const units = new Map<string, string[]>();
    const rank = ["angle", "travel", "torque", "force", "position", "reaction_force.magnitude", "length"];
    const sorted = [...this.channels].sort((a, b) => place(a) - place(b));
    function place(channel: Channel): number {
      const at = rank.findIndex((word) => channel.quantity === word || channel.quantity.startsWith(`${word}.`));
      return at < 0 ? rank.length : at;
    }
    for (const { unit, id } of sorted) units.set(unit, [...(units.get(unit) ?? []), id]);
    return ([...units.values()][0] ?? []).slice(0, 3);
  }

  private fill(item: Item): void {
    const close = h("button", { type: "button", class: "link", "aria-label": "Close details", title: "Close" }, icon("close"));
    close.addEventListener("click", () => this.view.select(""));
    this.buttons = [];
    const actions = make_actions(this.view).filter((action) => action.possible(item)).map((action) => {
      const button = h("button", { type: "button", class: "plain small", "data-action": action.label.toLowerCase() }, action.label);
      button.addEventListener("click", () => action.run(item));
      this.buttons.push(() => button.setAttribute("aria-pressed", String(action.on(item))));
      return button;
    });
    if (this.on_plot && this.channels.length > 0) {
      const plot = h("button", { type: "button", class: "plain small", id: "details-plot" }, "Plot");
      plot.addEventListener("click", () => this.on_plot?.(this.choose_main()));
      actions.unshift(plot);
    }
    this.cells = [];
    const rows = this.channels.map(({ id, quantity, unit }) => {
      const cell = h("td", { "data-value": id });
      this.cells.push(cell);
      const shown = unit === "1" ? "" : display(unit).unit;
      const row = h("tr", {}, h("th", { scope: "row" }, quantity), cell, h("td", { class: "unit" }, shown));
      if (this.on_plot) {
        const one = h("button", { type: "button", class: "plot-one", title: `Plot ${id}`, "aria-label": `Plot ${id}` },
                      icon("plot"));
        one.addEventListener("click", () => this.on_plot?.([id]));
        row.append(h("td", { class: "plot-cell" }, one));
      }
      return row;
    });
    const names = item.bodies.map((body) => (body < 0 ? "ground" : this.run?.scene.bodies[body]?.name ?? ""));
    const mass = item.kind === "body" ? `, ${short(this.run?.scene.bodies[item.index]?.mass ?? NaN)} kg` : "";
    const between = item.kind === "body" ? "" : `, ${[...new Set(names)].join(" – ")}`;
    this.element.replaceChildren(
      h("div", { class: "details-head" }, h("strong", {}, item.name), close),
      h("div", { class: "details-what" }, `${item.what}${mass}${between}`),
      h("div", { class: "details-actions" }, ...actions),
      rows.length > 0 ? h("table", {}, h("tbody", {}, ...rows))
                      : h("p", { class: "details-what" }, "Nothing was recorded for it."),
    );
    this.show_states();
  }

  show_states(): void {
    for (const update of this.buttons) update();
  }

  update(t: number): void {
    if (!this.item || !this.run || this.element.hidden) return;
    const row = find_nearest(this.run.motion_time, t);
    this.channels.forEach((channel, k) => {
      const text = short((channel.values()[row] ?? NaN) * display(channel.unit).factor, 5);
      const cell = this.cells[k];
      if (cell && cell.textContent !== text) cell.textContent = text;
    });
  }
}
