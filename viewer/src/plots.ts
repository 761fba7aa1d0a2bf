// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The plots of the mechanism: any number, each with channels the reader chooses, over time or over
// another channel. What is chosen is kept in the address of the page.
import { ChannelList } from "./channels";
import type { Channel } from "./channels";
import { Chooser } from "./chooser";
import type { Choice } from "./chooser";
import type { Numbers, Run } from "./data";
import { choose_plots } from "./defaults";
import type { PlotChoice } from "./defaults";
import { h } from "./dom";
import { icon } from "./icons";
import { get_state, set_state } from "./page_state";
import type { PlotGroup, Line } from "./plot";
import { PlotPanel } from "./plot";
import { name_line } from "./solver_plots";
import { interpolate } from "./statistics";
import { find_family } from "./units";

interface Entry {
  panel: PlotPanel;
  chooser: Chooser;
  choice: Choice;
  title: string; // "": made from the channels
}

const GAP = 12; // px, between plots, as in style.css

let board: PlotBoard | null = null;

// Plots channels by name, those of the same unit together, and brings the plot into sight.
export function plotChannels(names: string[]): void {
  board?.show_channels(names);
}

export class PlotBoard {
  readonly element = h("div", { class: "plots", id: "plots" });
  readonly lists: ChannelList[];
  on_show: () => void = () => {}; // the reader asked for a plot from somewhere else
  private readonly entries: Entry[] = [];
  private readonly hint = h("p", { class: "plot-empty card" }, "No plots. Use “+ Plot” to add one.");
  private next_id = 1;

  constructor(private readonly runs: Run[], private readonly group: PlotGroup, private readonly stem: string) {
    this.lists = runs.map((run) => new ChannelList(run));
    this.element.append(this.hint);
    const first = this.lists[0];
    const choices = this.read_state() ?? (first ? choose_plots(first) : []);
    for (const choice of choices) this.add(choice);
    this.arrange();
    new ResizeObserver(() => this.arrange()).observe(this.element);
    window.addEventListener("resize", () => this.arrange());
    board = this;
  }

  // ---- plots come and go

  add(choice: PlotChoice): Entry {
    const nothing = (this.runs[0]?.motion_time.length ?? 0) > 0 ? "Choose channels from the list." : "Nothing was recorded.";
    const panel = new PlotPanel(this.group, { id: String(this.next_id++), title: "", lines: [], empty: nothing }, this.stem);
    const chosen: Choice = { channels: choice.channels, x: choice.x ?? "" };
    const chooser = new Chooser(this.lists[0], chosen, (changed) => {
      entry.title = "";
      this.choose(entry, changed);
      this.write_state();
    });
    const entry: Entry = { panel, chooser, choice: chosen, title: choice.title ?? "" };
    const remove = h("button", { type: "button", class: "link remove", "aria-label": "Remove this plot",
                                 title: "Remove this plot" }, icon("close"));
    remove.addEventListener("click", () => this.remove(entry));
    panel.extra.append(chooser.element);
    panel.element.querySelector(".plot-actions")?.append(remove);
    this.entries.push(entry);
    this.element.append(panel.element);
    this.choose(entry, chosen);
    return entry;
  }

  // Asked for by the reader: empty, with its list open.
  add_empty(): void {
    const entry = this.add({ channels: [] });
    this.arrange();
    this.write_state();
    entry.panel.element.scrollIntoView({ block: "nearest" });
    entry.chooser.open();
  }

  private remove(entry: Entry): void {
    const at = this.entries.indexOf(entry);
    this.entries.splice(at, 1);
    entry.panel.remove();
    this.arrange();
    this.write_state();
    const next = this.entries[Math.min(at, this.entries.length - 1)];
    (next?.panel.element.querySelector<HTMLElement>(".remove") ?? document.getElementById("add-plot"))?.focus();
  }

  show_channels(names: string[]): void {
    const known = names.map((name) => this.lists[0]?.find(name)).filter((channel) => channel !== undefined);
    if (known.length === 0) return;
    this.on_show();
    const groups = [...new Set(known.map((channel) => channel.unit))].map((unit) =>
      known.filter((channel) => channel.unit === unit).map((channel) => channel.id));
    let first: Entry | undefined;
    for (const channels of groups) {
      const same = this.entries.find((entry) =>
        entry.choice.x === "" && entry.choice.channels.join("\n") === channels.join("\n"));
      const empty = this.entries.find((entry) => entry.choice.channels.length === 0);
      const entry = same ?? empty ?? this.add({ channels });
      if (entry === empty) this.choose(entry, { channels, x: "" });
      first ??= entry;
    }
    this.arrange();
    this.write_state();
    const element = first?.panel.element;
    element?.scrollIntoView({ block: "nearest" });
    element?.classList.add("flash");
    setTimeout(() => element?.classList.remove("flash"), 1200);
  }

  // ---- lines

  private choose(entry: Entry, choice: Choice): void {
    entry.choice = choice;
    entry.chooser.set_choice(choice);
    const x = choice.x ? this.lists[0]?.find(choice.x) : undefined;
    const lines = choice.channels.flatMap((id, k) =>
      this.lists.flatMap((list, r) => this.make_line(choice, id, k, list, r)));
    entry.panel.set_spec({
      lines,
      title: entry.title || this.make_title(choice),
      x: x && { label: x.id, unit: x.unit },
    } as Parameters<PlotPanel["set_spec"]>[0]);
  }

  private make_line(choice: Choice, id: string, k: number, list: ChannelList, r: number): Line[] {
    const channel = list.find(id);
    const x = choice.x ? list.find(choice.x) : undefined;
    const run = this.runs[r] as Run;
    if (!channel || (choice.x && !x)) return [];
    const several = this.runs.length > 1;
    return [{
      label: name_line(this.runs, id, run, id),
      channel: id,
      quantity: id,
      ...(several ? { run } : {}),
      unit: channel.unit,
      color: several && choice.channels.length === 1 ? r : k,
      dash: r,
      time: channel.time,
      values: channel.values(),
      ...(x ? { x: resample(x, channel.time) } : {}),
    }];
  }

  private make_title(choice: Choice): string {
    const units = [...new Set(choice.channels.map((id) => this.lists[0]?.find(id)?.unit ?? ""))];
    const names = units.map((unit) => find_family(unit)?.name ?? (unit === "1" ? "Orientation" : "Channels"));
    const what = names.length > 0 ? names.join(", ") : "New plot";
    return choice.x ? `${choice.channels.length === 1 ? choice.channels[0] : what} over ${choice.x}` : what;
  }

  // ---- what is kept

  private write_state(): void {
    const plots = this.entries.map(({ choice, title }) => ({ c: choice.channels, x: choice.x || undefined, t: title || undefined }));
    set_state("plots", JSON.stringify(plots));
  }

  private read_state(): PlotChoice[] | null {
    const text = get_state("plots");
    if (text === "") return null;
    try {
      const known = (id: unknown): id is string => typeof id === "string" && this.lists[0]?.find(id) !== undefined;
      return (JSON.parse(text) as { c: unknown[]; x?: unknown; t?: unknown }[]).map(({ c, x, t }) => ({
        channels: c.filter(known),
        ...(known(x) ? { x } : {}),
        ...(typeof t === "string" ? { title: t } : {}),
      }));
    } catch {
      return null;
    }
  }

  // A few plots share the height of the column.
  private arrange(): void {
    this.hint.hidden = this.entries.length > 0;
    const scroller = this.element.closest<HTMLElement>(".tab-panel");
    const scrolls = scroller !== null && getComputedStyle(scroller).overflowY === "auto";
    const n = Math.min(this.entries.length, 3);
    let height = 190;
    if (scrolls && n > 0 && scroller.clientHeight > 0) {
      const others = this.entries.slice(0, n).reduce((sum, { panel }) => sum + panel.chrome, 0);
      const above = this.element.getBoundingClientRect().top - scroller.getBoundingClientRect().top + scroller.scrollTop;
      height = Math.floor((scroller.clientHeight - above - others - GAP * (n - 1) - 2) / n);
      height = Math.max(n === 3 ? 140 : 150, Math.min(460, height));
    }
    for (const { panel } of this.entries) panel.set_height(height);
  }
}

// A channel at the times of another; the same numbers where the times are the same.
function resample(channel: Channel, time: Float64Array): Numbers {
  const values = channel.values();
  if (channel.time === time || channel.time.length === time.length) return values;
  return Float64Array.from(time, (t) => interpolate(channel.time, values, t));
}
