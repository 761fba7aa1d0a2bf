// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Runs that did not go well, and names that would like to be markup.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { check_quiet, make_page, models, open, pages, picture, seek, show_tab } from "./support.mjs";

test("a failed run says when and why, and shows what there is", async () => {
  const { page, notes } = await open(join(pages, "failed.html"));
  const alert = page.getByRole("alert");
  assert.match(await alert.innerText(), /The run failed[^]*t = 1\.5 s[^]*pin\.C\.x became dependent/);
  assert.match(await alert.innerText(), /was to end at t = 10 s/);
  assert.match(await page.locator(".badge").first().innerText(), /stopped at t = 1\.5 s/);
  assert.match(await page.locator("#solver-badge").innerText(), /⚠ did not finish/);
  await page.locator("#solver-badge").click();
  assert.match(await page.locator(".notice.warning").innerText(), /the second <b>warning<\/b>/);
  await page.locator("#plot-newton .uplot").waitFor();
  assert.equal(await page.locator(".plot .uplot canvas").count(), 7);
  await seek(page, 1);
  await picture(page, "failed");
  check_quiet(notes);
});

test("a run stopped by its limit says so", async () => {
  const file = make_page(join(models, "paper/crank.yaml"), "limited", ["--max-steps", "30"], 2);
  const { page, notes } = await open(file);
  assert.match(await page.getByRole("alert").innerText(), /too many steps[^]*after 30 attempted steps/);
  check_quiet(notes);
});

test("an empty run opens and says that there is nothing", async () => {
  const { page, notes } = await open(join(pages, "empty.html"));
  assert.match(await page.getByRole("alert").innerText(), /'crank' is not finite[^]*No row was recorded/);
  assert.equal(await page.locator(".plot .uplot").count(), 0);
  for (const text of await page.locator(".plot-empty").allInnerTexts()) assert.ok(text.length > 5);
  assert.ok(await page.locator("#scrub").isDisabled());
  await page.locator("#play").click();
  await page.keyboard.press("f");
  await page.getByRole("button", { name: "Zoom out in time" }).click();
  assert.match(await page.locator(".view-message").innerText(), /No motion was recorded/);
  await picture(page, "empty");
  check_quiet(notes);
});

test("what was not recorded is left out", async () => {
  const { page, notes } = await open(join(pages, "partial.html"));
  assert.match(await page.locator(".view-message").innerText(), /No motion was recorded/);
  await page.locator("#plot-1 .channel-menu > summary").click();
  await page.locator("input[data-channel]").first().waitFor();
  const names = await page.locator("input[data-channel]").evaluateAll((list) => list.map((e) => e.dataset.channel));
  assert.ok(names.includes("slider.position.x") && names.includes("shaft.reaction_force.magnitude"));
  assert.ok(!names.some((name) => /orientation|moment/.test(name)), names.join());
  await show_tab(page, "solver");
  await page.locator("#plot-newton .uplot").waitFor();
  check_quiet(notes);
});

test("a run that recorded positions only says what was not recorded", async () => {
  const file = make_page(join(models, "paper/crank.yaml"), "positions", ["--record", "positions"]);
  const { page, notes } = await open(file);
  await show_tab(page, "solver");
  const text = await page.locator("#panel-solver").innerText();
  assert.doesNotMatch(text, /balance holds|constraints hold|No steps? (was|were) taken/);
  for (const id of ["energies", "balance", "violation", "steps", "newton"]) {
    assert.match(await page.locator(`#plot-${id} .plot-empty`).innerText(), /were not recorded/, id);
  }
  // steps are counted nevertheless
  assert.match(text, /[1-9]\d* accepted/);
  // the mechanism moves, its position can be plotted
  assert.equal(await page.locator(".view-message:visible").count(), 0);
  await show_tab(page, "motion");
  assert.ok((await page.locator("#plots .uplot").count()) > 0);
  check_quiet(notes);
});

const bodies = ["<script>alert(1)</script>", '"><img src=x onerror=alert(2)>', "{{7*7}} \u202e&amp; ' `${1}`"];
const name = "</script><script>alert(3)</script><b>&";

test("names are text, whatever they hold", async () => {
  const text = (value) => JSON.stringify(value);
  const model = join(pages, "hostile.yaml");
  writeFileSync(model, `trammel: 1
name: ${text(name)}
gravity: [0, 0, -9.81]
bodies:
  ${text(bodies[0])}: {mass: 1, inertia: [0.01, 0.02, 0.03], position: [0.5, 0, 0]}
  ${text(bodies[1])}: {mass: 1, inertia: [0.01, 0.02, 0.03], position: [1.5, 0, 0]}
  ${text(bodies[2])}: {mass: 1, inertia: [0.01, 0.02, 0.03], position: [2.5, 0, 0]}
joints:
  "</pre><h1>": {kind: revolute, bodies: [ground, ${text(bodies[0])}], at: [0, 0, 0], axis: [0, 1, 0]}
  "-->": {kind: spherical, bodies: [${text(bodies[0])}, ${text(bodies[1])}], at: [1, 0, 0]}
  "]]>": {kind: universal, bodies: [${text(bodies[1])}, ${text(bodies[2])}], at: [2, 0, 0], axes: [[0, 1, 0], [0, 0, 1]]}
simulation: {t_end: 1}
`);
  const file = make_page(model, "hostile");
  const { page, notes } = await open(file);
  assert.equal(await page.locator("h1").innerText(), name);
  assert.equal(await page.title(), `${name} – Trammel`);
  // one script that acts, and the two that are data
  assert.equal(await page.locator("script:not([type])").count(), 1);
  assert.equal(await page.locator("#page img, #page b, #page script").count(), 0);
  await page.locator("#show-menu > summary").click();
  await page.locator("#show-body_names").check();
  await page.locator("#show-joint_names").check();
  const labels = await page.locator(".label.body").evaluateAll((list) => list.map((e) => e.textContent));
  assert.deepEqual(labels, bodies);
  await page.locator("#show-menu > summary").click();
  await page.evaluate(() => window.trammel.stage.show_tree(true));
  await page.locator('[data-item="body:1"]').click();
  await page.locator("#details strong").waitFor();
  assert.equal(await page.locator("#details strong").textContent(), bodies[1]);
  assert.deepEqual(await page.locator('#model-tree [data-item^="body"] .tree-name').allTextContents(), bodies);
  await page.locator("#add-plot").click();
  const plot = page.locator("#plots .plot").last();
  await plot.locator(".channel-filter").fill("<script>");
  await plot.locator(".channel-items input").first().check();
  await show_tab(page, "model");
  assert.equal(await page.locator("#model-0 pre").textContent(), readFileSync(model, "utf8"));
  await picture(page, "hostile");
  check_quiet(notes);
});
