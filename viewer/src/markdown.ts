// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// As much of Markdown as the study's tables use: headings, paragraphs, lists, tables, **bold**,
// `code`. Everything becomes elements with text, never markup.
import { h } from "./dom";

function make_spans(text: string): (Node | string)[] {
  return text
    .split(/(\*\*[^*]+\*\*|\*[^*\s][^*]*\*|`[^`]+`)/)
    .filter((piece) => piece !== "")
    .map((piece) => {
      if (piece.startsWith("**") && piece.length > 4) return h("strong", {}, piece.slice(2, -2));
      if (piece.startsWith("`") && piece.length > 2) return h("code", {}, piece.slice(1, -1));
      if (piece.startsWith("*") && piece.length > 2) return h("em", {}, piece.slice(1, -1));
      return piece;
    });
}

// A bar that is written \| belongs to the text; meanwhile it is a character that no text has.
const cells = (line: string) =>
  line.trim().replace(/\\\|/g, "\0").replace(/^\||\|$/g, "").split("|")
    .map((cell) => cell.trim().replace(/\0/g, "|"));

function make_table(lines: string[]): HTMLElement {
  const [head = "", , ...rows] = lines;
  const row = (tag: "th" | "td", line: string) =>
    h("tr", {}, ...cells(line).map((cell, k) =>
      tag === "td" && k === 0 ? h("th", { scope: "row" }, ...make_spans(cell))
      : tag === "th" ? h("th", { scope: "col" }, ...make_spans(cell))
      : h("td", {}, ...make_spans(cell))));
  return h("div", { class: "table-scroll", tabindex: 0, role: "region", "aria-label": "Table" },
           h("table", { class: "figures" },
             h("thead", {}, row("th", head)), h("tbody", {}, ...rows.map((line) => row("td", line)))));
}

export function render_markdown(text: string): HTMLElement[] {
  const blocks: HTMLElement[] = [];
  const lines = text.split("\n");
  for (let i = 0; i < lines.length; ++i) {
    const line = lines[i] as string;
    const heading = /^(#{1,4})\s+(.*)$/.exec(line);
    const take = (test: (line: string) => boolean) => {
      const taken: string[] = [];
      while (i < lines.length && test(lines[i] as string)) taken.push(lines[i++] as string);
      --i;
      return taken;
    };
    if (heading) {
      const level = Math.min(4, (heading[1] as string).length + 1);
      blocks.push(h(`h${level}` as "h2", {}, ...make_spans(heading[2] as string)));
    } else if (line.startsWith("|")) {
      blocks.push(make_table(take((next) => next.startsWith("|"))));
    } else if (/^[-*] /.test(line)) {
      const items = take((next) => /^[-*] /.test(next));
      blocks.push(h("ul", {}, ...items.map((item) => h("li", {}, ...make_spans(item.slice(2))))));
    } else if (line.trim() !== "") {
      const paragraph = take((next) => next.trim() !== "" && !/^(#|\||[-*] )/.test(next));
      blocks.push(h("p", {}, ...make_spans(paragraph.join(" "))));
    }
  }
  return blocks;
}
