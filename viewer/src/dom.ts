// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Making elements. Strings become text nodes, never markup: a body called `<script>` shows as such.

type Child = Node | string | null | undefined | false;
type Attributes = Record<string, string | number | boolean | null | undefined | EventListener>;

// h("button", {class: "play", title: "Play", onclick: f}, "Play")
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children) {
    if (child !== null && child !== undefined && child !== false) element.append(child);
  }
  return element;
}

// A menu closes when the reader turns to something else, or with Escape.
export function close_menus_by_themselves(): void {
  const menus = () => document.querySelectorAll<HTMLDetailsElement>("details.menu[open]");
  document.addEventListener("pointerdown", (event) => {
    for (const menu of menus()) if (!menu.contains(event.target as Node)) menu.open = false;
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    for (const menu of menus()) {
      menu.open = false;
      menu.querySelector("summary")?.focus();
    }
  });
}

const SVG = "http://www.w3.org/2000/svg";

export function svg(
  tag: string,
  attributes: Record<string, string | number>,
  ...children: Node[]
): SVGElement {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  element.append(...children);
  return element;
}

// The icons, drawn in a box of 16 × 16.
const ICONS: Record<string, string> = {
  play: "M4 2.5v11l9.5-5.5z",
  pause: "M4 2.5h3v11H4zM9 2.5h3v11H9z",
  start: "M3 2.5h2v11H3zM13 2.5v11L5.5 8z",
  end: "M11 2.5h2v11h-2zM3 2.5v11L10.5 8z",
  loop: "M4 4.2h6.6L9 2.6l1-1L13.4 5 10 8.4l-1-1 1.6-1.7H5.5v2H4zM12 11.8H5.4L7 13.4l-1 1L2.6 11 6 7.6l1 1-1.6 1.7h5.1v-2H12z",
  fit: "M2 2h4.5v1.5h-3v3H2zM9.5 2H14v4.5h-1.5v-3h-3zM2 9.5h1.5v3h3V14H2zM12.5 9.5H14V14H9.5v-1.5h3z",
  plus: "M7.2 3h1.6v4.2H13v1.6H8.8V13H7.2V8.8H3V7.2h4.2z",
  minus: "M3 7.2h10v1.6H3z",
};

export function icon(name: string): SVGElement {
  return svg(
    "svg",
    { viewBox: "0 0 16 16", width: 16, height: 16, "aria-hidden": "true", class: "icon" },
    svg("path", { d: ICONS[name] ?? "" }),
  );
}

export function set_icon(button: HTMLElement, name: string): void {
  button.replaceChildren(icon(name));
}
