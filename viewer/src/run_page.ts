// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The page of a run, or of several to compare: the picture, six plots, the summary.
import { Chooser } from "./chooser";
import type { Page, Run } from "./data";
import { h, icon } from "./dom";
import { make_header } from "./header";
import type { Key } from "./keys";
import { listen, make_help } from "./keys";
import { PlotGroup, PlotPanel } from "./plot";
import type { PlotSpec } from "./plot";
import { make_balance, make_energies, make_newton, make_steps, make_violation } from "./plots";
import { Player } from "./player";
import { Stage } from "./stage";
import { make_alerts, make_brief, make_summary } from "./summary";
import { toggle_theme } from "./theme";

// A name that file systems take.
export function make_file_stem(name: string): string {
  return name.replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-+|-+$/g, "").slice(0, 60) || "trammel";
}

function make_zoom_tools(group: PlotGroup): HTMLElement {
  const tool = (name: string, label: string, run: () => void) => {
    const button = h("button", { type: "button", class: "tool", "aria-label": label, title: label }, icon(name));
    button.addEventListener("click", run);
    return button;
  };
  const reset = h("button", { type: "button", class: "plain small", id: "reset-zoom", title: "See all (Z)" }, "All");
  reset.addEventListener("click", () => group.reset_zoom());
  return h("div", { class: "zoom-tools", role: "group", "aria-label": "Zoom in time" },
           tool("minus", "Zoom out in time", () => group.zoom_by(2)),
           tool("plus", "Zoom in on the time shown", () => group.zoom_by(0.5)), reset);
}

function make_run_switch(runs: Run[], choose: (run: Run) => void): HTMLElement | null {
  if (runs.length < 2) return null;
  const boxes = runs.map((run, k) => {
    const box = h("input", { type: "radio", name: "run", value: k, checked: k === 0, id: `run-${k}` });
    box.addEventListener("change", () => choose(run));
    return h("label", { class: "segment" }, box, h("span", {}, h("b", {}, run.letter), ` ${run.label}`));
  });
  return h("fieldset", { class: "run-switch" }, h("legend", {}, "In the picture"), ...boxes);
}

function make_keys(player: Player, stage: Stage, group: PlotGroup, runs: Run[], help: () => void): Key[] {
  const step = (event: KeyboardEvent) => (event.shiftKey ? 0.1 : 0.01) * player.t_end;
  const keys: Key[] = [
    { keys: [" "], name: "space", text: "play or pause", run: () => player.toggle() },
    { keys: ["ArrowLeft"], name: "←", text: "back by a hundredth (shift: a tenth) of the run",
      run: (event) => player.seek(player.t - step(event)) },
    { keys: ["ArrowRight"], name: "→", text: "forward, likewise",
      run: (event) => player.seek(player.t + step(event)) },
    { keys: ["Home"], name: "Home", text: "to the start", run: () => player.seek(0) },
    { keys: ["End"], name: "End", text: "to the end", run: () => player.seek(player.t_end) },
    { keys: ["["], name: "[", text: "slower", run: () => player.change_speed(-1) },
    { keys: ["]"], name: "]", text: "faster", run: () => player.change_speed(1) },
    { keys: ["l", "L"], name: "L", text: "loop or not", run: () => player.set_loop(!player.loop) },
    { keys: ["f", "F"], name: "F", text: "fit the picture", run: () => stage.view.fit("current") },
    { keys: ["z", "Z"], name: "Z", text: "plots: see all of the time", run: () => group.reset_zoom() },
    { keys: ["d", "D"], name: "D", text: "dark or light", run: toggle_theme },
    { keys: ["?"], name: "?", text: "this list", run: help },
  ];
  if (runs.length > 1) {
    keys.push({
      keys: runs.slice(0, 9).map((_, k) => String(k + 1)),
      name: "1 … 9",
      text: "choose the run in the picture",
      run: (event) => document.getElementById(`run-${Number(event.key) - 1}`)?.click(),
    });
  }
  return keys;
}

export function show_run_page(page: Page, root: HTMLElement): { player: Player; stage: Stage; group: PlotGroup } {
  const { runs } = page;
  const first = runs[0] as Run;
  const player = new Player(Math.max(0, ...runs.map((run) => run.t_end)));
  const stem = make_file_stem(first.head.summary.model);
  const stage = new Stage(player, stem);
  const group = new PlotGroup(player, "run");
  const specs = [make_energies, make_balance, make_violation, make_steps, make_newton];
  const panels = specs.map((make) => new PlotPanel(group, make(runs), stem));
  const channel_spec: PlotSpec = {
    id: "channels", title: "Channels", unit: "", lines: [],
    empty: first.motion_time.length > 0 ? "Choose a channel from the list." : "Nothing was recorded.",
  };
  const channels = new PlotPanel(group, channel_spec, stem);
  channels.extra.append(new Chooser(runs, channels).element);

  const dialog_host: { dialog?: HTMLDialogElement } = {};
  const keys = make_keys(player, stage, group, runs, () => dialog_host.dialog?.showModal());
  const dialog = (dialog_host.dialog = make_help(keys));
  listen(keys);

  root.append(
    make_header(runs, () => dialog.showModal()),
    h("main", { id: "main" },
      ...make_alerts(runs),
      h("div", { class: "layout" },
        h("section", { class: "stage-column", "aria-label": "Picture" },
          make_run_switch(runs, (run) => stage.set_run(run)), stage.element, make_brief(runs)),
        h("section", { class: "plots-column", "aria-label": "Plots" },
          h("div", { class: "plots-head" }, h("h2", {}, "Over time"),
            h("span", { class: "hint" }, "drag to zoom · click to go there"), make_zoom_tools(group)),
          h("div", { class: "plots" }, ...panels.map((panel) => panel.element), channels.element))),
      make_summary(runs)),
    dialog,
  );
  stage.set_run(first);
  return { player, stage, group };
}
