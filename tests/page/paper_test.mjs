// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// `trammel paper -o paper.html`: the figures of the three models, and the tables.
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { check_quiet, open, pages, picture, trammel } from "./support.mjs";

test("the paper's figures and tables", async () => {
  const file = join(pages, "paper.html");
  const tables = trammel(["paper", "-o", file]);
  const { page, notes } = await open(file);
  for (const model of ["pendulum", "quadrangle", "crank"]) {
    const section = page.locator(`#model-${model}`);
    assert.equal(await section.locator("figure").count(), 4);
    assert.equal(await section.locator(".uplot").count(), 3, `${model}: a plot is missing`);
    assert.match(await section.innerText(), new RegExp(`Initial configuration of the ${model}`));
    const lines = await section.locator(`#plot-${model}-total .legend .name`).allInnerTexts();
    assert.deepEqual(lines, ["without", "with conservation"]);
    await section.locator("select").first().selectOption("trammel");
    assert.equal(await section.locator(".uplot").count(), 3);
  }
  // every number of the tables stands on the page
  const rows = tables.split("\n").filter((line) => line.startsWith("|") && !/^[|:\s-]+$/.test(line));
  assert.ok(rows.length > 20);
  const text = (await page.locator(".paper-tables").innerText()).replace(/\s+/g, "");
  for (const row of rows) {
    for (const cell of row.split("|").map((c) => c.replace(/[*`\s]/g, "")).filter(Boolean)) {
      assert.ok(text.includes(cell), `${cell} of\n${row}`);
    }
  }
  await page.waitForTimeout(500);
  await picture(page, "paper");
  await picture(page, "paper-whole", { fullPage: true });
  await page.setViewportSize({ width: 390, height: 844 });
  await page.waitForFunction(() => document.documentElement.scrollWidth <= window.innerWidth);
  await picture(page, "paper-phone");
  check_quiet(notes);
});
