// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// What an engineer sees first: the mechanism large, the coordinates of its joints and the loads of its
// drives beside it. A load has one name and one value wherever it is read.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import {
  check_access, check_quiet, execFileSync, make_page, models, open, pages, picture, python, read_csv, seek, trammel,
} from "./support.mjs";

const six = (kind) => [1, 2, 3, 4, 5, 6].map((k) => kind.replace("#", k));

// the channels that have to be plotted at first sight
const MODELS = {
  arm_pd: ["shoulder.angle", "elbow.angle", "motor1.torque", "motor2.torque"],
  crane: ["slew.angle", "rope.travel", "slewing.torque", "hoisting.force"],
  engine: ["main.angle", "bore_guide.travel", "gas.force", "dyno.torque"],
  stewart: [...six("leg_#_slide.travel"), ...six("leg_#_actuator.force")],
  table_overshoot: ["h.angle", "m.torque", "check.torque"],
  wiper: ["motor_shaft.angle", "pivot.angle", "motor.torque", "rubber.torque"],
};

for (const [model, channels] of Object.entries(MODELS)) {
  test(`${model} opens on joint coordinates and loads`, async () => {
    const file = make_page(join(models, `new_user/${model}.yaml`), `first-${model}`);
    for (const [width, height] of [[1400, 900], [1920, 1080], [390, 844]]) {
      for (const colorScheme of width === 1400 ? ["light", "dark"] : ["light"]) {
        const { page, notes, context } = await open(file, { viewport: { width, height }, colorScheme });
        await seek(page, 0.3 * (await page.evaluate(() => window.trammel.player.t_end)));
        await picture(page, `first-${model}-${width}-${colorScheme}`);
        const seen = await page.locator("#plots .legend [data-channel]").evaluateAll((list) =>
          list.map((element) => element.dataset.channel));
        for (const channel of channels) assert.ok(seen.includes(channel), `${channel} is not among ${seen}`);
        assert.ok((await page.evaluate(() =>
          document.documentElement.scrollWidth - document.documentElement.clientWidth)) <= 0);
        // nothing of the solver but its verdict
        assert.doesNotMatch(await page.locator("header.top").innerText(), /dop853|rtol|newton|projection/i);
        if (width >= 1400) {
          // the page does not scroll: the mechanism stays in sight, and nothing covers it
          assert.ok(await page.evaluate(() => document.documentElement.scrollHeight <= innerHeight));
          const tools = await page.locator(".view-tools").boundingBox();
          assert.ok(tools.y + tools.height <= (await page.locator(".view").boundingBox()).y + 1);
          const { width: w, height: h } = await page.locator(".stage").boundingBox();
          assert.ok(w * h > 0.55 * width * height, `the stage has ${w} × ${h}`);
          for (const plot of await page.locator("#plots .plot").all()) {
            const box = await plot.boundingBox();
            assert.ok(box.y + box.height <= height, `a plot ends at ${box.y + box.height} px`);
          }
        }
        check_quiet(notes);
        await context.close();
      }
    }
  });
}

test("the header says what is driven", async () => {
  const { page } = await open(join(pages, "first-stewart.html"));
  assert.match(await page.locator("header.top").innerText(), /0 degrees of freedom, 6 driven/);
});

test("names do not overprint", async () => {
  const { page, notes } = await open(join(pages, "first-crane.html"));
  await page.evaluate(() => {
    for (const kind of ["body_names", "joint_names", "force_names"]) window.trammel.stage.set_shown(kind, true);
  });
  await seek(page, 5);
  const boxes = await page.locator(".label").evaluateAll((list) =>
    list.filter((e) => e.checkVisibility({ visibilityProperty: true })).map((e) => {
      const { left, top, right, bottom } = e.getBoundingClientRect();
      return { text: e.textContent, left, top, right, bottom };
    }));
  assert.ok(boxes.length > 10, `${boxes.length} names`);
  boxes.forEach((a, k) => boxes.slice(k + 1).forEach((b) => {
    // lines of text may touch
    const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
    const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
    assert.ok(across <= 1 || down <= 1, `${a.text} and ${b.text} overprint`);
  }));
  await picture(page, "names");
  check_quiet(notes);
});

test("joints are seen through bodies", async () => {
  const { page, notes } = await open(join(pages, "first-engine.html"));
  await seek(page, 0.3);
  // the pin is inside the piston: what is seen of it is seen through the piston
  const pixels = (joints, through) => page.evaluate(([on, twins]) => {
    const { stage, view } = window.trammel;
    stage.set_shown("forces", false);
    stage.set_shown("axes", false);
    stage.set_shown("joints", on);
    for (const { twin } of view.meshes) if (twin && !twins) twin.visible = false;
    view.draw();
    const gl = view.renderer.getContext();
    const [x, y] = view.pixel_of("joint:2");
    const ratio = gl.drawingBufferHeight / view.height;
    const out = new Uint8Array(4 * 16);
    gl.readPixels(Math.round(x * ratio) - 2, gl.drawingBufferHeight - Math.round(y * ratio) - 2, 4, 4, gl.RGBA,
                  gl.UNSIGNED_BYTE, out);
    return [...out];
  }, [joints, through]);
  const piston = await pixels(false, true);
  assert.deepEqual(await pixels(true, false), piston, "the pin is not inside: nothing is tested");
  const seen = await pixels(true, true);
  assert.ok(seen.every((value, k) => k % 4 === 3 || Math.abs(value - piston[k]) > 10), `${seen} and ${piston}`);
  check_quiet(notes);
});

test("the torque of the arm's motors at rest: page, CSV, HDF5 and C++, by one name", async () => {
  const model = join(models, "new_user/arm_pd.yaml");
  const [h5, csv_file] = ["arm.h5", "arm.csv"].map((name) => join(pages, name));
  const file = make_page(model, "arm", ["-o", h5, "-o", csv_file]);
  const csv = read_csv(readFileSync(csv_file, "utf8"));
  const { page, notes } = await open(file);
  await seek(page, 3);
  // m g Σ x of what hangs on the joint: box 2700 · 0.5 · 0.06², box 2700 · 0.4 · 0.04², payload 2 kg
  const last = (name) => Number(csv.column(name).at(-1));
  const masses = { upper: 2700 * 0.5 * 0.06 ** 2, fore: 2700 * 0.4 * 0.04 ** 2, payload: 2 };
  const elbow = 0.5 * Math.cos(last("shoulder.angle [rad]"));
  const moment = (bodies, x) =>
    bodies.reduce((sum, body) => sum + 9.81 * masses[body] * (last(`${body}.position.x [m]`) - x), 0);
  const expected = {
    "motor1.torque": moment(["upper", "fore", "payload"], 0), "motor2.torque": moment(["fore", "payload"], elbow),
  };
  assert.ok(Math.abs(expected["motor1.torque"] - 25.613) < 5e-4 && Math.abs(expected["motor2.torque"] - 8.8677) < 5e-5);
  for (const [name, torque] of Object.entries(expected)) {
    const from_hdf5 = Number(execFileSync(python, ["-c", `
import h5py, sys
f = h5py.File(sys.argv[1])
print(repr(float(f["element"][-1, [n.decode() for n in f["element_names"]].index(sys.argv[2])])))`, h5, name]));
    const from_cpp = Number(execFileSync(process.env.TRAMMEL_READ_CHANNEL, [model, name], { encoding: "utf8" }));
    const from_csv = last(`${name} [N m]`);
    const value = page.locator(`#plots .value[data-channel="${name}"]`);
    const from_page = Number(await value.getAttribute("data-value"));
    assert.equal(from_hdf5, from_csv);
    assert.equal(from_cpp, from_csv);
    assert.equal(from_page, Math.fround(from_csv));
    assert.ok(Math.abs(from_csv - torque) < 1e-6 * torque, `${name}: ${from_csv}, by hand ${torque}`);
    assert.equal(await value.innerText(), String(Number(torque.toPrecision(4))));
  }
  check_quiet(notes);
});

test("a page with everything open is accessible", async () => {
  for (const colorScheme of ["light", "dark"]) {
    const { page, notes, context } = await open(join(pages, "arm.html"), { colorScheme });
    await seek(page, 1);
    await page.evaluate(() => {
      const { stage, group } = window.trammel;
      stage.set_shown("loads", true);
      stage.set_shown("joint_names", true);
      stage.view.select("joint:0");
      group.toggle_cursors();
    });
    await page.locator("#details table").waitFor();
    await page.locator(".statistics table").first().waitFor();
    await picture(page, `everything-${colorScheme}`);
    await check_access(page);
    await page.locator("#units-menu > summary").click();
    await check_access(page);
    check_quiet(notes);
    await context.close();
  }
});
