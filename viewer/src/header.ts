// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The top of the page: what it is, how it ended, light or dark, help.
import type { Run } from "./data";
import { h } from "./dom";
import { plural, short } from "./format";
import { make_badge } from "./summary";
import { toggle_theme } from "./theme";

export function make_bar(title: string, about: (Node | string)[], version: string,
                         help: (() => void) | null): HTMLElement {
  const theme = h("button", { type: "button", class: "plain small", id: "theme", title: "Dark or light (D)" },
                  "Dark / light");
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

export function make_header(runs: Run[], help: () => void): HTMLElement {
  const first = runs[0] as Run;
  const { summary, check } = first.head;
  const title = summary.model || "A run";
  const names = new Set(runs.map((run) => run.head.summary.model));
  const facts = [
    plural(check.bodies, "body", "bodies"),
    plural(check.joints, "joint", "joints"),
    plural(summary.degrees_of_freedom, "degree of freedom", "degrees of freedom"),
  ];
  if (runs.length === 1) {
    facts.push(`${summary.options.method}, rtol ${short(summary.options.rtol as number)}`);
    return make_bar(title, [make_badge(first), facts.join(" · ")], summary.version, help);
  }
  return make_bar(
    names.size > 1 ? [...names].join(", ") : title,
    [`${runs.length} runs compared · `, facts.join(" · ")],
    summary.version,
    help,
  );
}
