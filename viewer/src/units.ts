// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Units of the display. Results are in SI units; the page shows them in units the reader chooses, one
// for each kind of quantity. Only what is shown changes: data attributes and CSV files stay in SI.
import { get_state, set_state } from "./page_state";

interface Choice {
  unit: string; // as shown
  factor: number; // shown = factor × SI
}
export interface Family {
  id: string;
  name: string; // of the quantity
  si: string; // as the results spell it
  choices: Choice[]; // the first is SI
}

const DEGREE = 180 / Math.PI;
const RPM = 30 / Math.PI;
const GRAVITY = 9.80665;

const family = (id: string, name: string, si: string, ...others: [string, number][]): Family => ({
  id, name, si,
  choices: [{ unit: si, factor: 1 }, ...others.map(([unit, factor]) => ({ unit, factor }))],
});

export const FAMILIES: Family[] = [
  family("angle", "Angle", "rad", ["deg", DEGREE], ["rev", 1 / (2 * Math.PI)]),
  family("angular_velocity", "Angular velocity", "rad/s", ["deg/s", DEGREE], ["rpm", RPM]),
  family("angular_acceleration", "Angular acceleration", "rad/s²", ["deg/s²", DEGREE]),
  family("length", "Length", "m", ["mm", 1e3], ["cm", 1e2], ["in", 1 / 0.0254]),
  family("velocity", "Velocity", "m/s", ["mm/s", 1e3], ["km/h", 3.6]),
  family("acceleration", "Acceleration", "m/s²", ["mm/s²", 1e3], ["g", 1 / GRAVITY]),
  family("force", "Force", "N", ["kN", 1e-3], ["lbf", 1 / 4.4482216152605]),
  family("torque", "Torque", "N m", ["kN m", 1e-3], ["N mm", 1e3], ["lbf ft", 1 / 1.3558179483314004]),
  family("power", "Power", "W", ["kW", 1e-3]),
  family("energy", "Energy", "J", ["kJ", 1e-3], ["mJ", 1e3]),
];

export const PRESETS: [string, Record<string, string>][] = [
  ["SI", {}],
  ["deg, rpm, mm, kN", {
    angle: "deg", angular_velocity: "rpm", angular_acceleration: "deg/s²", length: "mm", velocity: "mm/s",
    force: "kN",
  }],
];

// The results spell squares in several ways.
const normal = (unit: string): string => unit.replace(/\^2|\/s\/s/g, (part) => (part === "^2" ? "²" : "/s²"));

export function find_family(unit: string): Family | undefined {
  const wanted = normal(unit);
  return FAMILIES.find((entry) => entry.si === wanted);
}

let chosen: Record<string, string> = {};
const listeners: (() => void)[] = [];

// "angle:deg,length:mm" in the address of the page
function read(text: string): Record<string, string> {
  const result: Record<string, string> = {};
  for (const part of text.split(",")) {
    const [id, unit] = part.split(":");
    const known = FAMILIES.find((entry) => entry.id === id);
    if (known?.choices.some((choice) => choice.unit === unit)) result[known.id] = unit as string;
  }
  return result;
}

export function start_units(): void {
  chosen = read(get_state("units"));
}

export function on_units(listener: () => void): void {
  listeners.push(listener);
}

export function chosen_unit(id: string): string {
  return chosen[id] ?? FAMILIES.find((entry) => entry.id === id)?.si ?? "";
}

export function set_units(units: Record<string, string>): void {
  chosen = read(Object.entries(units).map((entry) => entry.join(":")).join(","));
  for (const entry of FAMILIES) if (chosen[entry.id] === entry.si) delete chosen[entry.id];
  set_state("units", Object.entries(chosen).map((entry) => entry.join(":")).join(","));
  for (const listener of listeners) listener();
}

export function set_unit(id: string, unit: string): void {
  set_units({ ...chosen, [id]: unit });
}

// How a quantity with an SI unit is shown: shown = factor × SI.
export function display(unit: string): Choice {
  const entry = find_family(unit);
  if (!entry) return { unit: normal(unit), factor: 1 };
  const wanted = chosen[entry.id];
  return entry.choices.find((choice) => choice.unit === wanted) ?? (entry.choices[0] as Choice);
}
