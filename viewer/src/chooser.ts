// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The list of channels: type to narrow it, tick to plot.
import { ChannelList } from "./channels";
import type { Channel } from "./channels";
import type { Run } from "./data";
import { h } from "./dom";
import { count } from "./format";
import type { Line, PlotPanel } from "./plot";
import { name_line } from "./plots";

const MOST_SHOWN = 200;
const MOST_CHOSEN = 8;

export class Chooser {
  readonly element: HTMLElement;
  private readonly lists: ChannelList[];
  private readonly items = h("ul", { class: "channel-items" });
  private readonly filter: HTMLInputElement;
  private readonly status = h("p", { class: "channel-status", role: "status" });
  private chosen: string[];

  constructor(private readonly runs: Run[], private readonly panel: PlotPanel) {
    this.lists = runs.map((run) => new ChannelList(run));
    this.chosen = this.lists[0]?.choose_first() ?? [];
    this.filter = h("input", {
      type: "search", id: "channel-filter", placeholder: "Type a part of a name",
      autocomplete: "off", "aria-label": "Filter channels",
    });
    this.filter.addEventListener("input", () => this.show_items());
    const details = h(
      "details",
      { class: "menu", id: "channel-menu" },
      h("summary", {}, "Channels"),
      h("div", { class: "menu-body channel-list" }, this.filter, this.status, this.items),
    );
    details.addEventListener("toggle", () => {
      if (details.open) {
        this.show_items();
        this.filter.focus();
      }
    });
    this.element = details;
    this.plot();
  }

  private get all(): Channel[] {
    return this.lists[0]?.all ?? [];
  }

  private show_items(): void {
    const words = this.filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    const matches = this.all.filter((channel) =>
      words.every((word) => channel.id.toLowerCase().includes(word)),
    );
    // what is chosen stays in sight
    matches.sort((a, b) => Number(this.chosen.includes(b.id)) - Number(this.chosen.includes(a.id)));
    const shown = matches.slice(0, MOST_SHOWN);
    this.items.replaceChildren(...shown.map((channel) => this.make_item(channel)));
    const more = matches.length - shown.length;
    this.status.textContent =
      matches.length === 0 ? "No channel has this in its name."
      : more > 0 ? `${count(more)} more: type a part of the name`
      : "";
  }

  private make_item(channel: Channel): HTMLElement {
    const box = h("input", { type: "checkbox", "data-channel": channel.id });
    box.checked = this.chosen.includes(channel.id);
    box.addEventListener("change", () => {
      this.choose(channel.id, box.checked);
      box.checked = this.chosen.includes(channel.id);
    });
    return h("li", {}, h("label", {}, box, h("span", {}, channel.id, " "),
                         h("span", { class: "unit" }, `[${channel.unit}]`)));
  }

  private choose(id: string, wanted: boolean): void {
    if (wanted && this.chosen.length >= MOST_CHOSEN) {
      this.status.textContent = `At most ${MOST_CHOSEN} channels in one plot.`;
      return;
    }
    this.chosen = this.chosen.filter((other) => other !== id);
    if (wanted) this.chosen.push(id);
    this.plot();
  }

  private plot(): void {
    const lines = this.chosen.flatMap((id, k) =>
      this.lists.flatMap((list, r): Line[] => {
        const channel = list.find(id);
        const run = this.runs[r] as Run;
        if (!channel) return [];
        return [{
          label: name_line(this.runs, id, run, id),
          unit: channel.unit,
          color: this.runs.length > 1 && this.chosen.length === 1 ? r : k,
          dash: r,
          time: run.motion_time,
          values: channel.values(),
        }];
      }),
    );
    this.panel.set_lines(lines);
  }
}
