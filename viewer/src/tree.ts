// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The model as a tree: bodies, joints, forces, drivers, points. A row is selected by a click or Enter; it
// can be hidden (H), isolated (I), made transparent (T), followed by the camera (C), and its loads shown
// (L). One row is in the tab order at a time; arrow keys move.
import { BodyColors } from "./colors";
import type { Run } from "./data";
import { h } from "./dom";
import type { Item, ItemKind } from "./items";
import { icon } from "./icons";
import type { View } from "./view";

const GROUPS: [ItemKind, string][] = [
  ["body", "Bodies"], ["joint", "Joints"], ["force", "Forces"], ["driver", "Drivers"], ["point", "Points"],
];
const MOST_OPEN = 16; // a group with more rows is closed at first
const MOST_ROWS = 2000;

interface Action {
  key: string;
  label: string;
  possible: (item: Item) => boolean;
  on: (item: Item) => boolean;
  run: (item: Item) => void;
}

export function make_actions(view: View): Action[] {
  return [
    { key: "h", label: "Hide", possible: () => true, on: (item) => view.hidden.has(item.key),
      run: (item) => view.toggle("hidden", item.key) },
    { key: "i", label: "Isolate", possible: () => true, on: (item) => view.isolated_by === item.key,
      run: (item) => view.isolate(item.key) },
    { key: "t", label: "Transparent", possible: () => true, on: (item) => view.faint.has(item.key),
      run: (item) => view.toggle("faint", item.key) },
    { key: "c", label: "Follow", possible: (item) => item.body >= 0,
      on: (item) => item.kind === "body" && view.followed === item.body,
      run: (item) => view.follow(view.followed === item.body ? -1 : item.body) },
    { key: "l", label: "Loads", possible: (item) => item.kind !== "body" && item.kind !== "point",
      on: (item) => view.loaded.has(item.key), run: (item) => view.toggle("loaded", item.key) },
  ];
}

export class Tree {
  readonly element: HTMLElement;
  private readonly list = h("ul", { class: "tree", role: "tree", "aria-label": "Model", id: "model-tree" });
  private readonly filter = h("input", {
    type: "search", placeholder: "Filter", "aria-label": "Filter the tree", id: "tree-filter", autocomplete: "off",
  });
  private readonly all = h("button", { type: "button", class: "link", id: "show-all", title: "Show everything again", hidden: true },
                           "Show all");
  private readonly eye = h("button", { type: "button", class: "tree-eye", tabindex: -1, title: "Hide (H)" }, icon("eye"));
  private eye_item: Item | undefined;
  private readonly actions: Action[];
  private rows = new Map<string, HTMLElement>();
  private colors: BodyColors | null = null;

  constructor(private readonly view: View) {
    this.actions = make_actions(view);
    this.filter.addEventListener("input", () => this.fill());
    this.all.addEventListener("click", () => view.show_all());
    this.eye.addEventListener("click", (event) => {
      event.stopPropagation();
      if (this.eye_item) view.toggle("hidden", this.eye_item.key);
    });
    this.list.addEventListener("keydown", (event) => this.on_key(event));
    this.list.addEventListener("click", (event) => this.on_click(event));
    this.list.addEventListener("pointerover", (event) => this.show_eye(this.item_at(event.target)));
    this.list.addEventListener("pointerleave", () => this.show_eye(this.find(view.selected)));
    this.list.addEventListener("focusin", (event) => this.show_eye(this.item_at(event.target)));
    this.element = h("div", { class: "tree-inner" },
                     h("div", { class: "tree-head" }, this.filter, this.all), this.list);
  }

  set_run(run: Run): void {
    this.colors = new BodyColors(run);
    this.filter.value = "";
    this.fill();
  }

  private find(key: string): Item | undefined {
    return this.view.items.find((item) => item.key === key);
  }

  private fill(): void {
    const word = this.filter.value.trim().toLowerCase();
    this.rows = new Map();
    this.eye.remove();
    const groups = GROUPS.flatMap(([kind, title]) => {
      const items = this.view.items.filter((item) => item.kind === kind);
      const matches = items.filter((item) => item.name.toLowerCase().includes(word));
      if (items.length === 0 || (word !== "" && matches.length === 0)) return [];
      const rows = h("ul", { role: "group" });
      const open = word !== "" || items.length <= MOST_OPEN;
      const group = h("li", { role: "treeitem", class: "tree-group", tabindex: -1, "aria-expanded": String(open),
                              "data-group": kind },
                      h("div", { class: "tree-row" }, h("span", { class: "tree-name" }, `${title} (${items.length})`)), rows);
      // rows of a closed group are made when it is opened
      const make = () => rows.append(...matches.slice(0, MOST_ROWS).map((item) => this.make_row(item)));
      if (open) make();
      else group.dataset.lazy = "true";
      group.addEventListener("open-group", () => {
        if (group.dataset.lazy) make();
        delete group.dataset.lazy;
        this.show_states();
      });
      return [group];
    });
    this.list.replaceChildren(...groups);
    groups[0]?.setAttribute("tabindex", "0");
    this.show_states();
  }

  private make_row(item: Item): HTMLElement {
    const dot = h("span", { class: `tree-dot ${item.kind}` });
    const row = h("li", { role: "treeitem", tabindex: -1, "data-item": item.key, title: `${item.name} (${item.what})` },
                  h("div", { class: "tree-row" }, dot, h("span", { class: "tree-name" }, item.name)));
    this.rows.set(item.key, row);
    return row;
  }

  // What is hidden, transparent, followed and selected, on every row.
  show_states(): void {
    const { view } = this;
    for (const [key, row] of this.rows) {
      const item = this.find(key);
      const states = [
        view.is_seen(key) ? "" : "hidden", view.faint.has(key) ? "faint" : "",
        item?.kind === "body" && item.index === view.followed ? "followed" : "", view.loaded.has(key) ? "loaded" : "",
      ].filter(Boolean);
      row.dataset.state = states.join(" ");
      row.setAttribute("aria-selected", String(key === view.selected));
      row.setAttribute("aria-label", [item?.name, ...states].join(", "));
      if (item?.kind === "body") {
        const dot = row.querySelector<HTMLElement>(".tree-dot");
        if (dot) dot.style.background = this.colors?.shown(item.index) ?? "";
      }
    }
    this.all.hidden = view.hidden.size === 0 && view.faint.size === 0 && !view.isolated;
    this.show_eye(this.eye_item ?? this.find(view.selected));
  }

  show_selected(): void {
    const item = this.find(this.view.selected);
    if (item && !this.rows.has(item.key)) {
      const group = this.list.querySelector<HTMLElement>(`[data-group="${item.kind}"][data-lazy]`);
      if (group) this.expand(group, true);
    }
    this.show_states();
    const row = this.rows.get(this.view.selected);
    if (!row) return;
    this.set_tab_stop(row);
    // the list scrolls, the page does not
    const box = this.list.getBoundingClientRect();
    const at = row.getBoundingClientRect();
    if (at.top < box.top) this.list.scrollTop += at.top - box.top;
    else if (at.bottom > box.bottom) this.list.scrollTop += at.bottom - box.bottom;
    this.show_eye(this.find(this.view.selected));
  }

  // An eye on the row under the pointer, on the one in focus, or on the selected one. The other actions
  // have buttons in the details of what is selected: here they would cover the names.
  private show_eye(item: Item | undefined): void {
    this.eye_item = item;
    const row = item && this.rows.get(item.key);
    if (!item || !row) return this.eye.remove();
    this.eye.setAttribute("aria-label", `Hide ${item.name}`);
    this.eye.setAttribute("aria-pressed", String(this.view.hidden.has(item.key)));
    const place = row.querySelector(".tree-row") as HTMLElement;
    if (this.eye.parentElement !== place) place.append(this.eye);
  }

  private item_at(target: EventTarget | null): Item | undefined {
    const row = (target as HTMLElement | null)?.closest<HTMLElement>("[data-item]");
    return row ? this.find(row.dataset.item ?? "") : undefined;
  }

  private on_click(event: MouseEvent): void {
    const row = (event.target as HTMLElement).closest<HTMLElement>('[role="treeitem"]');
    if (!row) return;
    this.set_tab_stop(row);
    if (row.dataset.group) this.expand(row, row.getAttribute("aria-expanded") !== "true");
    else this.view.select(row.dataset.item === this.view.selected ? "" : row.dataset.item ?? "");
  }

  private expand(group: HTMLElement, open: boolean): void {
    group.setAttribute("aria-expanded", String(open));
    if (open) group.dispatchEvent(new Event("open-group"));
  }

  private set_tab_stop(row: HTMLElement): void {
    for (const other of this.list.querySelectorAll('[tabindex="0"]')) other.setAttribute("tabindex", "-1");
    row.setAttribute("tabindex", "0");
  }

  private on_key(event: KeyboardEvent): void {
    const row = (event.target as HTMLElement).closest<HTMLElement>('[role="treeitem"]');
    if (!row || event.ctrlKey || event.metaKey || event.altKey) return;
    const item = this.find(row.dataset.item ?? "");
    const action = item && this.actions.find(({ key, possible }) => key === event.key.toLowerCase() && possible(item));
    const seen = [...this.list.querySelectorAll<HTMLElement>('[role="treeitem"]')]
      .filter((other) => other.dataset.group || other.parentElement?.closest('[aria-expanded="true"]'));
    const go = (to: HTMLElement | undefined | null) => {
      if (!to) return;
      this.set_tab_stop(to);
      to.focus();
    };
    const at = seen.indexOf(row);
    const group = row.dataset.group !== undefined;
    const open = row.getAttribute("aria-expanded") === "true";
    if (item && action) action.run(item);
    else if (event.key === "ArrowDown") go(seen[at + 1]);
    else if (event.key === "ArrowUp") go(seen[at - 1]);
    else if (event.key === "Home") go(seen[0]);
    else if (event.key === "End") go(seen[seen.length - 1]);
    else if (event.key === "ArrowRight" && group) open ? go(seen[at + 1]) : this.expand(row, true);
    else if (event.key === "ArrowLeft") group ? this.expand(row, false) : go(row.parentElement?.closest<HTMLElement>("[data-group]"));
    else if (event.key === "Enter" || event.key === " ") group ? this.expand(row, !open) : this.view.select(item?.key ?? "");
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
