// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Several runs on one page: overlaid in the plots, switched in the picture, side by side in the
// summary.
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { check_quiet, open, pages, picture, seek } from "./support.mjs";

test("runs are overlaid under what tells them apart", async () => {
  const { page, notes } = await open(join(pages, "compare.html"));
  const labels = await page.locator(".run-switch .segment").allInnerTexts();
  assert.deepEqual(labels, [
    "A tolerance 1e-07, energy enforced", "B tolerance 1e-07, nothing enforced", "C tolerance 0.0001, energy enforced",
  ]);
  const series = await page.evaluate(() => window.trammel.group.panels.map((p) => p.drawn.length));
  assert.deepEqual(series.slice(0, 5), [12, 3, 9, 6, 3]);
  // the balance errors of runs that hold the energy and of one that does not are far apart
  const worst = await page.evaluate(() =>
    window.trammel.group.panels[1].drawn.map((line) => Math.max(...line.values.map(Math.abs))));
  assert.ok(worst[1] > 1e3 * worst[0], `${worst}`);
  await seek(page, 2);
  await picture(page, "compare-light", { fullPage: true });
  assert.equal(await page.locator("#summary thead").first().locator("th").count(), 3);
  check_quiet(notes);
});

test("the picture shows the run that is chosen", async () => {
  const { page, notes } = await open(join(pages, "two-models.html"));
  // labels that are equal get numbers
  assert.deepEqual(await page.locator(".run-switch .segment").allInnerTexts(), ["A a.h5", "B a.h5 (2)"]);
  await seek(page, 1);
  const before = await page.locator(".canvas").screenshot();
  assert.equal(await page.evaluate(() => window.trammel.view.run.n_bodies), 1);
  await page.locator(".run-switch").getByText("a.h5 (2)").click();
  assert.equal(await page.evaluate(() => window.trammel.view.run.n_bodies), 3);
  await seek(page, 1);
  assert.ok(!before.equals(await page.locator(".canvas").screenshot()));
  await page.locator("h1").click();
  await page.keyboard.press("1");
  assert.equal(await page.evaluate(() => window.trammel.view.run.n_bodies), 1);
  // the shorter run stays at its end while the longer one goes on
  await page.keyboard.press("2");
  await seek(page, 4.5);
  check_quiet(notes);
});
