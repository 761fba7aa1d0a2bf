// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The paper's figures, model by model: the initial configuration, the energies with conservation of
// energy imposed, the total energy with and without it, the step sizes; then the tables.
import type { Page, PaperFigure, Run } from "./data";
import { h } from "./dom";
import { make_bar } from "./header";
import { render_markdown } from "./markdown";
import type { Line } from "./plot";
import { PlotGroup, PlotPanel } from "./plot";
import { make_energies, make_steps, total_energy } from "./solver_plots";
import { Player } from "./player";
import { Stage } from "./stage";

const VARIANTS: [string, string][] = [
  ["quasi_orthogonal", "the paper's method, quasi-orthogonal projection"],
  ["orthogonal", "the paper's method, orthogonal projection"],
  ["trammel", "Trammel's default method"],
];

class ModelSection {
  readonly element: HTMLElement;
  private readonly energies: PlotPanel;
  private readonly total: PlotPanel;
  private readonly steps: PlotPanel;
  private readonly stage: Stage;

  constructor(private readonly page: Page, private readonly model: string, number: number) {
    const own = this.find("trammel", true) ?? this.any();
    const player = new Player(Math.max(...this.figures().map((f) => this.run_of(f).t_end)));
    const group = new PlotGroup(player, model);
    const select = h("select", { "aria-label": `Method of the ${model}`, id: `variant-${model}` });
    for (const [word, text] of VARIANTS) {
      if (this.find(word, true)) select.append(h("option", { value: word }, text));
    }
    const panel = (id: string, title: string, unit: string, logarithmic = false) =>
      new PlotPanel(group, { id: `${model}-${id}`, title, unit, logarithmic, lines: [] }, "paper");
    this.stage = new Stage(player, `paper-${model}`);
    this.energies = panel("energies", "Energies, conservation of energy imposed", "J");
    this.total = panel("total", "Total energy with and without conservation of energy", "J");
    this.steps = panel("steps", "Step sizes", "s", true);
    select.addEventListener("change", () => this.show(select.value));
    const figure = (element: HTMLElement, caption: string) =>
      h("figure", {}, element, h("figcaption", {}, caption));
    this.element = h(
      "section",
      { class: "paper-model", id: `model-${model}`, "aria-label": model },
      h("div", { class: "plots-head" },
        h("h2", {}, `${number}. ${model.charAt(0).toUpperCase()}${model.slice(1)}`), select),
      h("div", { class: "paper-grid" },
        figure(this.stage.element, `Initial configuration of the ${model}. Press play to see it move.`),
        figure(this.energies.element, "Energies when the conservation of energy is imposed."),
        figure(this.total.element, "Total energy T + U − W with and without conservation of energy."),
        figure(this.steps.element, "Step sizes; crosses are rejected steps.")),
    );
    this.stage.set_run(own);
    this.show(select.value);
  }

  private figures(): PaperFigure[] {
    return (this.page.head.figures ?? []).filter((figure) => figure.model === this.model);
  }
  private run_of(figure: PaperFigure): Run {
    return this.page.runs[figure.run] as Run;
  }
  private any(): Run {
    return this.run_of(this.figures()[0] as PaperFigure);
  }
  private find(variant: string, energy: boolean): Run | undefined {
    const found = this.figures().find((f) => f.variant === variant && f.energy === energy);
    return found && this.run_of(found);
  }

  private show(variant: string): void {
    const held = this.find(variant, true);
    const free = this.find(variant, false);
    this.energies.set_lines(held ? make_energies([held]).lines : []);
    const pairs: [Run | undefined, string][] = [[free, "without"], [held, "with conservation"]];
    this.total.set_lines(pairs.flatMap(([run, label], k): Line[] =>
      run ? [{ label, unit: "J", color: 1 - k, dash: 1 - k, time: run.time, values: total_energy(run) }] : []));
    this.steps.set_lines(pairs.flatMap(([run, label], k): Line[] =>
      run ? make_steps([run]).lines.map((line) => ({
        ...line, label: `${label}, ${line.label}`, color: 1 - k, dash: line.style === "marks" ? 0 : 1 - k,
      })) : []));
  }
}

export function show_paper_page(page: Page, root: HTMLElement): void {
  const models = [...new Set((page.head.figures ?? []).map((figure) => figure.model))];
  root.append(
    make_bar(
      "The paper's experiments",
      [h("em", {}, "On the simulation of multibody systems with holonomic constraints"),
       ", J. Tuomela, T. Arponen, V. Normi: its figures and tables, computed here."],
      page.head.version, null),
    h("main", { id: "main" },
      ...models.map((model, k) => new ModelSection(page, model, k + 1).element),
      h("section", { class: "paper-tables card", "aria-label": "Tables" },
        ...render_markdown(page.head.tables ?? ""))),
  );
}
