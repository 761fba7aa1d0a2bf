// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The top of the page: what it is, how it ended, light or dark, help.
import type { Run } from "./data";
import { h } from "./dom";
import { plural } from "./format";
import { icon } from "./icons";
import { judge, make_badge } from "./summary";
import { toggle_theme } from "./theme";

export function make_bar(title: string, about: (Node | string)[], version: string,
                         help: (() => void) | null): HTMLElement {
  const theme = h("button", { type: "button", class: "tool", id: "theme", title: "Dark or light (D)", "aria-label": "Dark or light" },
                  icon("theme"));
  theme.addEventListener("click", toggle_theme);
  const keys = help && h("button", { type: "button", class: "plain small", id: "help" }, "Keys");
  if (keys && help) keys.addEventListener("click", help);
  return h(
    "header",
    { class: "top" },
    h("div", { class: "top-title" }, h("h1", {}, title), h("p", { class: "about" }, ...about)),
    h("div", { class: "top-tools" }, h("span", { class: "version" }, `Trammel ${version}`), keys, theme),
  );
}

// "0 degrees of freedom, 6 driven"
function describe_mobility(run: Run): string {
  const { drivers } = run.scene;
  const free = plural(run.head.summary.degrees_of_freedom, "degree of freedom", "degrees of freedom");
  return drivers.length > 0 ? `${free}, ${drivers.length} driven` : free;
}

export function make_header(runs: Run[], help: () => void, show_solver: () => void): HTMLElement {
  const first = runs[0] as Run;
  const { summary, check } = first.head;
  const title = summary.model || "A run";
  const names = new Set(runs.map((run) => run.head.summary.model));
  const facts = [
    plural(check.bodies, "body", "bodies"),
    plural(check.joints, "joint", "joints"),
    describe_mobility(first),
  ];
  const { ok, text } = judge(runs);
  const solver = h("button", { type: "button", class: `badge ${ok ? "ok" : "bad"}`, id: "solver-badge",
                               title: "Show the Solver tab" }, `${ok ? "✓" : "⚠"} ${text}`);
  solver.addEventListener("click", show_solver);
  if (runs.length === 1) {
    return make_bar(title, [make_badge(first), solver, facts.join(" · ")], summary.version, help);
  }
  return make_bar(
    names.size > 1 ? [...names].join(", ") : title,
    [solver, `${runs.length} runs compared · `, facts.join(" · ")],
    summary.version,
    help,
  );
}
