// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The page of a run, or of several to compare: the mechanism in 3D, always in sight, and beside it the
// tabs Motion (plots), Solver (diagnostics) and Model (texts).
import { place_menu } from "./chooser";
import type { Page, Run } from "./data";
import { h } from "./dom";
import { icon } from "./icons";
import { short } from "./format";
import { make_header } from "./header";
import type { Key } from "./keys";
import { listen, make_help } from "./keys";
import { PlotGroup, PlotPanel } from "./plot";
import { PlotBoard, plotChannels } from "./plots";
import { Player } from "./player";
import { make_balance, make_energies, make_newton, make_steps, make_violation } from "./solver_plots";
import { Stage } from "./stage";
import { judge, make_alerts, make_all_warnings, make_brief, make_summary, make_texts } from "./summary";
import { Tabs } from "./tabs";
import { toggle_theme } from "./theme";
import { chosen_unit, FAMILIES, on_units, PRESETS, set_unit, set_units, start_units } from "./units";

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
  const reset = h("button", { type: "button", class: "plain small", id: "reset-zoom", title: "Reset time zoom (Z)" }, "All");
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
  return h("fieldset", { class: "run-switch" }, h("legend", {}, "Shown in 3D"), ...boxes);
}

// The events of all runs, as far as marks can be told apart.
const MOST_MARKS = 200;
function list_marks(runs: Run[]): { t: number; name: string }[] {
  const marks = runs.flatMap((run) =>
    Object.entries(run.head.summary.events ?? {}).flatMap(([name, event]) =>
      event.times.map((t) => ({ t, name: runs.length > 1 ? `${run.letter}: ${name}` : name }))));
  return marks.sort((a, b) => a.t - b.t).slice(0, MOST_MARKS);
}

function make_keys(player: Player, stage: Stage, group: PlotGroup, runs: Run[], help: () => void): Key[] {
  const step = (event: KeyboardEvent) => (event.shiftKey ? 0.1 : 0.01) * player.t_end;
  const keys: Key[] = [
    { keys: [" "], name: "space", text: "play or pause", run: () => player.toggle() },
    { keys: ["ArrowLeft"], name: "←", text: "back 1 % (Shift: 10 %)",
      run: (event) => player.seek(player.t - step(event)) },
    { keys: ["ArrowRight"], name: "→", text: "forward 1 % (Shift: 10 %)",
      run: (event) => player.seek(player.t + step(event)) },
    { keys: ["Home"], name: "Home", text: "to the start", run: () => player.seek(0) },
    { keys: ["End"], name: "End", text: "to the end", run: () => player.seek(player.t_end) },
    { keys: ["["], name: "[", text: "slower", run: () => player.change_speed(-1) },
    { keys: ["]"], name: "]", text: "faster", run: () => player.change_speed(1) },
    { keys: ["l", "L"], name: "L", text: "loop or not", run: () => player.set_loop(!player.loop) },
    { keys: ["f", "F"], name: "F", text: "fit the view", run: () => stage.view.fit("current") },
    { keys: ["m", "M"], name: "M", text: "show or hide the model tree", run: () => stage.toggle_tree() },
    { keys: ["z", "Z"], name: "Z", text: "reset time zoom", run: () => group.reset_zoom() },
    { keys: ["c", "C"], name: "C", text: "two cursors with statistics", run: () => group.toggle_cursors() },
    { keys: ["d", "D"], name: "D", text: "dark or light", run: toggle_theme },
    { keys: ["?"], name: "?", text: "this list", run: help },
  ];
  if (runs.length > 1) {
    keys.push({
      keys: runs.slice(0, 9).map((_, k) => String(k + 1)),
      name: "1 … 9",
      text: "choose the run shown in 3D",
      run: (event) => document.getElementById(`run-${Number(event.key) - 1}`)?.click(),
    });
  }
  return keys;
}

function make_units_menu(): HTMLElement {
  const selects = FAMILIES.map((family) => {
    const select = h("select", { "aria-label": `Unit of ${family.name.toLowerCase()}`, "data-unit-of": family.id },
                     ...family.choices.map(({ unit }) => h("option", { value: unit }, unit)));
    select.addEventListener("change", () => set_unit(family.id, select.value));
    return { family, select };
  });
  const show = () => selects.forEach(({ family, select }) => (select.value = chosen_unit(family.id)));
  on_units(show);
  show();
  const presets = PRESETS.map(([name, units]) => {
    const button = h("button", { type: "button", class: "plain small" }, name);
    button.addEventListener("click", () => set_units(units));
    return button;
  });
  const body = h("div", { class: "menu-body units-list" }, h("div", { class: "presets" }, ...presets),
                 ...selects.map(({ family, select }) => h("label", { class: "field" }, h("span", {}, family.name), select)));
  const menu = h("details", { class: "menu", id: "units-menu" }, h("summary", {}, "Units"), body);
  menu.addEventListener("toggle", () => menu.open && place_menu(menu, body));
  return menu;
}

// The times of the two cursors, as numbers.
function make_cursor_bar(group: PlotGroup): HTMLElement {
  const inputs = ["A", "B"].map((name, k) => {
    const input = h("input", { type: "number", step: "any", id: `cursor-${name.toLowerCase()}`,
                               "aria-label": `Time of cursor ${name}, s` });
    input.addEventListener("change", () => {
      const cursors: [number, number] = [...(group.cursors ?? group.full)];
      cursors[k as 0 | 1] = Number(input.value);
      group.set_cursors(cursors);
    });
    return input;
  });
  const length = h("span", {});
  const bar = h("div", { class: "cursor-bar", hidden: true }, "A ", inputs[0], " B ", inputs[1], " s", length);
  group.follow_cursors(() => {
    const { cursors } = group;
    bar.hidden = cursors === null;
    if (!cursors) return;
    inputs.forEach((input, k) => (input.value = String(Number((cursors[k] as number).toPrecision(6)))));
    length.textContent = ` · B − A = ${short(cursors[1] - cursors[0])} s`;
  });
  return bar;
}

function make_toolbar(board: PlotBoard, group: PlotGroup): HTMLElement {
  const add = h("button", { type: "button", class: "plain small", id: "add-plot" }, "+ Plot");
  add.addEventListener("click", () => board.add_empty());
  const cursors = h("button", { type: "button", class: "plain small", id: "cursors", "aria-pressed": "false",
                                title: "Two cursors with statistics (C)" }, "Cursors");
  cursors.addEventListener("click", () => group.toggle_cursors());
  group.follow_cursors(() => cursors.setAttribute("aria-pressed", String(group.cursors !== null)));
  return h("div", { class: "plots-head" }, add, cursors, make_units_menu(), h("span", { class: "gap" }),
           make_zoom_tools(group));
}

export function show_run_page(page: Page, root: HTMLElement):
    { player: Player; stage: Stage; group: PlotGroup; board: PlotBoard; tabs: Tabs } {
  const { runs } = page;
  const first = runs[0] as Run;
  start_units();
  root.classList.add("run-page");
  const player = new Player(Math.max(0, ...runs.map((run) => run.t_end)), list_marks(runs));
  const stem = make_file_stem(first.head.summary.model);
  const stage = new Stage(player, stem, { runs, tree: true });
  const group = new PlotGroup(player, "run");
  const specs = [make_energies, make_balance, make_violation, make_steps, make_newton];
  const panels = specs.map((make) => new PlotPanel(group, make(runs), stem));
  const board = new PlotBoard(runs, group, stem);
  const { ok } = judge(runs);
  const tabs = new Tabs([
    ["motion", "Motion", [make_toolbar(board, group), make_cursor_bar(group), board.element]],
    ["solver", ok ? "Solver ✓" : "Solver ⚠", [...make_all_warnings(runs), make_brief(runs),
      h("div", { class: "plots" }, ...panels.map((panel) => panel.element)), make_summary(runs)]],
    ["model", "Model", make_texts(runs)],
  ]);
  stage.set_plot((names) => plotChannels(names));
  board.on_show = () => tabs.show("motion");

  const dialog_host: { dialog?: HTMLDialogElement } = {};
  const keys = make_keys(player, stage, group, runs, () => dialog_host.dialog?.showModal());
  const dialog = (dialog_host.dialog = make_help(keys));
  listen(keys);

  root.append(
    make_header(runs, () => dialog.showModal(), () => tabs.show("solver")),
    h("main", { id: "main" },
      ...make_alerts(runs),
      h("div", { class: "layout" },
        h("section", { class: "stage-column", "aria-label": "Mechanism" },
          make_run_switch(runs, (run) => stage.set_run(run)), stage.element),
        tabs.element)),
    dialog,
  );
  stage.set_run(first);
  return { player, stage, group, board, tabs };
}
