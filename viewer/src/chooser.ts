// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The channels of one plot: type to narrow the list, tick to plot, "x" to plot over that channel
// instead of time. The list is grouped by unit.
import type { Channel, ChannelList } from "./channels";
import { h } from "./dom";
import { count } from "./format";
import { find_family } from "./units";

const MOST_SHOWN = 200;
const MOST_CHOSEN = 12;

export interface Choice {
  channels: string[];
  x: string; // "": time
}

export class Chooser {
  readonly element: HTMLDetailsElement;
  private readonly items = h("div", { class: "channel-items" });
  private readonly filter: HTMLInputElement;
  private readonly status = h("p", { class: "channel-status", role: "status" });
  private readonly x_line = h("p", { class: "channel-x" });

  constructor(private readonly list: ChannelList | undefined, private choice: Choice,
              private readonly changed: (choice: Choice) => void) {
    this.filter = h("input", {
      type: "search", class: "channel-filter", placeholder: "Filter, e.g. shoulder torque",
      autocomplete: "off", "aria-label": "Filter channels",
    });
    this.filter.addEventListener("input", () => this.show_items());
    const body = h("div", { class: "menu-body channel-list" }, this.filter, this.x_line, this.status, this.items);
    this.element = h("details", { class: "menu channel-menu" }, h("summary", {}, "Channels"), body);
    this.element.addEventListener("toggle", () => {
      if (!this.element.open) return;
      this.show_items();
      place_menu(this.element, body);
      this.filter.focus({ preventScroll: true });
    });
  }

  open(): void {
    this.element.open = true;
  }

  set_choice(choice: Choice): void {
    this.choice = choice;
    if (this.element.open) this.show_items();
  }

  private show_items(): void {
    const words = this.filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    const matches = (this.list?.all ?? []).filter((channel) =>
      words.every((word) => channel.id.toLowerCase().includes(word)),
    );
    // what is chosen stays in sight
    const chosen = matches.filter((channel) => this.is_used(channel));
    const shown = [...chosen, ...matches.filter((channel) => !this.is_used(channel))].slice(0, MOST_SHOWN);
    const sections: Node[] = chosen.length > 0 ? [this.make_section("In this plot", chosen)] : [];
    const others = shown.slice(chosen.length);
    for (const unit of new Set(others.map((channel) => channel.unit))) {
      const name = find_family(unit)?.name ?? "Other";
      sections.push(this.make_section(`${name} [${unit}]`, others.filter((channel) => channel.unit === unit)));
    }
    this.items.replaceChildren(...sections);
    const more = matches.length - shown.length;
    this.status.textContent =
      matches.length === 0 ? "No matching channel"
      : more > 0 ? `${count(more)} more, type to filter`
      : "";
    this.show_x();
  }

  private is_used(channel: Channel): boolean {
    return this.choice.channels.includes(channel.id) || this.choice.x === channel.id;
  }

  private show_x(): void {
    const reset = h("button", { type: "button", class: "link" }, "use time");
    reset.addEventListener("click", () => this.set_x(""));
    this.x_line.replaceChildren("x axis: ", h("strong", {}, this.choice.x || "time"), " ",
                                ...(this.choice.x ? [reset] : []));
  }

  private make_section(title: string, channels: Channel[]): HTMLElement {
    return h("section", { "aria-label": title }, h("h4", {}, title),
             h("ul", {}, ...channels.map((channel) => this.make_item(channel))));
  }

  private make_item(channel: Channel): HTMLElement {
    const box = h("input", { type: "checkbox", "data-channel": channel.id });
    box.checked = this.choice.channels.includes(channel.id);
    box.addEventListener("change", () => {
      this.choose(channel, box.checked);
      box.checked = this.choice.channels.includes(channel.id);
    });
    const as_x = h("button", { type: "button", class: "as-x", "aria-pressed": String(this.choice.x === channel.id),
                               "data-x": channel.id, "aria-label": `Plot over ${channel.id}`,
                               title: "Use as x axis" }, "x");
    as_x.addEventListener("click", () => this.set_x(this.choice.x === channel.id ? "" : channel.id));
    return h("li", {}, h("label", {}, box, h("span", {}, channel.id)), as_x);
  }

  private set_x(id: string): void {
    // a channel over itself is a straight line
    const channels = this.choice.channels.filter((other) => other !== id);
    this.changed((this.choice = { channels, x: id }));
    this.show_items();
  }

  private choose(channel: Channel, wanted: boolean): void {
    const { channels, x } = this.choice;
    const units = new Set(channels.map((id) => this.list?.find(id)?.unit));
    if (wanted && channels.length >= MOST_CHOSEN) {
      this.status.textContent = `A plot has at most ${MOST_CHOSEN} channels.`;
      return;
    }
    if (wanted && units.size >= 2 && !units.has(channel.unit)) {
      this.status.textContent = "A plot has at most two units; add another plot.";
      return;
    }
    const others = channels.filter((other) => other !== channel.id);
    this.changed((this.choice = { channels: wanted ? [...others, channel.id] : others, x }));
  }
}

// Below its button, inside the window, not cut off by a column that scrolls.
export function place_menu(menu: HTMLElement, body: HTMLElement): void {
  const box = menu.getBoundingClientRect();
  const width = Math.min(340, window.innerWidth - 16);
  const below = window.innerHeight - box.bottom - 12;
  const up = below < 240 && box.top > below;
  body.style.position = "fixed";
  body.style.width = `${width}px`;
  body.style.left = `${Math.max(8, Math.min(box.right - width, window.innerWidth - width - 8))}px`;
  body.style.right = "auto";
  body.style.top = up ? "auto" : `${box.bottom + 4}px`;
  body.style.bottom = up ? `${window.innerHeight - box.top + 4}px` : "auto";
  body.style.maxHeight = `${Math.min(460, up ? box.top - 12 : below)}px`;
}
