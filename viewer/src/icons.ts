// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Icons, drawn in a box of 16 × 16.
import { svg } from "./dom";

const PATHS: Record<string, string> = {
  play: "M4 2.5v11l9.5-5.5z",
  pause: "M4 2.5h3v11H4zM9 2.5h3v11H9z",
  start: "M3 2.5h2v11H3zM13 2.5v11L5.5 8z",
  loop: "M4 4.2h6.6L9 2.6l1-1L13.4 5 10 8.4l-1-1 1.6-1.7H5.5v2H4zM12 11.8H5.4L7 13.4l-1 1L2.6 11 6 7.6l1 1-1.6 1.7h5.1v-2H12z",
  plus: "M7.2 3h1.6v4.2H13v1.6H8.8V13H7.2V8.8H3V7.2h4.2z",
  minus: "M3 7.2h10v1.6H3z",
  close: "M3.7 2.6 8 6.9l4.3-4.3 1.1 1.1L9.1 8l4.3 4.3-1.1 1.1L8 9.1l-4.3 4.3-1.1-1.1L6.9 8 2.6 3.7z",
  tree: "M2 2.5h5V5H5v2.2h3V6.5h6v2.5H8v-.6H5v3.8h3v-.7h6V14H8v-.6H3.8V5H2z",
  eye: "M8 3.2C4.6 3.2 2 5.6 0.8 8c1.2 2.4 3.8 4.8 7.2 4.8s6-2.4 7.2-4.8C14 5.6 11.4 3.2 8 3.2zm0 8.1C5.5 11.3 3.5 9.7 2.5 8 3.5 6.3 5.5 4.7 8 4.7s4.5 1.6 5.5 3.3c-1 1.7-3 3.3-5.5 3.3zM8 5.8a2.2 2.2 0 100 4.4 2.2 2.2 0 000-4.4z",
  plot: "M2 2h1.5v10.5H14V14H2zM5 10.3 7.7 6.5l2 1.9L13 3.7l1.2.9-4.3 6.1-2-1.9L6.2 11.2z",
  fit: "M5 5h6v6H5zM6.4 6.4v3.2h3.2V6.4zM7.3 0.8h1.4v1.6h1.3L8 4.4 6 2.4h1.3zM7.3 15.2h1.4v-1.6h1.3L8 11.6l-2 2h1.3zM0.8 7.3v1.4h1.6V10l2-2-2-2v1.3zM15.2 7.3v1.4h-1.6V10l-2-2 2-2v1.3z",
  fullscreen: "M2 2h4.5v1.5h-3v3H2zM9.5 2H14v4.5h-1.5v-3h-3zM2 9.5h1.5v3h3V14H2zM12.5 9.5H14V14H9.5v-1.5h3z",
  camera: "M5.6 2.5h4.8l1 1.5H14a1 1 0 011 1v8a1 1 0 01-1 1H2a1 1 0 01-1-1V5a1 1 0 011-1h2.6zM8 5.7a3.1 3.1 0 100 6.2 3.1 3.1 0 000-6.2zM8 7.1a1.7 1.7 0 110 3.4 1.7 1.7 0 010-3.4z",
  film: "M1 3h9.5a1 1 0 011 1v2.3L15 4v8l-3.5-2.3V12a1 1 0 01-1 1H1z",
  theme: "M8 1.5a6.5 6.5 0 100 13 6.5 6.5 0 000-13zM8 3v10a5 5 0 010-10z",
};

export function icon(name: string): SVGElement {
  return svg("svg", { viewBox: "0 0 16 16", width: 16, height: 16, "aria-hidden": "true", class: "icon" },
             svg("path", { d: PATHS[name] ?? "", "fill-rule": "evenodd" }));
}

export function set_icon(button: HTMLElement, name: string): void {
  button.replaceChildren(icon(name));
}
