// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The picture with all that belongs to it: its tools, what is shown in it, the values of the body
// that was chosen, and the bar that moves time.
import type { Standpoint } from "./camera";
import type { Run, Vec3 } from "./data";
import { find_nearest } from "./data";
import { h, icon } from "./dom";
import { short } from "./format";
import { save } from "./plot";
import type { Player } from "./player";
import { make_transport } from "./player";
import type { TrailPoint } from "./trail";
import { list_trail_points } from "./trail";
import type { Shown } from "./view";
import { View } from "./view";

const MOST_TRAILS = 6;
const MOST_LISTED = 100;

export class Stage {
  readonly element: HTMLElement;
  readonly view: View;
  private readonly info = h("div", { class: "info", hidden: true, id: "body-info" });
  private readonly trail_list = h("ul", { class: "check-list", id: "trail-list" });
  private readonly body_select: HTMLSelectElement;
  private readonly trail_form: HTMLElement;
  private readonly message = h("p", { class: "view-message", hidden: true });
  private run: Run | null = null;
  private last_info = 0;

  constructor(private readonly player: Player, private readonly file_stem: string) {
    this.view = new View(() => player.request());
    this.view.on_select = (body) => this.show_selection(body);
    this.body_select = h("select", { id: "inspect", "aria-label": "Body whose values are shown" });
    this.body_select.addEventListener("change", () => this.view.select(Number(this.body_select.value)));
    this.trail_form = h("div", { class: "trail-form" });
    this.view.element.append(this.make_tools(), this.info, this.message);
    this.element = h("div", { class: "stage card" }, this.view.element, make_transport(player));
    player.follow((t) => {
      this.view.show(t);
      this.show_values(t);
    });
  }

  set_run(run: Run): void {
    this.run = run;
    this.view.set_run(run);
    this.message.hidden = run.picture_rows > 0 || this.view.failed;
    this.message.textContent = "No motion was recorded: there is nothing to draw.";
    this.body_select.replaceChildren(
      h("option", { value: -1 }, "none"),
      ...run.scene.bodies.map((body, b) => h("option", { value: b }, body.name)),
    );
    this.view.select(-1);
    this.fill_trails();
    this.player.request();
  }

  // ---- tools

  private make_tools(): HTMLElement {
    const fit = h("button", { type: "button", class: "tool", id: "fit", title: "Fit (F)",
                              "aria-label": "Fit the picture" }, icon("fit"));
    fit.addEventListener("click", () => this.view.fit("current"));
    const from = h("select", { "aria-label": "View from", title: "View from", id: "standpoint" });
    for (const [value, text] of [
      ["", "View"], ["default", "First view"], ["front", "Front"], ["side", "Side"], ["top", "Top"],
    ]) {
      from.append(h("option", { value }, text));
    }
    from.addEventListener("change", () => {
      if (from.value) this.view.fit(from.value as Standpoint);
      from.value = "";
    });
    const picture = h("button", { type: "button", class: "plain small", title: "Save the picture as PNG" }, "PNG");
    picture.addEventListener("click", () =>
      this.view.make_picture((blob) => blob && save(blob, `${this.file_stem}.png`)));
    return h("div", { class: "view-tools" }, this.make_show_menu(), from, picture, fit);
  }

  private make_show_menu(): HTMLElement {
    const toggles: [keyof Shown, string][] = [
      ["joints", "Joints"], ["axes", "Axes and rails"], ["grid", "Ground grid"],
      ["gravity", "Gravity"], ["body_names", "Names of bodies"], ["joint_names", "Names of joints"],
    ];
    const memory = h("select", { id: "trail-memory", "aria-label": "Length of trails" },
      h("option", { value: "Infinity" }, "whole"),
      h("option", { value: "0.2" }, "last fifth"),
      h("option", { value: "0.05" }, "last twentieth"));
    memory.addEventListener("change", () => {
      const part = Number(memory.value);
      this.view.trail_memory = Number.isFinite(part) ? part * this.player.t_end : Infinity;
      this.player.request();
    });
    return h(
      "details",
      { class: "menu", id: "show-menu" },
      h("summary", {}, "Show"),
      h("div", { class: "menu-body" },
        h("ul", { class: "check-list" }, ...toggles.map(([key, label]) => this.make_toggle(key, label))),
        h("label", { class: "field" }, "Values of ", this.body_select),
        h("h4", {}, "Trails"),
        h("label", { class: "field" }, "Length ", memory),
        this.trail_list,
        this.trail_form),
    );
  }

  private make_toggle(key: keyof Shown, label: string): HTMLElement {
    const box = h("input", { type: "checkbox", id: `show-${key}` });
    box.checked = this.view.shown[key];
    box.addEventListener("change", () => {
      this.view.shown[key] = box.checked;
      this.view.show_layers();
    });
    return h("li", {}, h("label", {}, box, label));
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

  // ---- the chosen body

  private show_selection(body: number): void {
    this.body_select.value = String(body);
    this.info.hidden = body < 0;
    this.last_info = 0;
    this.player.request();
  }

  private show_values(t: number): void {
    const body = this.view.selected;
    const run = this.run;
    const now = performance.now();
    if (body < 0 || !run || run.picture_rows === 0) return;
    if (this.player.playing && now - this.last_info < 100) return;
    this.last_info = now;
    const row = find_nearest(run.motion_time, t);
    const take = (name: string): (number | undefined)[] => {
      const at = (row * run.n_bodies + body) * 3;
      return [0, 1, 2].map((k) => run.array(name)[at + k]);
    };
    const text = (v: (number | undefined)[]) => v.map((x) => short(x, 4)).join(", ");
    const place = this.view.place_of(body) ?? [];
    const { name, mass } = run.scene.bodies[body] as { name: string; mass: number };
    const line = (label: string, value: string) => [h("dt", {}, label), h("dd", {}, value)];
    this.info.replaceChildren(
      h("strong", {}, name),
      h("dl", {},
        ...line("mass", `${short(mass)} kg`),
        ...line("position", `${text(place)} m`),
        ...line("velocity", `${text(take("velocity"))} m/s`),
        ...line("angular velocity", `${text(take("angular_velocity"))} rad/s`)),
    );
  }
}

function same_point(a: TrailPoint, b: TrailPoint): boolean {
  return a.label === b.label && a.body === b.body && a.point.every((x, k) => x === b.point[k]);
}
