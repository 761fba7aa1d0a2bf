// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Tabs: one panel in sight; arrow keys move between them.
import { h } from "./dom";

export class Tabs {
  readonly element: HTMLElement;
  private readonly tabs: { id: string; button: HTMLButtonElement; panel: HTMLElement }[];

  constructor(entries: [string, string, HTMLElement[]][]) {
    this.tabs = entries.map(([id, title, content]) => {
      const button = h("button", { type: "button", role: "tab", id: `tab-${id}`, "aria-controls": `panel-${id}` }, title);
      button.addEventListener("click", () => this.show(id));
      const panel = h("div", { class: "tab-panel", role: "tabpanel", id: `panel-${id}`, "aria-labelledby": `tab-${id}`,
                               tabindex: 0 }, ...content);
      return { id, button, panel };
    });
    const list = h("div", { class: "tab-list", role: "tablist", "aria-label": "Results" },
                   ...this.tabs.map(({ button }) => button));
    list.addEventListener("keydown", (event) => {
      const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
      if (step === 0) return;
      event.preventDefault();
      event.stopPropagation();
      const at = this.tabs.findIndex(({ panel }) => !panel.hidden);
      const next = this.tabs[(at + step + this.tabs.length) % this.tabs.length];
      if (!next) return;
      this.show(next.id);
      next.button.focus();
    });
    this.element = h("section", { class: "side", "aria-label": "Results" }, list, ...this.tabs.map(({ panel }) => panel));
    this.show(this.tabs[0]?.id ?? "");
  }

  show(id: string): void {
    for (const tab of this.tabs) {
      const open = tab.id === id;
      tab.panel.hidden = !open;
      tab.button.setAttribute("aria-selected", String(open));
      tab.button.tabIndex = open ? 0 : -1;
    }
  }
}
