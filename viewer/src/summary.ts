// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// What happened, in words and numbers: why the run stopped, warnings, a table of figures with one
// column per run, the full report, the model file.
import type { Run, Summary } from "./data";
import { h } from "./dom";
import { count, plural, short } from "./format";

export function has_failed(run: Run): boolean {
  return run.head.summary.status !== "finished";
}

// "finished at 10 s"
export function make_badge(run: Run): HTMLElement {
  const { status, t } = run.head.summary;
  const ok = status === "finished";
  return h(
    "span",
    { class: `badge ${ok ? "ok" : "bad"}` },
    ok ? `finished at t = ${short(t, 6)} s` : `stopped at t = ${short(t, 6)} s`,
  );
}

const WORDS: Record<string, string> = {
  interrupted: "The run was interrupted.",
  step_too_small: "The run failed: the step became too small.",
  too_many_steps: "The run was stopped: too many steps.",
  open_joint: "The run failed: a joint is open.",
};

// For runs that did not finish: when and why.
export function make_alerts(runs: Run[]): HTMLElement[] {
  const alerts: HTMLElement[] = [];
  for (const run of runs) {
    const { summary } = run.head;
    const name = runs.length > 1 ? `${run.letter}: ` : "";
    if (has_failed(run)) {
      const end = summary.options.t_end as number | undefined;
      alerts.push(
        h("div", { class: "notice bad", role: "alert" },
          h("strong", {}, name + (WORDS[summary.status] ?? "The run did not finish.")),
          h("p", {}, summary.message),
          h("p", {}, run.time.length > 0
            ? `What was computed up to then is shown; the run was to end at t = ${short(end)} s.`
            : "No row was recorded: there is no motion to show.")),
      );
    } else if (run.time.length === 0) {
      alerts.push(h("div", { class: "notice", role: "status" },
                    h("strong", {}, `${name}The run is empty.`),
                    h("p", {}, "No row was recorded: there is no motion to show.")));
    }
    if (run.head.thinning > 1) {
      alerts.push(h("div", { class: "notice", role: "note" },
        `${name}The page holds the positions of every ${count(run.head.thinning)}th of ` +
        `${count(run.head.rows)} rows; the result files hold all.`));
    }
  }
  return alerts;
}

export function make_all_warnings(runs: Run[]): HTMLElement[] {
  return runs
    .filter((run) => run.head.summary.warnings.length > 0)
    .map((run) => make_warnings(runs.length > 1 ? `${run.letter}: ` : "", run.head.summary.warnings));
}

// Is there something about the solver that the reader should look at?
export function judge(runs: Run[]): { ok: boolean; text: string } {
  const failed = runs.some(has_failed);
  const warnings = runs.reduce((sum, run) => sum + run.head.summary.warnings.length, 0);
  const open = runs.some(({ head }) => (head.summary.violation.position ?? 0) > 1e-6);
  const text = failed ? "did not finish"
    : warnings > 0 ? plural(warnings, "warning", "warnings")
    : open ? "large constraint violation"
    : "solver OK";
  return { ok: text === "solver OK", text };
}

function make_warnings(name: string, warnings: string[]): HTMLElement {
  return h(
    "details",
    { class: "notice warning", open: warnings.length <= 3 },
    h("summary", {}, name + plural(warnings.length, "warning", "warnings")),
    h("ul", {}, ...warnings.slice(0, 200).map((text) => h("li", {}, text))),
  );
}

// "closed at 0.25, 1.5 s; open 0 times"
function list_events(summary: Summary): string {
  const events = Object.entries(summary.events ?? {});
  if (events.length === 0) return "none";
  return events.map(([name, event]) =>
    event.count === 0 || event.count > 10 ? `${name} ${plural(event.count, "time", "times")}`
      : `${name} at ${event.times.map((t) => short(t, 6)).join(", ")} s`).join("; ");
}

type Row = [string, (run: Run) => string];

function list_invariants(summary: Summary): string {
  const words = summary.options.invariants;
  return Array.isArray(words) && words.length > 0 ? words.join(", ") : "none";
}

const sections: [string, Row[]][] = [
  ["Run", [
    ["shown as", (run) => run.label],
    ["model", (run) => run.head.summary.model || "(no name)"],
    ["end of run", (run) => run.head.summary.message],
    ["events", (run) => list_events(run.head.summary)],
    ["CPU time", ({ head }) => `${short(head.summary.cpu_seconds.total, 3)} s`],
    ["of which stages / projections", ({ head }) =>
      `${short(head.summary.cpu_seconds.stages, 3)} s, ${short(head.summary.cpu_seconds.projection, 3)} s`],
    ["output rows", (run) => count(run.head.rows)],
    ["Trammel", (run) => run.head.summary.version],
  ]],
  ["Mechanism", [
    ["bodies, joints", ({ head }) =>
      `${plural(head.check.bodies, "body", "bodies")}, ${plural(head.check.joints, "joint", "joints")}`],
    ["degrees of freedom", (run) => count(run.head.summary.degrees_of_freedom)],
    ["constraint equations", ({ head }) =>
      head.check.rows === head.check.rank
        ? `${count(head.check.rows)} (all independent)`
        : `${count(head.check.rows)} (${count(head.check.rank)} independent)`],
    ["space", (run) => (run.scene.dimension === 2 ? "planar" : "spatial")],
  ]],
  ["Method", [
    ["method", ({ head }) =>
      String(head.summary.options.method) + (head.summary.method_choice ? ` (${head.summary.method_choice})` : "")],
    ["rtol, atol", ({ head }) =>
      `${short(head.summary.options.rtol as number)}, ${short(head.summary.options.atol as number)}`],
    ["projection", ({ head }) =>
      String(head.summary.options.projection) + (head.summary.options.project_stages ? ", stages too" : "")],
    ["enforced invariants", (run) => list_invariants(run.head.summary)],
    ["end time", (run) => `${short(run.head.summary.options.t_end as number)} s`],
  ]],
  ["Steps and counts", [
    ["steps accepted, rejected", ({ head }) =>
      `${count(head.summary.steps.accepted)}, ${count(head.summary.steps.rejected)}`],
    ["mean step", ({ head }) =>
      head.summary.steps.accepted > 0 ? `${short((head.summary.t ?? 0) / head.summary.steps.accepted, 3)} s` : "–"],
    ["accelerations", (run) => count(run.head.summary.counts.accelerations ?? 0)],
    ["projections", (run) => count(run.head.summary.counts.projection ?? 0)],
    ["iterations of projections", ({ head }) =>
      `${short(head.summary.counts.iterations_average, 3)} on average, at most ${head.summary.counts.iterations_max}`],
    ["constraint Jacobians", (run) => count(run.head.summary.counts.dg ?? 0)],
  ]],
  ["Quality", [
    ["largest position violation", ({ head }) => with_row(head.summary.violation.position, head.summary.worst_row.position)],
    ["largest velocity violation", ({ head }) => with_row(head.summary.violation.velocity, head.summary.worst_row.velocity)],
    ["largest quaternion norm error", ({ head }) => short(head.summary.violation.euler_parameters, 3)],
    ["largest balance error", ({ head }) => `${short(head.summary.energy.balance_error_max, 3)} J`],
    ["largest kinetic energy", ({ head }) => `${short(head.summary.energy.kinetic_max, 4)} J`],
  ]],
];

function with_row(value: number | null | undefined, row: string): string {
  return short(value, 3) + (row && value ? ` (${row})` : "");
}

function make_table(runs: Run[], title: string, rows: Row[]): HTMLElement {
  const several = runs.length > 1;
  const listed = rows.filter(([name]) => several || name !== "shown as");
  return h(
    "div",
    { class: "card summary-card" },
    h("table", { class: "summary" },
      h("caption", {}, title),
      several && h("thead", {}, h("tr", {}, h("td", {}),
                                  ...runs.map((run) => h("th", { scope: "col", title: run.label }, run.letter)))),
      h("tbody", {}, ...listed.map(([name, value]) =>
        h("tr", {}, h("th", { scope: "row" }, name), ...runs.map((run) => h("td", {}, value(run))))))),
  );
}

// The four lines that one looks at first.
export function make_brief(runs: Run[]): HTMLElement {
  const table = make_table(runs, "In brief", [
    ["steps", ({ head }) =>
      `${count(head.summary.steps.accepted)} accepted, ${count(head.summary.steps.rejected)} rejected`],
    ["largest violation", ({ head }) =>
      `position ${short(head.summary.violation.position, 3)}, velocity ${short(head.summary.violation.velocity, 3)}`],
    ["energy balance", ({ head }) => `within ${short(head.summary.energy.balance_error_max, 3)} J`],
    ["CPU time", ({ head }) => `${short(head.summary.cpu_seconds.total, 3)} s`],
  ]);
  table.classList.add("brief");
  return table;
}

function make_text(title: string, id: string, text: string, open: boolean): HTMLElement {
  return h("details", { class: "card text-card", id, open },
           h("summary", {}, title), h("pre", { tabindex: 0, "aria-label": title }, text));
}

export function make_summary(runs: Run[]): HTMLElement {
  return h(
    "section",
    { class: `summary-section${runs.length > 1 ? " wide" : ""}`, id: "summary", "aria-label": "Summary" },
    h("h2", {}, "Summary"),
    h("div", { class: "summary-grid" }, ...sections.map(([title, rows]) => make_table(runs, title, rows))),
  );
}

// The model file and the full report.
export function make_texts(runs: Run[]): HTMLElement[] {
  const name = (run: Run) => (runs.length > 1 ? ` of ${run.letter}: ${run.label}` : "");
  const texts = runs.flatMap((run, k) => [
    run.head.model_text !== ""
      ? make_text(`Model file${name(run)}`, `model-${k}`, run.head.model_text, k === 0)
      : null,
    make_text(`Full report${name(run)}`, `report-${k}`, run.head.report, false),
  ]);
  return texts.filter((text) => text !== null);
}
