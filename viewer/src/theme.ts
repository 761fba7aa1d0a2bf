// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Light and dark: what the system says, or what was chosen on the page. Colours of lines are those
// of Okabe and Ito, which colour-blind eyes can tell apart, darker on white and lighter on black.

export type Theme = "light" | "dark";

const LINES: Record<Theme, string[]> = {
  light: ["#0072b2", "#d55e00", "#007a59", "#aa4499", "#b88700", "#3b3b3b", "#3a8fc4", "#8a5a44"],
  dark: ["#56b4e9", "#ff9248", "#2fc99c", "#e59bc8", "#f0c23c", "#e6e6e6", "#9ecbff", "#c9a18b"],
};

// Runs that are overlaid differ by the dashes of their lines too.
export const DASHES: number[][] = [[], [7, 4], [2, 3], [9, 3, 2, 3]];

const listeners: (() => void)[] = [];
const media = window.matchMedia("(prefers-color-scheme: dark)");
let chosen: Theme | null = null;

export function theme(): Theme {
  return chosen ?? (media.matches ? "dark" : "light");
}

export function line_color(k: number): string {
  const list = LINES[theme()];
  return list[k % list.length] as string;
}

// The value of a CSS variable; the page's style sheet has all colours but those above. Reading it
// from the style is slow, and it changes with the theme only.
const variables = new Map<string, string>();
export function css(name: string): string {
  let value = variables.get(name);
  if (value === undefined) {
    value = getComputedStyle(document.documentElement).getPropertyValue(name).trim();
    variables.set(name, value);
  }
  return value;
}

function apply(): void {
  document.documentElement.dataset.theme = theme();
  variables.clear();
  for (const listener of listeners) listener();
}

export function on_theme(listener: () => void): void {
  listeners.push(listener);
}

export function toggle_theme(): void {
  chosen = theme() === "dark" ? "light" : "dark";
  apply();
}

export function start_theme(): void {
  media.addEventListener("change", apply);
  apply();
}
