// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// What all browser tests share: pages made by the program, opened in headless Chromium from a file
// address, with every console message, error and request noted.
//
// The environment names what CMake found: TRAMMEL_PROGRAM, TRAMMEL_MODELS, TRAMMEL_VIEWER (the folder
// with node_modules), TRAMMEL_PAGES (where pages and screenshots go), TRAMMEL_CHROMIUM, TRAMMEL_PYTHON
// (with h5py).
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { after } from "node:test";
import { pathToFileURL } from "node:url";

const env = (name) => {
  const value = process.env[name];
  assert.ok(value, `${name} is not set`);
  return value;
};
const require = createRequire(join(env("TRAMMEL_VIEWER"), "package.json"));
const { chromium } = require("playwright-core");

export const pages = env("TRAMMEL_PAGES");
export const models = env("TRAMMEL_MODELS");
export const python = env("TRAMMEL_PYTHON");
const pictures = join(pages, "screenshots");
mkdirSync(pictures, { recursive: true });

// Runs the program; `status` is the exit status it should have.
export function trammel(args, status = 0) {
  const done = spawnSync(env("TRAMMEL_PROGRAM"), args, { encoding: "utf8" });
  assert.equal(done.status, status, `trammel ${args.join(" ")}\n${done.stdout}${done.stderr}`);
  return done.stdout;
}

// The page of a model, made once for each test file.
export function make_page(model, name, more = [], status = 0) {
  const file = join(pages, `${name}.html`);
  trammel(["run", model, "-q", "-o", file, ...more], status);
  return file;
}

let launched = null; // a promise: tests may ask for the browser at the same time
after(async () => (await launched)?.close());
const opened = new Set();

// With `measured`, notes.cpu is the processor time of the page's main thread up to then, s.
export async function open(file, options = {}, measured = false) {
  launched ??= chromium.launch({
    executablePath: env("TRAMMEL_CHROMIUM"),
    args: ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"],
  });
  const context = await (await launched).newContext({
    viewport: { width: 1440, height: 900 },
    colorScheme: "light",
    acceptDownloads: true,
    ...options,
  });
  // a page that plays is drawn in software and takes the processor from the next
  for (const other of opened) await other.evaluate(() => window.trammel?.player?.pause()).catch(() => {});
  const page = await context.newPage();
  opened.add(page);
  page.on("close", () => opened.delete(page));
  const notes = { errors: [], requests: [] };
  page.on("console", (message) => {
    // warnings of the graphics driver are the browser's own
    if (message.type() === "error") notes.errors.push(message.text());
  });
  page.on("pageerror", (error) => notes.errors.push(String(error)));
  page.on("dialog", (dialog) => {
    notes.errors.push(`dialog: ${dialog.message()}`);
    dialog.dismiss();
  });
  page.on("request", (request) => notes.requests.push(request.url()));
  const meter = measured ? await context.newCDPSession(page) : null;
  await meter?.send("Performance.enable", { timeDomain: "threadTicks" });
  const begin = performance.now();
  await page.goto(pathToFileURL(file).href);
  await page.waitForSelector("html[data-ready]", { state: "attached" });
  notes.ready = performance.now() - begin;
  if (meter) {
    const { metrics } = await meter.send("Performance.getMetrics");
    notes.cpu = metrics.find(({ name }) => name === "TaskDuration").value;
  }
  page.setDefaultTimeout(60_000);
  return { page, notes, context };
}

// Nothing went wrong and nothing left the page.
export function check_quiet(notes) {
  assert.deepEqual(notes.errors, []);
  const outside = notes.requests.slice(1).filter((url) => !/^(data|blob):/.test(url));
  assert.deepEqual(outside, [], "the page asked for something");
}

const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

// axe-core finds no serious offence against the rules of accessibility. The policy of the page lets no
// other script in; the test asks the browser to look away.
export async function check_access(page) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
  const serious = violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, help, nodes }) => `${id}: ${help}\n  ${nodes.map((node) => node.html).join("\n  ")}`);
  assert.deepEqual(serious, []);
}

export async function picture(page, name, options = {}) {
  await page.screenshot({ path: join(pictures, `${name}.png`), ...options });
}

export const time_of = (page) => page.evaluate(() => window.trammel.player.t);
export const pause = (page) => page.evaluate(() => window.trammel.player.pause());

// "motion", "solver" or "model"
export const show_tab = (page, id) => page.evaluate((name) => window.trammel.tabs.show(name), id);

// Sets the time and waits until it is drawn.
export async function seek(page, t) {
  await page.evaluate(async (time) => {
    const { player } = window.trammel;
    player.pause();
    player.seek(time);
    const before = player.statistics.count;
    while (player.statistics.count === before) await new Promise((done) => requestAnimationFrame(done));
  }, t);
}

// A file the page offers.
export async function download(page, action, timeout = 60_000) {
  const [file] = await Promise.all([page.waitForEvent("download", { timeout }), action()]);
  return { name: file.suggestedFilename(), path: await file.path() };
}

export function read_csv(text) {
  const [header, ...rows] = text.trim().split("\n").map((line) => line.split(","));
  return { header, column: (name) => rows.map((row) => row[header.indexOf(name)]) };
}

export { execFileSync };
