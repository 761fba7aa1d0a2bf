// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The page of the crank opens from a file: a mechanism that moves and is where the results say, its
// joint coordinates and loads, the solver behind a tab, no error, no request.
import assert from "node:assert/strict";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { check_quiet, make_page, models, open, pages, picture, read_csv, seek, show_tab, trammel } from "./support.mjs";

const csv_file = join(pages, "crank.csv");
const file = make_page(join(models, "paper/crank.yaml"), "crank", ["-o", csv_file]);
const csv = read_csv(readFileSync(csv_file, "utf8"));

test("the page is below 2 MB and forbids the network", () => {
  assert.ok(statSync(file).size < 2e6, `${statSync(file).size} bytes`);
  const text = readFileSync(file, "utf8");
  assert.match(text, /Content-Security-Policy" content="default-src 'none'; script-src 'sha256-/);
  assert.doesNotMatch(text.slice(0, text.indexOf("</title>")), /https?:\/\//);
});

test("it shows a moving mechanism and its plots, quietly", async () => {
  const { page, notes } = await open(file);
  assert.equal(await page.title(), "crank – Trammel");
  // it plays by itself
  const t = await page.evaluate(() => window.trammel.player.t);
  await page.waitForFunction((before) => window.trammel.player.t > before + 0.05, t);
  assert.equal(await page.locator(".plot .uplot canvas").count(), 3);
  await page.waitForTimeout(300);
  await picture(page, "crank-light");
  const view = await page.locator(".view").boundingBox();
  const stage = await page.locator(".stage").boundingBox();
  assert.ok(view.width * view.height > 0.4 * 1440 * 900 && stage.width * stage.height > 0.55 * 1440 * 900,
            "the mechanism is small");
  assert.match(await page.locator("#solver-badge").innerText(), /✓ solver OK/);
  await page.locator("#solver-badge").click();
  await page.locator("#plot-newton .uplot").waitFor();
  assert.equal(await page.locator(".plot .uplot canvas").count(), 8);

  // another time, another picture; the same time, the same picture
  await seek(page, 0);
  const shot = (at) => page.evaluate((t) => {
    const { view } = window.trammel;
    view.show(t);
    return view.canvas.toDataURL();
  }, at);
  const first = await shot(0);
  assert.ok(first.length > 10_000, "the picture is empty");
  assert.notEqual(await shot(1.3), first, "nothing moved");
  assert.equal(await shot(0), first, "the same time gives another picture");
  check_quiet(notes);
});

test("bodies are drawn where the results say they are", async () => {
  const { page } = await open(file);
  for (const row of [0, 137, 640]) {
    const t = Number(csv.column("time [s]")[row]);
    await seek(page, t);
    for (const body of ["crank", "rod", "slider"]) {
      const place = ["x", "y", "z"].map((k) => Number(csv.column(`${body}.position.${k} [m]`)[row]));
      // the pixel where the camera sees this point of the world
      const color = await page.evaluate((x) => {
        const { view } = window.trammel;
        view.draw();
        const gl = view.renderer.getContext();
        const point = view.camera.position.clone().set(x[0], x[1], x[2]).project(view.camera);
        const px = Math.round(((point.x + 1) / 2) * gl.drawingBufferWidth);
        const py = Math.round(((point.y + 1) / 2) * gl.drawingBufferHeight);
        const out = new Uint8Array(4);
        gl.readPixels(px, py, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, out);
        return [...out];
      }, place);
      assert.equal(color[3], 255, `${body} is not at its place at t = ${t}: ${color}`);
    }
  }
});

test("the page has the numbers of the CSV file", async () => {
  const { page } = await open(file);
  const got = await page.evaluate(() => {
    const run = window.trammel.page.runs[0];
    return {
      time: [...run.time],
      kinetic: [...run.array("kinetic")],
      violation: [...run.array("violation_velocity")],
      force: [...run.array("reaction_force")],
      position: [...run.position],
    };
  });
  const numbers = (name) => csv.column(name).map(Number);
  assert.deepEqual(got.time, numbers("time [s]"));
  assert.deepEqual(got.kinetic, numbers("kinetic_energy [J]"));
  assert.deepEqual(got.violation, numbers("violation.velocity [m/s or 1/s]"));
  const slider = numbers("slider.position.x [m]").map(Math.fround);
  assert.deepEqual(got.position.filter((_, i) => i % 9 === 6), slider);
  const shaft = numbers("shaft.reaction_force.y [N]").map(Math.fround);
  assert.deepEqual(got.force.filter((_, i) => i % 12 === 10), shaft);
});

test("the summary says what was done", async () => {
  const { page } = await open(file);
  const text = await page.locator("#summary").innerText();
  const summary = JSON.parse(trammel(["run", join(models, "paper/crank.yaml"), "--json"]));
  assert.ok(text.includes(`${summary.steps.accepted}, ${summary.steps.rejected}`), text);
  for (const word of ["dop853", "energy", "reached the end at t = 10 s", "mass", summary.version]) {
    assert.ok(text.includes(word), `${word} is missing in\n${text}`);
  }
  assert.match(await page.locator("#model-0").textContent(), /It passes its first top with about 10 J left/);
  assert.match(await page.locator("#report-0").textContent(), /step_control/);
});
