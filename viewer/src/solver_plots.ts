// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The plots of the solver: energies, their balance, violations, steps, iterations; of one run or of
// several overlaid. Where a plot has several quantities their colours tell them apart, else colours
// tell the runs apart; dashes always do.
import type { Numbers, Run } from "./data";
import type { Line, PlotSpec } from "./plot";

interface Quantity {
  label: string;
  unit: string;
  color: number;
  values: (run: Run) => Numbers;
}

function make_lines(runs: Run[], quantities: Quantity[]): Line[] {
  return quantities.flatMap((quantity) =>
    runs.map((run, r) => ({
      label: name_line(runs, quantities.length > 1 ? quantity.label : "", run, quantity.label),
      quantity: quantity.label,
      ...(runs.length > 1 ? { run } : {}),
      unit: quantity.unit,
      color: runs.length > 1 && quantities.length === 1 ? r : quantity.color,
      dash: r,
      time: run.time,
      values: quantity.values(run),
    })),
  );
}

// "kinetic", of several runs "kinetic A" or, with one quantity, "A: tight".
export function name_line(runs: Run[], quantity: string, run: Run, alone: string): string {
  if (runs.length === 1) return quantity || alone;
  return quantity ? `${quantity} ${run.letter}` : `${run.letter}: ${run.label}`;
}

// What was not recorded, and what is so exact that a logarithmic plot has nothing to show.
function explain(runs: Run[], array: string, what: string, exact: string): string {
  if (runs.every((run) => run.head.rows === 0)) return "No rows were recorded.";
  return runs.every((run) => run.array(array).length === 0) ? `${what} not recorded.` : exact;
}

function combine(run: Run, f: (t: number, u: number, w: number) => number): Float64Array {
  const t = run.array("kinetic");
  const u = run.array("potential");
  const w = run.array("external_work");
  return Float64Array.from(t, (_, i) => f(t[i] as number, u[i] as number, w[i] as number));
}

export const total_energy = (run: Run): Float64Array => combine(run, (t, u, w) => t + u - w);

export function make_energies(runs: Run[]): PlotSpec {
  return {
    id: "energies",
    title: "Energies",
    empty: explain(runs, "kinetic", "Energies were", ""),
    lines: make_lines(runs, [
      { label: "kinetic T", unit: "J", color: 0, values: (run) => run.array("kinetic") },
      { label: "potential U", unit: "J", color: 1, values: (run) => run.array("potential") },
      { label: "work W", unit: "J", color: 2, values: (run) => run.array("external_work") },
      { label: "balance T+U−W", unit: "J", color: 5, values: total_energy },
    ]),
  };
}

export function make_balance(runs: Run[]): PlotSpec {
  return {
    id: "balance",
    title: "Energy balance error",
    logarithmic: true,
    lines: make_lines(runs, [
      { label: "|T+U−W − initial value|", unit: "J", color: 5,
        values: (run) => run.array("balance_error") },
    ]),
    empty: explain(runs, "balance_error", "Energies were", "The energy balance holds exactly."),
  };
}

export function make_violation(runs: Run[]): PlotSpec {
  return {
    id: "violation",
    title: "Constraint violation",
    unit: "m, m/s, 1",
    logarithmic: true,
    lines: make_lines(runs, [
      { label: "position |g|", unit: "m or 1", color: 0,
        values: (run) => run.array("violation_position") },
      { label: "velocity |J u|", unit: "m/s or 1/s", color: 1,
        values: (run) => run.array("violation_velocity") },
      { label: "unit length ||θ|²−1|", unit: "1", color: 2,
        values: (run) => run.orientation.length > 0 ? run.array("violation_euler_parameters") : new Float64Array(0) },
    ]).map((line) => ({ ...line, unit: "SI" })),
    empty: explain(runs, "violation_position", "Violations were", "All constraints hold exactly."),
  };
}

interface Steps {
  time: Float64Array;
  values: Float64Array;
}

function pick_steps(run: Run, column: string, accepted: boolean): Steps {
  const flags = run.array("step_accepted");
  const values = run.array(column);
  const rows: number[] = [];
  for (let i = 0; i < flags.length; ++i) if ((flags[i] === 1) === accepted) rows.push(i);
  return {
    time: Float64Array.from(rows, (i) => run.step_time[i] as number),
    values: Float64Array.from(rows, (i) => values[i] as number),
  };
}

function explain_steps(runs: Run[]): string {
  const taken = runs.some((run) => run.head.summary.steps.accepted + run.head.summary.steps.rejected > 0);
  return taken ? "Steps were not recorded." : "No steps were taken.";
}

export function make_steps(runs: Run[]): PlotSpec {
  const lines = runs.flatMap((run, r): Line[] => {
    const name = (label: string) => (runs.length > 1 ? `${label} ${run.letter}` : label);
    return [
      { label: name("accepted"), quantity: "accepted", ...(runs.length > 1 ? { run } : {}), unit: "s", color: runs.length > 1 ? r : 0, dash: r,
        style: "stepped", ...pick_steps(run, "step_size", true) },
      { label: name("rejected"), quantity: "rejected", ...(runs.length > 1 ? { run } : {}), unit: "s", color: runs.length > 1 ? r : 1, dash: 0,
        style: "marks", ...pick_steps(run, "step_size", false) },
    ];
  });
  return { id: "steps", title: "Step size", unit: "s", logarithmic: true, lines, empty: explain_steps(runs) };
}

export function make_newton(runs: Run[]): PlotSpec {
  const lines = runs.map((run, r): Line => ({
    label: name_line(runs, "", run, "at the end of a step"),
    quantity: "at the end of a step",
    ...(runs.length > 1 ? { run } : {}),
    unit: "1",
    color: runs.length > 1 ? r : 3,
    dash: r,
    style: "stepped",
    ...pick_steps(run, "step_newton", true),
  }));
  return { id: "newton", title: "Newton iterations of the projection", unit: "", integers: true, lines,
           empty: explain_steps(runs) };
}
