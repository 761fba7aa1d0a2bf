// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The 3D view with all that belongs to it: toolbar, tree of the model, details of what is selected,
// legends, and the bar that moves time.
import type { Standpoint } from "./camera";
import type { Run, Vec3 } from "./data";
import { Details } from "./details";
import { h } from "./dom";
import { short } from "./format";
import { save } from "./plot_files";
import type { Player } from "./player";
import { make_transport } from "./player";
import { icon } from "./icons";
import { line_color, on_theme } from "./theme";
import type { TrailPoint } from "./trail";
import { list_trail_points } from "./trail";
import { Tree } from "./tree";
import { display, on_units } from "./units";
import { can_record_video, record_video } from "./video";
import type { Shown } from "./view";
import { View } from "./view";

const MOST_TRAILS = 6;
const MOST_LISTED = 100;

export interface StageOptions {
  runs?: Run[]; // others than the one shown can be seen as ghosts
  tree?: boolean; // a tree of the model, full screen, video
}

export class Stage {
  readonly element: HTMLElement;
  readonly view: View;
  readonly tree: Tree;
  readonly details: Details;
  private readonly tree_panel: HTMLElement;
  private readonly tree_button: HTMLButtonElement;
  private readonly legend = h("div", { class: "scene-legend" });
  private readonly trail_list = h("ul", { class: "check-list", id: "trail-list" });
  private readonly trail_form: HTMLElement;
  private readonly memory: HTMLSelectElement;
  private readonly message = h("p", { class: "view-message", hidden: true });
  private readonly toggles = new Map<keyof Shown, HTMLInputElement>();
  private run: Run | null = null;
  private last_values = 0;
  private recording: { cancelled: boolean } | null = null;

  constructor(private readonly player: Player, private readonly file_stem: string,
              private readonly options: StageOptions = {}) {
    this.view = new View(() => player.request());
    this.tree = new Tree(this.view);
    this.details = new Details(this.view, () => player.request());
    this.view.on_select = (key) => this.show_selection(key);
    this.view.on_change = () => this.show_states();
    this.trail_form = h("div", { class: "trail-form" });
    this.memory = h("select", { id: "trail-memory", "aria-label": "Length of trails" });
    this.tree_panel = h("aside", { class: "tree-panel", id: "tree", "aria-label": "Model tree" }, this.tree.element);
    this.tree_button = this.make_button("tree-toggle", "Model tree (M)", icon("tree"), () => this.show_tree(this.tree_panel.hidden));
    this.tree_button.className = "tool";
    this.view.element.append(this.details.element, this.legend, this.message);
    this.element = h("div", { class: "stage card" }, this.make_tools(),
                     h("div", { class: "stage-body" }, options.tree && this.tree_panel, this.view.element),
                     make_transport(player));
    this.show_tree(false);
    this.element.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && this.view.selected !== "" && !document.fullscreenElement) this.view.select("");
    });
    on_theme(() => this.show_states());
    on_units(() => this.fill_legend());
    player.follow((t) => {
      if (this.recording) return;
      this.view.show(t);
      this.show_values(t);
    });
  }

  set_run(run: Run): void {
    // the tree is open at first where there is room for it
    if (this.run === null && this.element.clientWidth >= 700) this.show_tree(true);
    this.run = run;
    const runs = this.options.runs ?? [];
    const kept = this.view.items.find(({ key }) => key === this.view.selected)?.name;
    this.view.set_run(run, runs);
    this.message.hidden = run.picture_rows > 0 || this.view.failed;
    this.message.textContent = "No motion was recorded: there is nothing to draw.";
    this.details.set_run(run);
    this.tree.set_run(run);
    const again = this.view.items.find(({ name, key }) => name === kept && key === this.view.selected);
    this.view.select(again?.key ?? "");
    this.fill_memory();
    this.fill_trails();
    this.show_states();
    this.player.request();
  }

  // What plots channels by name; without it there is nothing to press.
  set_plot(plot: (names: string[]) => void): void {
    this.details.on_plot = plot;
  }

  // ---- tools

  private make_button(id: string, label: string, content: Node | string, run: () => void): HTMLButtonElement {
    const button = h("button", { type: "button", class: typeof content === "string" ? "plain small" : "tool", id,
                                 title: label, "aria-label": typeof content === "string" ? null : label }, content);
    button.addEventListener("click", run);
    return button;
  }

  private make_tools(): HTMLElement {
    const from = h("select", { "aria-label": "View from", title: "View from", id: "standpoint" });
    for (const [value, text] of [
      ["", "View"], ["default", "Perspective"], ["front", "Front"], ["side", "Side"], ["top", "Top"],
    ]) {
      from.append(h("option", { value }, text));
    }
    from.addEventListener("change", () => {
      if (from.value) this.view.fit(from.value as Standpoint);
      from.value = "";
    });
    const picture = this.make_button("save-picture", "Save the picture as PNG", icon("camera"), () =>
      this.view.make_picture((blob) => blob && save(blob, `${this.file_stem}.png`)));
    const fit = this.make_button("fit", "Fit (F)", icon("fit"), () => this.view.fit("current"));
    const tools = h("div", { class: "view-tools", role: "toolbar", "aria-label": "3D view" },
                    this.options.tree && this.tree_button, this.make_show_menu(), from, h("span", { class: "gap" }), picture);
    if (this.options.tree && can_record_video()) {
      tools.append(this.make_button("save-video", "Save the run as a video, at the playback speed", icon("film"),
                                    () => void this.save_video()));
    }
    tools.append(fit);
    if (this.options.tree && document.fullscreenEnabled) {
      tools.append(this.make_button("fullscreen", "Full screen", icon("fullscreen"), () => this.toggle_fullscreen()));
    }
    return tools;
  }

  show_tree(on: boolean): void {
    this.tree_panel.hidden = !on;
    this.tree_button.setAttribute("aria-pressed", String(on));
    this.tree_button.setAttribute("aria-expanded", String(on));
  }
  toggle_tree(): void {
    this.show_tree(this.tree_panel.hidden);
  }

  toggle_fullscreen(): void {
    if (document.fullscreenElement) void document.exitFullscreen();
    else void this.element.requestFullscreen();
  }

  private async save_video(): Promise<void> {
    if (this.recording || !this.run || this.run.picture_rows === 0) return;
    const state = { cancelled: false };
    this.recording = state;
    this.player.pause();
    const t = this.player.t;
    const part = h("span", { role: "status", "aria-live": "off" }, "Recording 0 %");
    const cancel = h("button", { type: "button", class: "plain small" }, "Cancel");
    cancel.addEventListener("click", () => (state.cancelled = true));
    const box = h("div", { class: "video-progress" }, part, cancel);
    this.view.element.append(box);
    try {
      const video = await record_video(this.view, {
        t_end: this.player.t_end,
        speed: this.player.speed,
        caption: (at) => `t = ${this.player.format_time(at)} s`,
        on_progress: (done) => (part.textContent = `Recording ${Math.round(100 * done)} %`),
        is_cancelled: () => state.cancelled,
      });
      if (video) save(video, `${this.file_stem}.webm`);
      box.remove();
    } catch (error) {
      part.textContent = `The video could not be recorded: ${(error as Error).message}`;
      cancel.addEventListener("click", () => box.remove());
    } finally {
      this.recording = null;
      this.player.seek(t);
    }
  }

  private make_show_menu(): HTMLElement {
    const toggles: [keyof Shown, string][] = [
      ["loads", "Loads (arrows)"], ["joints", "Joints"], ["axes", "Axes and rails"],
      ["forces", "Springs, motors, forces"], ["body_names", "Names of bodies"], ["joint_names", "Names of joints"],
      ["force_names", "Names of forces"], ["grid", "Grid"], ["shadow", "Shadow"],
    ];
    const parallel = h("input", { type: "checkbox", id: "show-parallel" });
    parallel.addEventListener("change", () => this.view.set_parallel(parallel.checked));
    this.memory.addEventListener("change", () => {
      const part = Number(this.memory.value);
      this.view.trail_memory = this.memory.value === "auto" ? this.view.auto_memory
        : Number.isFinite(part) ? part * this.player.t_end : Infinity;
      this.player.request();
    });
    const menu = h(
      "details",
      { class: "menu", id: "show-menu" },
      h("summary", {}, "Show"),
      h("div", { class: "menu-body" },
        h("ul", { class: "check-list" }, ...toggles.map(([key, label]) => this.make_toggle(key, label)),
          h("li", {}, h("label", {}, parallel, "Without perspective"))),
        h("h4", {}, "Trails"),
        h("label", { class: "field" }, "Length ", this.memory),
        this.trail_list,
        this.trail_form),
    );
    menu.addEventListener("toggle", () => (parallel.checked = this.view.is_parallel));
    return menu;
  }

  private make_toggle(key: keyof Shown, label: string): HTMLElement {
    const box = h("input", { type: "checkbox", id: `show-${key}` });
    box.checked = this.view.shown[key];
    box.addEventListener("change", () => this.set_shown(key, box.checked));
    this.toggles.set(key, box);
    return h("li", {}, h("label", {}, box, label));
  }

  set_shown(key: keyof Shown, on: boolean): void {
    this.view.shown[key] = on;
    const box = this.toggles.get(key);
    if (box) box.checked = on;
    this.view.show_layers();
    this.show_states();
  }

  // ---- legend

  private fill_legend(): void {
    const parts: HTMLElement[] = [];
    if (this.run && this.view.loads_shown) parts.push(this.make_load_legend());
    if (this.run && this.view.ghost_runs.length > 0) parts.push(this.make_ghost_legend(this.run));
    this.legend.replaceChildren(...parts);
  }

  private make_load_legend(): HTMLElement {
    const { force, torque } = this.view.find_largest_loads();
    const line = (mark: string, si: string, { size, name, t }: typeof force) => {
      const { unit, factor } = display(si);
      return size > 0 && h("div", {}, h("span", { class: "key" }, `${mark} `),
                           `longest: ${short(factor * size, 4)} ${unit} (${name}, t = ${short(t, 4)} s)`);
    };
    const resize = (label: string, text: string, factor: number) => {
      const button = h("button", { type: "button", "aria-label": label, title: label }, text);
      button.addEventListener("click", () => {
        this.view.load_scale *= factor;
        this.player.request();
      });
      return button;
    };
    return h("div", { class: "load-legend", id: "load-legend" },
             line("→", "N", force), line("↻", "N m", torque),
             h("div", { class: "size-tools" },
               h("span", { class: "reaction" }, "● reactions "), h("span", { class: "acting" }, "● springs, motors, drivers "),
               resize("Shorter arrows", "−", 1 / 1.5), resize("Longer arrows", "+", 1.5)));
  }

  private make_ghost_legend(main: Run): HTMLElement {
    const swatch = (run: Run) => {
      const mark = h("span", { class: `ghost-swatch${run === main ? " main" : ""}` });
      mark.style.background = line_color(run.index);
      return mark;
    };
    const ghosts = this.view.ghost_runs.map((run) => {
      const on = !this.view.ghost_hidden.has(run.index);
      const button = h("button", { type: "button", "aria-pressed": String(on), "data-ghost": run.index,
                                   title: "Show or hide this run" }, swatch(run), `${run.letter} ${run.label}`);
      button.addEventListener("click", () => {
        this.view.set_ghost(run.index, !on);
        this.fill_legend();
      });
      return button;
    });
    return h("div", { class: "ghost-legend", id: "ghost-legend", role: "group", "aria-label": "Ghosts of other runs" }, ...ghosts);
  }

  private fill_memory(): void {
    const auto = this.view.auto_memory;
    const options: [string, string][] = [
      ["Infinity", "whole"], ["0.2", "last 20 %"], ["0.05", "last 5 %"],
    ];
    if (Number.isFinite(auto)) options.unshift(["auto", `last ${short(auto, 2)} s`]);
    this.memory.replaceChildren(...options.map(([value, text]) => h("option", { value }, text)));
    this.memory.value = this.view.trail_memory === auto && Number.isFinite(auto) ? "auto" : "Infinity";
  }

  // ---- trails

  private fill_trails(): void {
    const run = this.run as Run;
    const known = list_trail_points(run);
    const own = this.view.trail_points.filter((p) => !known.some((k) => same_point(k, p)));
    const items = [...own, ...known].slice(0, MOST_LISTED).map((point) => {
      const box = h("input", { type: "checkbox" });
      box.checked = this.view.trail_points.some((other) => same_point(other, point));
      box.addEventListener("change", () => {
        const others = this.view.trail_points.filter((other) => !same_point(other, point));
        this.view.set_trails(box.checked ? [...others, point].slice(-MOST_TRAILS) : others);
      });
      return h("li", {}, h("label", {}, box, point.label));
    });
    this.trail_list.replaceChildren(...items);
    this.fill_trail_form(run);
  }

  // Any other point, by its coordinates in a body's frame.
  private fill_trail_form(run: Run): void {
    const body = h("select", { "aria-label": "Body of the point" },
                   ...run.scene.bodies.slice(0, 1000).map((b, k) => h("option", { value: k }, b.name)));
    const inputs = ["x", "y", "z"].map((name) =>
      h("input", { type: "number", step: "any", value: 0, "aria-label": `${name} in the body's frame, m` }));
    const add = h("button", { type: "button", class: "plain small" }, "Add point");
    add.addEventListener("click", () => {
      const point = inputs.map((input) => Number(input.value) || 0) as Vec3;
      const index = Number(body.value);
      const label = `${run.scene.bodies[index]?.name ?? ""} (${point.join(", ")})`;
      this.view.set_trails([...this.view.trail_points, { label, body: index, point }].slice(-MOST_TRAILS));
      this.fill_trails();
    });
    this.trail_form.replaceChildren(body, ...inputs, add);
  }

  // ---- what is selected

  private show_selection(key: string): void {
    this.details.show(this.view.items.find((item) => item.key === key) ?? null);
    this.tree.show_selected();
    this.last_values = 0;
    this.player.request();
  }

  private show_states(): void {
    this.tree.show_states();
    this.details.show_states();
    this.fill_legend();
  }

  private show_values(t: number): void {
    const now = performance.now();
    if (this.player.playing && now - this.last_values < 100) return;
    this.last_values = now;
    this.details.update(t);
  }
}

function same_point(a: TrailPoint, b: TrailPoint): boolean {
  return a.label === b.label && a.body === b.body && a.point.every((x, k) => x === b.point[k]);
}
