// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Plots of the reader's own: of what is clicked, of one channel over another, statistics between two
// cursors, units of the display. Numbers are compared with the CSV file of the same run.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import {
  check_quiet, download, make_page, models, open, pages, picture, read_csv, seek,
} from "./support.mjs";

const csv_file = join(pages, "plots.csv");
const file = make_page(join(models, "new_user/arm_pd.yaml"), "plots", ["-o", csv_file]);
const csv = read_csv(readFileSync(csv_file, "utf8"));
const numbers = (name) => csv.column(name).map(Number);
const time = numbers("time [s]");
const { page, notes } = await open(file);
await seek(page, 0.9);

const last_plot = () => page.locator("#plots .plot").last();
const channels_of = (plot) => plot.locator(".legend [data-channel]").evaluateAll((list) => list.map((e) => e.dataset.channel));

async function add_plot(channels, x = "") {
  await page.locator("#add-plot").click();
  const plot = last_plot();
  for (const name of [...channels, x].filter(Boolean)) {
    await plot.locator(".channel-filter").fill(name);
    if (name === x) await plot.locator(`[data-x="${name}"]`).click();
    else await plot.locator(`input[data-channel="${name}"]`).check();
  }
  await page.keyboard.press("Escape");
  return plot;
}

async function click_item(key) {
  await page.locator(".canvas").scrollIntoViewIfNeeded();
  const [x, y] = await page.evaluate((name) => window.trammel.view.pixel_of(name), key);
  const box = await page.locator(".canvas").boundingBox();
  await page.mouse.click(box.x + x, box.y + y);
}

test("a click on a joint shows its values, and they can be plotted", async () => {
  await click_item("joint:1"); // the elbow
  const details = page.locator("#details");
  assert.match(await details.innerText(), /elbow[^]*revolute joint, upper – fore/);
  const row = time.indexOf(0.9);
  const angle = numbers("elbow.angle [rad]")[row];
  await details.locator('[data-value="elbow.angle"]')
    .and(page.getByText(String(Number(angle.toPrecision(5))).replace("-", "−"), { exact: true })).waitFor();
  const before = await page.locator("#plots .plot").count();
  await page.locator("#details-plot").click();
  assert.deepEqual(await channels_of(last_plot()), ["elbow.angle"]);
  await details.getByRole("button", { name: "Plot elbow.reaction_force.magnitude" }).click();
  assert.deepEqual(await channels_of(last_plot()), ["elbow.reaction_force.magnitude"]);
  assert.equal(await page.locator("#plots .plot").count(), before + 2);
  const value = Number(await last_plot().locator(".value[data-time]").first().getAttribute("data-value"));
  const force = Math.hypot(...["x", "y", "z"].map((k) => numbers(`elbow.reaction_force.${k} [N]`)[row]));
  assert.ok(Math.abs(value - force) < 1e-6 * force, `${value}, ${force}`);
  await picture(page, "clicked-joint");
  // a motor is picked by its symbol, a body by its shape; a click beside picks nothing
  await page.keyboard.press("Escape");
  const [x, y] = await page.evaluate(() => {
    const { view } = window.trammel;
    const mesh = [...view.meshes].find(({ layer, mesh: { geometry } }) => layer === "force" && geometry.attributes.position.count > 100);
    const k = mesh.entries.findIndex(({ item }) => item === "force:0");
    const m = mesh.mesh.instanceMatrix.array.slice(16 * k, 16 * k + 16);
    // the middle of the arc, at 135 degrees
    const [x, y, z] = [0, 1, 2].map((i) => m[12 + i] + Math.SQRT1_2 * (m[4 + i] - m[i]));
    const at = view.camera.position.clone().set(x, y, z).project(view.camera);
    return [((at.x + 1) / 2) * view.width, ((1 - at.y) / 2) * view.height];
  });
  const box = await page.locator(".canvas").boundingBox();
  await page.mouse.click(box.x + x, box.y + y);
  assert.match(await details.innerText(), /^motor1/);
  await click_item("body:0");
  assert.match(await details.innerText(), /^upper\s*body, 4\.86 kg/);
  await page.mouse.click(box.x + 5, box.y + 5);
  assert.equal(await details.isVisible(), false);
});

test("one channel over another", async () => {
  const plot = await add_plot(["motor1.torque"], "shoulder.angle");
  assert.match(await plot.locator("h3").innerText(), /motor1\.torque over shoulder\.angle/);
  // the dot is where the run is
  const dot = async () => {
    const box = await plot.locator(".now-dot").boundingBox();
    const over = await plot.locator(".u-over").boundingBox();
    const { x, y } = await page.evaluate(() => {
      const { scales } = window.trammel.group.panels.at(-1).plot;
      return { x: [scales.x.min, scales.x.max], y: [scales.y.min, scales.y.max] };
    });
    return [
      x[0] + ((box.x + box.width / 2 - over.x) / over.width) * (x[1] - x[0]),
      y[1] - ((box.y + box.height / 2 - over.y) / over.height) * (y[1] - y[0]),
    ];
  };
  await plot.scrollIntoViewIfNeeded();
  for (const row of [100, 300, 900]) {
    await seek(page, time[row]);
    const [angle, torque] = await dot();
    assert.ok(Math.abs(angle - numbers("shoulder.angle [rad]")[row]) < 0.01, `${angle}`);
    assert.ok(Math.abs(torque - numbers("motor1.torque [N m]")[row]) < 0.5, `${torque}`);
  }
  // the curve is drawn: its pixels are not those of the background
  const inked = await page.evaluate(() => {
    const { ctx, bbox } = window.trammel.group.panels.at(-1).plot;
    const { data } = ctx.getImageData(bbox.left, bbox.top, bbox.width, bbox.height);
    let count = 0;
    for (let i = 0; i < data.length; i += 4) if (data[i + 3] > 200 && data[i + 2] > data[i] + 100) ++count;
    return count;
  });
  assert.ok(inked > 200, `${inked} pixels of the curve`);
  const { path } = await download(page, () => plot.getByText("CSV").click());
  const saved = read_csv(readFileSync(path, "utf8"));
  assert.deepEqual(saved.header, ["time [s]", "shoulder.angle [rad]", "motor1.torque [N m]"]);
  assert.deepEqual(saved.column("shoulder.angle [rad]").map((x) => Math.fround(Number(x))),
                   numbers("shoulder.angle [rad]").map(Math.fround));
  // a click on the curve goes to its time
  const over = await plot.locator(".u-over").boundingBox();
  await seek(page, time[300]);
  const place = await plot.locator(".now-dot").boundingBox();
  await seek(page, 2);
  await page.mouse.click(place.x + place.width / 2, place.y + place.height / 2);
  const t = await page.evaluate(() => window.trammel.player.t);
  assert.ok(Math.abs(t - time[300]) < 0.03, `${t}`);
  await page.mouse.move(over.x - 30, over.y - 30);
});

test("lengths over lengths have one scale: a circle stays round", async () => {
  const plot = await add_plot(["fore.position.y"], "fore.position.x");
  const ratio = await page.evaluate(() => {
    const { plot: drawn } = window.trammel.group.panels.at(-1);
    const { x, y } = drawn.scales;
    return ((x.max - x.min) / drawn.bbox.width) / ((y.max - y.min) / drawn.bbox.height);
  });
  assert.ok(Math.abs(ratio - 1) < 0.06, `a metre across is ${ratio} of a metre up`);
  await picture(page, "xy-plots");
  await plot.locator(".remove").click();
});

// of the polygon through the rows, by Simpson's rule for each piece, which is exact for squares
function integrate(values, a, b) {
  const at = (t) => {
    const i = Math.min(Math.max(0, time.findIndex((x) => x > t) - 1), time.length - 2);
    return values[i] + ((t - time[i]) / (time[i + 1] - time[i])) * (values[i + 1] - values[i]);
  };
  const nodes = [a, ...time.filter((t) => t > a && t < b), b];
  let mean = 0, square = 0;
  for (let k = 0; k + 1 < nodes.length; ++k) {
    const [p, q] = [at(nodes[k]), at(nodes[k + 1])];
    const h = (nodes[k + 1] - nodes[k]) / 6;
    mean += h * (p + 4 * ((p + q) / 2) + q);
    square += h * (p * p + 4 * ((p + q) / 2) ** 2 + q * q);
  }
  const all = nodes.map(at);
  return { min: Math.min(...all), max: Math.max(...all), mean: mean / (b - a), rms: Math.sqrt(square / (b - a)) };
}

test("two cursors: minimum, maximum, mean and RMS between them", async () => {
  await page.locator("h1").click();
  await page.keyboard.press("c");
  await page.locator("#cursor-a").fill("0.25");
  await page.locator("#cursor-b").fill("1.3337");
  await page.keyboard.press("Tab");
  const row = page.locator('#plot-2 .statistics tr[data-channel="motor1.torque"]');
  await row.waitFor();
  await seek(page, 1);
  const expected = integrate(numbers("motor1.torque [N m]"), 0.25, 1.3337);
  for (const [name, value] of Object.entries(expected)) {
    const got = Number(await row.locator(`[data-statistic="${name}"]`).getAttribute("data-value"));
    assert.ok(Math.abs(got - value) < 1e-6 * Math.abs(value), `${name}: ${got}, expected ${value}`);
  }
  assert.match(await page.locator(".cursor-bar").innerText(), /B − A = 1\.084 s/);
  // a cursor is dragged
  const handle = await page.locator('#plot-2 [data-cursor="A"]').boundingBox();
  const over = await page.locator("#plot-2 .u-over").boundingBox();
  await page.mouse.move(handle.x + handle.width / 2, handle.y + 40);
  await page.mouse.down();
  await page.mouse.move(over.x + over.width / 2, handle.y + 40, { steps: 4 });
  await page.mouse.up();
  assert.ok(Math.abs(Number(await page.locator("#cursor-a").inputValue()) - 1.5) < 0.02);
  await picture(page, "cursors");
  await page.locator("#cursors").click();
  await page.waitForFunction(() => [...document.querySelectorAll(".statistics")].every(({ hidden }) => hidden));
});

test("units: deg, rpm, mm, kN; data stay in SI, choices survive a reload", async () => {
  await add_plot(["shoulder.angle_rate"]);
  await add_plot(["fore.position.x"]);
  await add_plot(["shoulder.reaction_force.magnitude"]);
  await seek(page, 0.45);
  await page.locator("#units-menu > summary").click();
  await page.getByRole("button", { name: "deg, rpm, mm, kN" }).click();
  await page.keyboard.press("Escape");
  const row = time.indexOf(0.45);
  const force = Math.hypot(...["x", "y", "z"].map((k) => numbers(`shoulder.reaction_force.${k} [N]`)[row]));
  const expected = {
    "shoulder.angle": [numbers("shoulder.angle [rad]")[row], 180 / Math.PI, "deg"],
    "shoulder.angle_rate": [numbers("shoulder.angle_rate [rad/s]")[row], 30 / Math.PI, "rpm"],
    "fore.position.x": [numbers("fore.position.x [m]")[row], 1000, "mm"],
    "shoulder.reaction_force.magnitude": [force, 1e-3, "kN"],
  };
  const check = async () => {
    for (const [name, [si, factor, unit]] of Object.entries(expected)) {
      const plot = page.locator("#plots .plot").filter({ has: page.locator(`.value[data-channel="${name}"]`) })
        .filter({ hasNotText: "over" }).first();
      await plot.scrollIntoViewIfNeeded();
      const value = plot.locator(`.value[data-channel="${name}"]`);
      await page.waitForFunction(([id, text]) =>
        [...document.querySelectorAll(`#plots .value[data-channel="${id}"]`)].some((e) => e.textContent.startsWith(text)),
        [name, String(Number((si * factor).toPrecision(4))).replace("-", "−")]);
      assert.match(await plot.locator("h3").innerText(), new RegExp(`\\[${unit}\\]`));
      assert.ok(Math.abs(Number(await value.getAttribute("data-value")) - si) < 1e-6 * Math.abs(si));
    }
  };
  await check();
  // the axis is in the unit of the display
  const [top] = await page.evaluate(() => {
    const { plot } = window.trammel.group.panels.find(({ lines }) => lines[0]?.channel === "fore.position.x");
    return [plot.scales.y.max];
  });
  assert.ok(top > 500, `${top}`);
  const { path } = await download(page, () => page.locator("#plot-1").getByText("CSV").click());
  assert.match(readFileSync(path, "utf8"), /^time \[s\],shoulder\.angle \[rad\]/);
  await picture(page, "units");
  const plots = await page.locator("#plots .plot").count();
  await page.reload();
  await page.waitForSelector("html[data-ready]", { state: "attached" });
  assert.equal(await page.locator("#plots .plot").count(), plots);
  await seek(page, 0.45);
  await check();
});

test("nothing went wrong meanwhile", () => check_quiet({ ...notes, requests: [] }));
