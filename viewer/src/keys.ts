// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Keys that work anywhere on the page, and the list of them.
import { h } from "./dom";

export interface Key {
  keys: string[]; // KeyboardEvent.key
  name: string; // as shown
  text: string;
  run: (event: KeyboardEvent) => void;
}

// Typing, choosing and pressing buttons is not ours.
function is_busy(event: KeyboardEvent): boolean {
  const target = event.target as HTMLElement | null;
  if (event.ctrlKey || event.metaKey || event.altKey) return true;
  if (!target) return false;
  if (document.querySelector("dialog[open]")) return true;
  if (["SELECT", "TEXTAREA"].includes(target.tagName)) return true;
  if (target.tagName === "INPUT") {
    const type = (target as HTMLInputElement).type;
    return type !== "range" || ["ArrowLeft", "ArrowRight", "Home", "End"].includes(event.key);
  }
  return event.key === " " && ["BUTTON", "SUMMARY", "A"].includes(target.tagName);
}

export function listen(keys: Key[]): void {
  document.addEventListener("keydown", (event) => {
    if (is_busy(event)) return;
    const found = keys.find((key) => key.keys.includes(event.key));
    if (!found) return;
    event.preventDefault();
    found.run(event);
  });
}

export function make_help(keys: Key[]): HTMLDialogElement {
  const close = h("button", { class: "plain", type: "button" }, "Close");
  close.addEventListener("click", () => dialog.close());
  const dialog: HTMLDialogElement = h(
    "dialog",
    { class: "help", "aria-labelledby": "help-title" },
    h("h2", { id: "help-title" }, "Keys"),
    h("dl", {},
      ...keys.flatMap((key) => [h("dt", {}, h("kbd", {}, key.name)), h("dd", {}, key.text)]),
      h("dt", {}, h("kbd", {}, "arrows")), h("dd", {}, "with the 3D view in focus: turn it; + and − zoom"),
    ),
    h("p", {}, "Plots: drag to zoom in time, double-click to reset, click to go to a time. " +
      "3D view: drag to turn, right-drag or two fingers to move, wheel to zoom, click a body for its values."),
    close,
  );
  return dialog;
}
