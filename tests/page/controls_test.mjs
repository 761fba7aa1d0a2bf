// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Everything a reader can do: play, scrub, speed, loop, keys, channels, zoom, hover, export, the
// picture's own tools.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import {
  check_quiet, download, make_page, models, open, pages, pause, picture, read_csv, seek, show_tab, time_of,
} from "./support.mjs";

const csv_file = join(pages, "controls.csv");
const file = make_page(join(models, "paper/crank.yaml"), "controls", ["-o", csv_file]);
const { page, notes } = await open(file);

test("play and pause", async () => {
  await pause(page);
  const t = await time_of(page);
  await page.waitForTimeout(200);
  assert.equal(await time_of(page), t, "time runs on after a pause");
  await page.locator("#play").click();
  await page.waitForFunction((before) => window.trammel.player.t > before, t);
  assert.equal(await page.locator("#play").getAttribute("aria-label"), "Pause");
  await page.locator("#play").click();
  assert.equal(await page.evaluate(() => window.trammel.player.playing), false);
});

test("scrub", async () => {
  await show_tab(page, "solver");
  await page.locator("#scrub").fill("4");
  assert.equal(await time_of(page), 4);
  await page.waitForFunction(() => document.getElementById("time").textContent.startsWith("4.00"));
  // the plots of a tab that was closed are drawn when it opens
  await page.waitForFunction(() => {
    const plot = document.querySelector("#plot-energies .u-over")?.getBoundingClientRect();
    const line = document.querySelector("#plot-energies .time-cursor").getBoundingClientRect();
    return plot && Math.abs((line.left - plot.left) / plot.width - 0.4) < 0.01;
  });
});

test("the values at the time shown stand in the legend", async () => {
  await seek(page, 4);
  const csv = read_csv(readFileSync(csv_file, "utf8"));
  const row = csv.column("time [s]").indexOf("4");
  const shown = await page.locator("#plot-energies .value").first().innerText();
  const kinetic = Number(csv.column("kinetic_energy [J]")[row]);
  assert.equal(shown, String(Number(kinetic.toPrecision(4))));
});

test("speed", async () => {
  await page.locator("#speed").selectOption("5");
  assert.equal(await page.evaluate(() => window.trammel.player.speed), 5);
  // in a frame of 20 ms a speed of 5 makes 0.1 s
  const moved = await page.evaluate(() => {
    const { player } = window.trammel;
    player.t = 1;
    player.advance(0.02);
    return player.t - 1;
  });
  assert.ok(Math.abs(moved - 0.1) < 1e-12, `${moved}`);
  await page.locator("#speed").focus();
  await page.keyboard.press("[");
  assert.equal(await page.evaluate(() => window.trammel.player.speed), 5, "keys leave a select alone");
  await page.locator("h1").click();
  await page.keyboard.press("[");
  assert.equal(await page.evaluate(() => window.trammel.player.speed), 2);
});

test("loop", async () => {
  const end = () => page.evaluate(() => {
    const { player } = window.trammel;
    player.play();
    player.t = 9.99;
    player.advance(1);
    return [player.t, player.playing];
  });
  const [t, playing] = await end();
  assert.ok(playing && t < 9.9, "the loop does not begin again");
  await page.locator("#loop").click();
  assert.deepEqual(await end(), [10, false]);
  await page.locator("#loop").click();
});

test("keys", async () => {
  await seek(page, 5);
  await page.locator("h1").click();
  await page.keyboard.press("ArrowRight");
  assert.ok(Math.abs((await time_of(page)) - 5.1) < 1e-9);
  await page.keyboard.press("Shift+ArrowLeft");
  assert.ok(Math.abs((await time_of(page)) - 4.1) < 1e-9);
  await page.keyboard.press("Home");
  assert.equal(await time_of(page), 0);
  await page.keyboard.press("End");
  assert.equal(await time_of(page), 10);
  await page.keyboard.press("Space");
  assert.equal(await page.evaluate(() => window.trammel.player.playing), true);
  await page.keyboard.press("Space");
  await page.keyboard.press("?");
  assert.ok(await page.locator("dialog.help").isVisible());
  await page.keyboard.press("Escape");
  assert.ok(!(await page.locator("dialog.help").isVisible()));
});

test("a channel from the list", async () => {
  await show_tab(page, "motion");
  await page.locator("#add-plot").click();
  const plot = page.locator("#plots .plot").last();
  const filter = plot.locator(".channel-filter");
  await filter.fill("shaft angle");
  await plot.locator('input[data-channel="shaft.angle"]').check();
  await plot.locator(".legend").getByText("shaft.angle").waitFor();
  await filter.fill("guide reaction_force magnitude");
  await plot.locator('input[data-channel="guide.reaction_force.magnitude"]').check();
  await picture(page, "channels");
  // by the geometry of the crank: its pin is at (0, 0.5 sin φ, −0.5 cos φ), φ the turn of the shaft
  const worst = await page.evaluate(() => {
    const run = window.trammel.page.runs[0];
    const panel = window.trammel.group.panels.at(-1);
    const recorded = panel.spec.lines.find((line) => line.label === "shaft.angle").values;
    const angle = recorded.map((x) => x - recorded[0]);
    let largest = 0;
    for (let i = 0; i < angle.length; ++i) {
      const y = run.position[9 * i + 1] * 2, z = run.position[9 * i + 2] * 2;
      largest = Math.max(largest, Math.abs(Math.abs(y) - 0.5 * Math.abs(Math.sin(angle[i]))),
                         Math.abs(z + 0.5 * Math.cos(angle[i])));
    }
    return [largest, Math.abs(angle.at(-1))];
  });
  assert.ok(worst[0] < 1e-5, `the angle is off by ${worst[0]}`);
  assert.ok(worst[1] > 4 * Math.PI, "whole turns are not counted");
  await filter.fill("no such thing");
  assert.equal(await plot.locator(".channel-status").innerText(), "No matching channel");
  await page.keyboard.press("Escape");
});

const shown_window = () => page.evaluate(() => window.trammel.group.window);

test("zoom by drag, buttons and keys; all plots together", async () => {
  const over = page.locator("#plot-1 .u-over");
  await over.scrollIntoViewIfNeeded();
  const box = await over.boundingBox();
  await page.mouse.move(box.x + 0.2 * box.width, box.y + 40);
  await page.mouse.down();
  await page.mouse.move(box.x + 0.4 * box.width, box.y + 60, { steps: 5 });
  await page.mouse.up();
  const [t0, t1] = await shown_window();
  assert.ok(Math.abs(t0 - 2) < 0.05 && Math.abs(t1 - 4) < 0.05, `${t0} … ${t1}`);
  const scales = await page.evaluate(() =>
    window.trammel.group.panels.map((panel) => [panel.plot.scales.x.min, panel.plot.scales.x.max]));
  assert.equal(scales.length, 9);
  for (const scale of scales) assert.deepEqual(scale, [t0, t1]);
  await picture(page, "zoomed");
  await over.dblclick();
  assert.deepEqual(await shown_window(), [0, 10]);
  await seek(page, 5);
  await page.getByRole("button", { name: "Zoom in on the time shown" }).click();
  assert.deepEqual(await shown_window(), [2.5, 7.5]);
  await page.getByRole("button", { name: "Zoom out in time" }).click();
  assert.deepEqual(await shown_window(), [0, 10]);
  await page.getByRole("button", { name: "Zoom in on the time shown" }).click();
  await page.locator("h1").click();
  await page.keyboard.press("z");
  assert.deepEqual(await shown_window(), [0, 10]);
});

test("hover shows values, a click goes there", async () => {
  await show_tab(page, "solver");
  const over = page.locator("#plot-violation .u-over");
  await over.scrollIntoViewIfNeeded();
  const box = await over.boundingBox();
  await page.mouse.move(box.x + 0.7 * box.width, box.y + 30);
  await page.waitForFunction(() => Math.abs(window.trammel.group.hover - 7) < 0.05);
  await page.mouse.click(box.x + 0.7 * box.width, box.y + 30);
  assert.ok(Math.abs((await time_of(page)) - 7) < 0.05);
  await page.mouse.move(5, 5);
  await page.waitForFunction(() => window.trammel.group.hover === null);
});

test("the data of a plot as CSV, to the bit; the plot as PNG", async () => {
  const { name, path } = await download(page, () => page.locator("#plot-energies").getByText("CSV").click());
  assert.equal(name, "crank-energies.csv");
  const saved = read_csv(readFileSync(path, "utf8"));
  const direct = read_csv(readFileSync(csv_file, "utf8"));
  assert.deepEqual(saved.column("time [s]").map(Number), direct.column("time [s]").map(Number));
  assert.deepEqual(saved.column("kinetic T [J]").map(Number), direct.column("kinetic_energy [J]").map(Number));
  assert.equal(saved.column("kinetic T [J]").length, 1001);
  const image = await download(page, () => page.locator("#plot-energies").getByText("PNG").click());
  assert.equal(image.name, "crank-energies.png");
  assert.equal(readFileSync(image.path).subarray(1, 4).toString(), "PNG");
});

test("a size is never below zero", async () => {
  const balance = await page.evaluate(() => [...window.trammel.page.runs[0].array("balance_error")]);
  const row = balance.findIndex((x) => x < 0);
  assert.ok(row > 0, "the balance error has no negative value: nothing was tested");
  await seek(page, await page.evaluate((i) => window.trammel.page.runs[0].time[i], row));
  const value = Number(await page.locator("#plot-balance .value").getAttribute("data-value"));
  assert.equal(value, -balance[row]);
});

test("a line can be hidden", async () => {
  const first = page.locator("#plot-energies .legend button").first();
  await first.click();
  assert.equal(await first.getAttribute("aria-pressed"), "false");
  assert.equal(await page.evaluate(() => window.trammel.group.panels[0].plot.series.length), 4);
  await first.click();
  assert.equal(await page.evaluate(() => window.trammel.group.panels[0].plot.series.length), 5);
});

test("orbit, pan, zoom, fit", async () => {
  const camera = () => page.evaluate(() => {
    const { view } = window.trammel;
    return [...view.camera.position.toArray(), ...view.controls.target.toArray()];
  });
  const distance = (c) => Math.hypot(c[0] - c[3], c[1] - c[4], c[2] - c[5]);
  const first = await camera();
  const box = await page.locator(".canvas").boundingBox();
  const middle = [box.x + box.width / 2, box.y + box.height / 2];
  const drag = async (button) => {
    await page.mouse.move(...middle);
    await page.mouse.down({ button });
    await page.mouse.move(middle[0] + 80, middle[1] + 30, { steps: 4 });
    await page.mouse.up({ button });
    return camera();
  };
  const turned = await drag("left");
  assert.ok(Math.abs(distance(turned) - distance(first)) < 1e-6, "orbiting changes the distance");
  assert.ok(Math.abs(turned[0] - first[0]) > 0.05, "it does not turn");
  const moved = await drag("right");
  assert.ok(Math.abs(moved[3] - turned[3]) > 0.01, "it does not pan");
  await page.mouse.move(...middle);
  await page.mouse.wheel(0, -300);
  await page.waitForFunction((d) => {
    const { view } = window.trammel;
    return view.camera.position.distanceTo(view.controls.target) < d - 1e-3;
  }, distance(moved));
  await page.locator("#standpoint").selectOption("default");
  const again = await camera();
  again.forEach((x, k) => assert.ok(Math.abs(x - first[k]) < 1e-6, "the first view does not come back"));
  await page.locator(".canvas").focus();
  await page.keyboard.press("ArrowLeft");
  assert.ok(Math.abs((await camera())[0] - first[0]) > 0.01, "arrow keys do not turn the picture");
  await page.locator("#standpoint").selectOption("default");
});

test("a body shows its values when it is selected", async () => {
  await page.evaluate(() => window.trammel.stage.show_tree(true));
  await page.locator("#model-tree").getByText("slider").click();
  await seek(page, 0);
  const text = await page.locator("#details").innerText();
  assert.match(text, /slider[^]*7\.81 kg[^]*position\.x\s+1\.8\s+m[^]*position\.z\s+−0\.5\s+m/);
  await page.locator("#show-menu > summary").click();
  await page.locator("#show-body_names").check();
  await page.locator(".label.body", { hasText: "crank" }).waitFor();
  await page.locator("#trail-list").getByText("pin (joint)").click();
  assert.equal(await page.evaluate(() => window.trammel.view.trail_points.length), 2);
  await page.locator("#show-menu").getByText("Add point").click();
  assert.equal(await page.evaluate(() => window.trammel.view.trail_points.length), 3);
  await picture(page, "show-menu");
  await page.locator("h1").click();
  assert.equal(await page.locator("#show-menu[open]").count(), 0, "the menu stays open");
});

test("nothing went wrong meanwhile", () => check_quiet(notes));
