// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Bundles src/ into one page and writes it as C++ text that the program embeds.
//
// Usage: node build.mjs MODULES OUT    MODULES: the folder with node_modules, OUT: the .cpp file
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const modules = resolve(process.argv[2] ?? here);
const out = process.argv[3];
const require = createRequire(join(modules, "package.json"));
const esbuild = require("esbuild");

const built = await esbuild.build({
  entryPoints: [join(here, "src/main.ts")],
  bundle: true,
  minify: true,
  write: false,
  outdir: join(modules, "out"),
  format: "iife",
  target: ["es2021"],
  legalComments: "none",
  nodePaths: [join(modules, "node_modules")],
  logLevel: "warning",
});
const output = (ending) => built.outputFiles.find((file) => file.path.endsWith(ending)).text.trimEnd();
const script = output(".js");
const style = output(".css");
if (/<!--|<\/script/i.test(script)) throw new Error("the bundle would end its own script element");
if (/<\//.test(style)) throw new Error("the style would end its own element");

// Nothing is fetched: the policy names the two texts that may act, by their hashes.
const hash = (text) => `'sha256-${createHash("sha256").update(text, "utf8").digest("base64")}'`;
const policy = [
  "default-src 'none'",
  `script-src ${hash(script)}`,
  `style-src ${hash(style)}`,
  "img-src data: blob:",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

// The licences of what is bundled travel with it.
const licences = ["three", "uplot"].map((name) => {
  const { version, license } = JSON.parse(readFileSync(join(modules, "node_modules", name, "package.json")));
  const text = readFileSync(join(modules, "node_modules", name, "LICENSE"), "utf8").trim();
  return `${name} ${version} (${license})\n${text}`;
});
const comment = `<!--\nContains:\n\n${licences.join("\n\n").replace(/--/g, "- -")}\n-->`;

const page = readFileSync(join(here, "src/page.html"), "utf8")
  .replace("@POLICY@", () => policy)
  .replace("@STYLE@", () => style)
  .replace("@SCRIPT@", () => script)
  .replace("</head>", () => `${comment}\n</head>`);
const [head, rest] = page.split("@TITLE@");
const [middle, tail] = rest.split("@DATA@");

// Pieces short enough for every compiler; the end of a piece never splits a character.
const DELIMITER = "trammel_page";
function pieces(text) {
  if (text.includes(`)${DELIMITER}"`)) throw new Error("the page holds the end of a raw string");
  const characters = [...text];
  const list = [];
  for (let i = 0; i < characters.length; i += 15000) {
    list.push(`R"${DELIMITER}(${characters.slice(i, i + 15000).join("")})${DELIMITER}"`);
  }
  return list.join(",\n");
}
const cpp = `// Made by viewer/build.mjs.
#include "page/template.hpp"

namespace trammel::page_template {

namespace {
${["head", "middle", "tail"].map((name, k) => `constexpr std::string_view ${name}_pieces[] = {
${pieces([head, middle, tail][k])}};`).join("\n")}
}  // namespace

const bool available = true;
std::span<const std::string_view> head() { return head_pieces; }
std::span<const std::string_view> middle() { return middle_pieces; }
std::span<const std::string_view> tail() { return tail_pieces; }

}  // namespace trammel::page_template
`;
if (out) writeFileSync(out, cpp);
console.log(`page: ${Math.round(page.length / 1024)} KB without data`);
