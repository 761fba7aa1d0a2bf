// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Light and dark, wide and narrow: nothing is cut off, nothing is too faint, everything can be reached.
// axe-core finds no serious offence against the rules of accessibility.
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { check_access, check_quiet, make_page, models, open, pages, picture, seek, show_tab } from "./support.mjs";

const crank = make_page(join(models, "paper/crank.yaml"), "looks");

const overflow = (page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

for (const [name, width, height, colorScheme] of [
  ["desktop-light", 1440, 900, "light"],
  ["desktop-dark", 1440, 900, "dark"],
  ["laptop-light", 1100, 700, "light"],
  ["phone-light", 390, 844, "light"],
  ["phone-dark", 390, 844, "dark"],
]) {
  test(`${name}: accessible, nothing beside the window`, async () => {
    const { page, notes } = await open(crank, { viewport: { width, height }, colorScheme });
    assert.equal(await page.locator("html").getAttribute("data-theme"), colorScheme);
    await seek(page, 1.6);
    assert.ok((await overflow(page)) <= 0, "the page is wider than the window");
    await picture(page, name);
    await check_access(page);
    for (const tab of ["solver", "model"]) {
      await show_tab(page, tab);
      if (tab === "model") await page.locator("#report-0 summary").click();
      await page.waitForTimeout(100);
      assert.ok((await overflow(page)) <= 0, `the tab ${tab} is wider than the window`);
      await check_access(page);
      await picture(page, `${name}-${tab}`, { fullPage: true });
    }
    check_quiet(notes);
  });
}

test("other pages are accessible too", async () => {
  for (const name of ["compare", "failed", "empty"]) {
    const { page, context } = await open(join(pages, `${name}.html`), { colorScheme: "dark" });
    if (name !== "empty") await seek(page, 1);
    await check_access(page);
    await context.close();
  }
});

test("open menus and the help are accessible", async () => {
  const { page } = await open(crank);
  await seek(page, 1);
  await page.locator("#show-menu > summary").click();
  await check_access(page);
  await page.locator("#plot-1 .channel-menu > summary").click();
  await check_access(page);
  await page.keyboard.press("Escape");
  assert.equal(await page.locator("details.menu[open]").count(), 0);
  await page.locator("#help").click();
  await check_access(page);
  await picture(page, "help");
});

test("a window that becomes narrow", async () => {
  const { page, notes } = await open(crank);
  await seek(page, 2);
  await page.setViewportSize({ width: 390, height: 844 });
  const width = () => page.evaluate(() => document.querySelector("#plot-1 canvas").clientWidth);
  const settle = () => page.waitForFunction(() => {
    const box = document.querySelector("#plot-1 .plot-box");
    return Math.abs(box.querySelector("canvas").clientWidth - box.clientWidth) <= 1;
  });
  await page.waitForFunction(() => document.querySelector(".canvas").clientWidth < 400);
  await settle();
  assert.ok((await width()) < 370, `${await width()}`);
  await page.waitForFunction(() => document.documentElement.scrollWidth <= window.innerWidth);
  // the bar that moves time stays in sight
  await page.evaluate(() => window.scrollTo(0, 1500));
  const bar = await page.locator(".transport").boundingBox();
  assert.ok(bar.y + bar.height <= 845 && bar.y > 700, JSON.stringify(bar));
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.waitForFunction(() => document.querySelector(".canvas").clientWidth > 400);
  await settle();
  check_quiet(notes);
});

test("dark and light on demand, and with the system", async () => {
  const { page } = await open(crank);
  const root = page.locator("html");
  const back = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await back();
  await page.emulateMedia({ colorScheme: "dark" });
  await page.waitForFunction(() => document.documentElement.dataset.theme === "dark");
  assert.notEqual(await back(), light);
  await page.locator("#theme").click();
  assert.equal(await root.getAttribute("data-theme"), "light");
  assert.equal(await back(), light);
});

test("who wants no motion gets none until asked", async () => {
  const { page } = await open(crank, { reducedMotion: "reduce" });
  await page.waitForTimeout(300);
  assert.equal(await page.evaluate(() => window.trammel.player.t), 0);
  assert.equal(await page.evaluate(() => window.trammel.player.statistics.count > 0), true);
});

test("a finger scrubs a plot", async () => {
  const { page } = await open(crank, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  await seek(page, 0);
  const over = page.locator("#plot-1 .u-over");
  await over.scrollIntoViewIfNeeded();
  const box = await over.boundingBox();
  await page.touchscreen.tap(box.x + 0.5 * box.width, box.y + 0.5 * box.height);
  await page.waitForFunction(() => Math.abs(window.trammel.player.t - 5) < 0.1);
});
