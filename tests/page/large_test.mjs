// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Large runs: 100,000 rows of some fifty columns open within 3 s; the page's own work for a frame is
// below 4 ms for a small mechanism and below 12 ms for 1,000 bodies. Other programs may take the
// processor away at any moment: the best of a few tries counts, and on a machine that is busy with
// others the clock says nothing about the page; its processor time still does.
import assert from "node:assert/strict";
import { cpus, loadavg } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { check_quiet, make_page, models, open, pages, picture, seek, show_tab } from "./support.mjs";

const median = (list) => [...list].sort((a, b) => a - b)[list.length >> 1];

async function measure_frames(file, limit, frames = 30) {
  const { page, notes, context } = await open(file);
  await page.waitForFunction(() => window.trammel.player.statistics.count > 5, null, { timeout: 60_000 });
  let best = Infinity;
  for (let attempt = 0; attempt < 5; ++attempt) {
    const from = await page.evaluate(() => window.trammel.player.statistics.count);
    await page.waitForFunction((n) => window.trammel.player.statistics.count > n, from + frames,
                               { timeout: 120_000 });
    const times = await page.evaluate((n) => window.trammel.player.statistics.times.slice(-n), frames);
    best = Math.min(best, median(times));
    if (best < limit / 2) break;
  }
  check_quiet(notes);
  return { page, context, best };
}

test("100,000 rows × 50 columns open in under 3 s", async (t) => {
  const busy = loadavg()[0] > cpus().length + 1;
  let best = Infinity;
  let cpu = Infinity;
  for (let attempt = 0; attempt < 4 && best > 2500; ++attempt) {
    const { page, notes, context } = await open(join(pages, "large.html"), {}, true);
    best = Math.min(best, notes.ready);
    cpu = Math.min(cpu, notes.cpu);
    check_quiet(notes);
    const columns = await page.evaluate(() => {
      const run = window.trammel.page.runs[0];
      const names = ["position", "orientation", "velocity", "angular_velocity", "reaction_force", "reaction_moment"];
      const rows = run.time.length;
      const wide = names.map((name) => run.array(name).length / rows).reduce((a, b) => a + b);
      return [rows, wide + 7];
    });
    assert.ok(columns[0] === 100_000 && columns[1] >= 50, `${columns}`);
    await context.close();
  }
  t.diagnostic(`open after ${best.toFixed(0)} ms, ${cpu.toFixed(2)} s of CPU${busy ? "; busy machine" : ""}`);
  assert.ok(cpu < 2.5, `${cpu} s of CPU`);
  assert.ok(busy || best < 3000, `${best} ms`);
});

test("thinning loses no peak, and zooming in finds the rows", async () => {
  const { page, notes } = await open(join(pages, "large.html"));
  await show_tab(page, "solver");
  await page.waitForFunction(() => window.trammel.group.panels[2].plot);
  const panel = (code) => page.evaluate(code);
  const all = await panel(() => {
    const { data } = window.trammel.group.panels[2].plot;
    return [data[0].length, Math.max(...data[1].filter((x) => x != null))];
  });
  assert.ok(all[0] < 6000, `${all[0]} points for a plot of some 600 pixels`);
  assert.equal(all[1], 1e-3, "the peak of a single row is lost");
  const rows = await panel(() => {
    const { group, page: { runs } } = window.trammel;
    const t = runs[0].time[33333];
    group.zoom_to(t - 0.01, t + 0.01);
    const { data } = group.panels[2].plot;
    return [...data[0]].filter((x) => Math.abs(x - t) < 0.0101).length;
  });
  assert.ok(rows >= 20 && rows <= 22, `${rows} rows in 0.02 s`);
  await picture(page, "large");
  check_quiet(notes);
});

test("a frame of a small mechanism takes less than 4 ms of the page's work", async (t) => {
  const { best, context } = await measure_frames(make_page(join(models, "paper/crank.yaml"), "small"), 4);
  t.diagnostic(`median ${best.toFixed(2)} ms`);
  assert.ok(best < 4, `${best} ms`);
  await context.close();
});

test("a frame of 1,000 bodies takes less than 12 ms", async (t) => {
  const { page, best } = await measure_frames(join(pages, "thousand.html"), 12, 15);
  t.diagnostic(`median ${best.toFixed(2)} ms`);
  assert.ok(best < 12, `${best} ms`);
  const calls = await page.evaluate(() => window.trammel.view.renderer.info.render.calls);
  assert.ok(calls < 20, `${calls} drawing calls: instances are not used`);
  await seek(page, 3);
  await picture(page, "thousand");
});

test("a mechanism far from the origin is drawn without losing digits", async () => {
  const { page, notes } = await open(join(pages, "far.html"));
  const [origin, first] = await page.evaluate(() => {
    const run = window.trammel.page.runs[0];
    return [run.head.origin, [...run.position.slice(6, 9)]];
  });
  assert.ok(Math.abs(origin[0] - 1e7) < 3 && origin[1] === 0, `${origin}`);
  assert.ok(Math.abs(origin[0] + first[0] - 1e7 - 1.8) < 1e-6);
  await seek(page, 1);
  await picture(page, "far");
  check_quiet(notes);
});
