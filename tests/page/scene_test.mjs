// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The 3D view: other runs as ghosts, arrows of loads, the tree, full screen, video, keyboard, phone.
// Places and lengths are compared with the CSV files of the runs.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import {
  check_quiet, download, execFileSync, make_page, models, open, pages, picture, read_csv, seek, trammel,
} from "./support.mjs";

const model = join(models, "new_user/arm_pd.yaml");
const csv_of = {};
function run_arm(name, gain) {
  const [h5, csv_file] = [join(pages, `${name}.h5`), join(pages, `${name}.csv`)];
  trammel(["run", model, "-q", "--set", `kp1=${gain}`, "-o", h5, "-o", csv_file]);
  csv_of[name] = read_csv(readFileSync(csv_file, "utf8"));
  return h5;
}
const vector = (csv, name, unit, row) => ["x", "y", "z"].map((k) => Number(csv.column(`${name}.${k} [${unit}]`)[row]));
const row_of = (csv, t) => csv.column("time [s]").indexOf(String(t));
const near = (a, b, tolerance) => a.every((x, k) => Math.abs(x - b[k]) <= tolerance);

const csv_file = join(pages, "scene.csv");
const file = make_page(model, "scene", ["-o", csv_file]);
const csv = read_csv(readFileSync(csv_file, "utf8"));
const { page, notes } = await open(file);
await seek(page, 0);

test("compared runs are ghosts in one scene", async () => {
  const files = [400, 200, 100].map((gain) => run_arm(`gain_${gain}`, gain));
  const file = join(pages, "ghosts.html");
  trammel(["report", ...files, "-o", file]);
  const { page, notes, context } = await open(file);
  const legend = page.locator("#ghost-legend button");
  assert.equal(await legend.count(), 2);
  for (const t of [0.6, 1.2]) {
    await seek(page, t);
    // where the payload is drawn: of the run in full, and of the two ghosts
    const drawn = await page.evaluate(() => {
      const { view } = window.trammel;
      const place = (meshes, shift) => {
        for (const { mesh, entries } of meshes) {
          const k = entries.findIndex(({ item }) => item === "body:2");
          if (k < 0) continue;
          return [0, 1, 2].map((axis) => mesh.instanceMatrix.array[16 * k + 12 + axis] + shift[axis]);
        }
        return null;
      };
      return [place(view.meshes, [0, 0, 0]),
              ...view.ghosts.map((ghost) => place(ghost.meshes, ghost.object.position.toArray()))];
    });
    ["gain_400", "gain_200", "gain_100"].forEach((name, k) => {
      const expected = vector(csv_of[name], "payload.position", "m", row_of(csv_of[name], t));
      assert.ok(near(drawn[k], expected, 1e-6), `${name} at t = ${t}: ${drawn[k]}, ${expected}`);
    });
    assert.ok(!near(drawn[0], drawn[2], 0.02), "the runs do not differ: nothing was tested");
  }
  await picture(page, "ghosts");
  const shot = () => page.evaluate(() => (window.trammel.view.show(1.2), window.trammel.view.canvas.toDataURL()));
  const all = await shot();
  await legend.first().click();
  assert.equal(await legend.first().getAttribute("aria-pressed"), "false");
  assert.notEqual(await shot(), all, "a ghost that is hidden is still there");
  await legend.first().click();
  assert.equal(await shot(), all);
  // the run shown in full is another one: now the first is a ghost
  await page.locator("h1").click();
  await page.keyboard.press("3");
  assert.match(await page.locator("#ghost-legend").innerText(), /A[^]*B/);
  check_quiet(notes);
  await context.close();
});

test("arrows of forces and torques have their direction and their size", async () => {
  await seek(page, 0);
  await page.locator("#show-menu > summary").click();
  await page.locator("#show-loads").check();
  await page.locator("#show-menu > summary").click();
  const joints = ["shoulder", "elbow", "grip"];
  const rows = csv.column("time [s]").length;
  let largest = 0;
  for (let row = 0; row < rows; ++row) {
    for (const name of joints) largest = Math.max(largest, Math.hypot(...vector(csv, `${name}.reaction_force`, "N", row)));
  }
  const extent = await page.evaluate(() => {
    const { low, high } = window.trammel.view.frame;
    return Math.hypot(...low.map((x, k) => high[k] - x));
  });
  for (const t of [0.15, 0.9]) {
    await seek(page, t);
    const row = row_of(csv, t);
    // from the tail of the shaft to the tip of the head
    const arrows = await page.evaluate(() => {
      const { shafts, heads } = window.trammel.view.arrows;
      const column = (mesh, k, c) => [0, 1, 2].map((i) => mesh.instanceMatrix.array[16 * k + 4 * c + i]);
      return Array.from({ length: shafts.count }, (_, k) => {
        const middle = column(shafts, k, 3), along = column(shafts, k, 2);
        return { tail: middle.map((x, i) => x - along[i] / 2), tip: column(heads, k, 3) };
      });
    });
    for (const name of joints) {
      const force = vector(csv, `${name}.reaction_force`, "N", row);
      const expected = force.map((x) => (0.3 * extent * x) / largest);
      const found = arrows.find(({ tail, tip }) => near(tip.map((x, k) => x - tail[k]), expected, 1e-4 * extent));
      assert.ok(found, `${name} at t = ${t}: no arrow ${expected} among ${JSON.stringify(arrows)}`);
    }
  }
  const text = await page.locator("#load-legend").innerText();
  assert.ok(text.includes(`longest: ${Number(largest.toPrecision(4))} N`), `${largest} N in ${text}`);
  assert.ok((await page.evaluate(() => window.trammel.view.arrows.counts.torques)) >= 2, "motors have no arcs");
  await picture(page, "arrows");
  await page.evaluate(() => window.trammel.stage.set_shown("loads", false));
  await seek(page, 0.9);
  assert.equal(await page.evaluate(() => window.trammel.view.arrows.counts.forces), 0);
});

const item_at_center = (key) => page.evaluate((name) => {
  const { view } = window.trammel;
  view.draw();
  return view.find_item(...view.pixel_of(name));
}, key);
const row = (name) => page.locator("#model-tree").getByText(name, { exact: true });

test("the tree hides, isolates, makes transparent, follows", async () => {
  await seek(page, 0.9);
  assert.equal(await item_at_center("body:0"), "body:0");
  // by the eye in its row
  await row("upper").hover();
  await page.getByRole("button", { name: "Hide upper" }).click();
  assert.notEqual(await item_at_center("body:0"), "body:0");
  assert.equal(await page.locator('[data-item="body:0"]').getAttribute("data-state"), "hidden");
  await page.locator("#show-all").click();
  assert.equal(await item_at_center("body:0"), "body:0");
  // by buttons of the details
  await row("fore").click();
  const details = page.locator("#details");
  await details.getByRole("button", { name: "Isolate" }).click();
  const drawn = await page.evaluate(() =>
    [...new Set(window.trammel.view.meshes.flatMap(({ entries }) => entries.map(({ item }) => item)))].sort());
  assert.deepEqual(drawn, ["body:1", "force:1", "joint:1", "joint:2"]);
  await picture(page, "isolated");
  await details.getByRole("button", { name: "Isolate" }).click();
  assert.equal(await item_at_center("body:0"), "body:0");
  await details.getByRole("button", { name: "Transparent" }).click();
  const faint = await page.evaluate(() => window.trammel.view.meshes
    .filter(({ mode }) => mode === "faint").map(({ mesh, entries }) => [entries[0].item, mesh.material.opacity]));
  assert.equal(faint.length, 1);
  assert.ok(faint[0][0] === "body:1" && faint[0][1] < 0.5, `${faint}`);
  await details.getByRole("button", { name: "Transparent" }).click();
  // a body that is followed stays where it is in the window
  await details.getByRole("button", { name: "Follow" }).click();
  const pixel = (key) => page.evaluate((name) => window.trammel.view.pixel_of(name), key);
  const before = await pixel("body:1");
  const still = await pixel("body:0");
  await seek(page, 0.3);
  assert.ok(near(await pixel("body:1"), before, 0.5), "the body left its place");
  assert.ok(!near(await pixel("body:0"), still, 5));
  await details.getByRole("button", { name: "Follow" }).click();
  await page.keyboard.press("Escape");
});

test("the tree by keyboard", async () => {
  await page.locator('#model-tree [tabindex="0"]').focus();
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowDown"); // upper
  await page.keyboard.press("ArrowDown"); // fore
  await page.keyboard.press("Enter");
  assert.match(await page.locator("#details").innerText(), /^fore/);
  const focused = () => page.evaluate(() => document.activeElement.dataset.item ?? document.activeElement.dataset.group);
  assert.equal(await focused(), "body:1");
  const state = () => page.locator('[data-item="body:1"]').getAttribute("data-state");
  await page.keyboard.press("h");
  assert.equal(await state(), "hidden");
  await page.keyboard.press("h");
  await page.keyboard.press("t");
  assert.equal(await state(), "faint");
  await page.keyboard.press("t");
  await page.keyboard.press("c");
  assert.equal(await state(), "followed");
  await page.keyboard.press("c");
  await page.keyboard.press("ArrowLeft");
  assert.equal(await focused(), "body");
  await page.keyboard.press("ArrowLeft");
  assert.equal(await page.locator('[data-group="body"]').getAttribute("aria-expanded"), "false");
  await page.keyboard.press("ArrowDown");
  assert.equal(await focused(), "joint");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowRight");
  await page.locator("h1").click();
  await page.keyboard.press("m");
  assert.equal(await page.locator("#tree").isVisible(), false);
  await page.keyboard.press("m");
  await page.locator("#tree-filter").fill("motor");
  assert.equal(await page.locator("#model-tree [data-item]").count(), 2);
  await page.locator("#tree-filter").fill("");
  await page.keyboard.press("Escape");
});

test("standard views are without perspective", async () => {
  await page.locator("#standpoint").selectOption("front");
  const [a, b] = await page.evaluate(() => {
    const { view } = window.trammel;
    // the same length near to the eye and far from it
    const width = (z) => {
      const at = (x) => view.camera.position.clone().set(x, 0, z).project(view.camera).x;
      return at(0.1) - at(0);
    };
    return [width(0.2), width(-0.2)];
  });
  assert.ok(Math.abs(a - b) < 1e-9 * Math.abs(a), `${a} in front, ${b} behind`);
  await picture(page, "front-view");
  await page.locator("#standpoint").selectOption("default");
});

test("full screen", async () => {
  const before = await page.locator(".canvas").boundingBox();
  await page.locator("#fullscreen").click();
  await page.waitForFunction(() => document.fullscreenElement?.classList.contains("stage"));
  await page.waitForFunction((width) => document.querySelector(".canvas").clientWidth > width, before.width);
  // the mechanism is there, in the middle of the larger picture
  await page.waitForFunction(() => {
    const { view } = window.trammel;
    view.draw();
    const gl = view.renderer.getContext();
    const [x, y] = view.pixel_of("body:0");
    const out = new Uint8Array(4);
    const ratio = gl.drawingBufferHeight / view.height;
    gl.readPixels(Math.round(x * ratio), gl.drawingBufferHeight - Math.round(y * ratio), 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, out);
    return out[3] === 255 && Math.abs(x / view.width - 0.5) < 0.35;
  });
  // playback stays within reach
  assert.ok(await page.locator("#play").isVisible());
  await picture(page, "fullscreen");
  await page.locator("#fullscreen").click();
  await page.waitForFunction((width) =>
    !document.fullscreenElement && Math.abs(document.querySelector(".canvas").clientWidth - width) < 2, before.width);
});

test("a video that other programs read", async (t) => {
  const speed = 5;
  await page.evaluate((value) => window.trammel.player.set_speed(value), speed);
  await seek(page, 1);
  const { name, path } = await download(page, () => page.locator("#save-video").click(), 120_000);
  assert.match(name, /^two-link-arm-with-PD-control\.webm$/);
  const probe = (...options) => JSON.parse(execFileSync("ffprobe", ["-v", "error", "-of", "json", ...options, path], { encoding: "utf8" }));
  const { streams: [video], format } = probe("-show_format", "-show_streams", "-count_frames");
  const box = await page.locator(".canvas").boundingBox();
  assert.equal(video.codec_type, "video");
  assert.ok(Math.abs(video.width - box.width) <= 2 && Math.abs(video.height - box.height) <= 2, `${video.width} × ${video.height}`);
  // 30 frames for each second that the run takes at this speed, and the first
  const frames = Number(video.nb_read_frames);
  t.diagnostic(`${video.codec_name}, ${frames} frames, ${format.duration} s`);
  assert.equal(frames, (30 * 3) / speed + 1);
  assert.ok(Math.abs(Number(format.duration) - frames / 30) < 1e-3, format.duration);
  // the mechanism moves in it: the first picture and the last differ, and neither is empty
  const frame = (of) => execFileSync("ffmpeg", ["-v", "error", "-i", path, "-vf", of, "-frames:v", "1", "-f", "rawvideo",
                                                "-pix_fmt", "gray", "-"], { maxBuffer: 1 << 26 });
  const first = frame("select=eq(n\\,0)"), last = frame(`select=eq(n\\,${frames - 1})`);
  let different = 0;
  for (let i = 0; i < first.length; ++i) if (Math.abs(first[i] - last[i]) > 40) ++different;
  assert.ok(different > 1000, `${different} pixels differ`);
  assert.equal(await page.evaluate(() => window.trammel.player.t), 1, "time is not where it was");
  // it can be cancelled
  await page.locator("#save-video").click();
  await page.locator(".video-progress button").click();
  await page.waitForFunction(() => !document.querySelector(".video-progress"));
});

test("nothing went wrong meanwhile", () => check_quiet(notes));

test("on a phone: a finger on a joint, its values, a plot", async () => {
  const phone = await open(file, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  await seek(phone.page, 0.9);
  const [x, y] = await phone.page.evaluate(() => window.trammel.view.pixel_of("joint:0"));
  const box = await phone.page.locator(".canvas").boundingBox();
  await phone.page.touchscreen.tap(box.x + x, box.y + y);
  const details = phone.page.locator("#details");
  await details.getByText("shoulder").first().waitFor();
  const inside = await details.boundingBox();
  assert.ok(inside.x >= 0 && inside.x + inside.width <= 390, JSON.stringify(inside));
  await picture(phone.page, "phone-details");
  const before = await phone.page.locator("#plots .plot").count();
  await phone.page.locator("#details-plot").tap();
  assert.equal(await phone.page.locator("#plots .plot").count(), before + 1);
  // every button can be hit with a finger
  for (const tool of await phone.page.locator(".view-tools button:visible, .transport button:visible").all()) {
    const { width, height } = await tool.boundingBox();
    assert.ok(width >= 32 && height >= 32, `${await tool.getAttribute("id")}: ${width} × ${height}`);
  }
  const tools = await phone.page.locator(".view-tools").boundingBox();
  assert.ok(tools.height < 60, "the toolbar has two lines");
  check_quiet(phone.notes);
});
