// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Every form of shape on the page: where it should be, in its colour, transparent where the model says so,
// and picked by a click; meshes are in the page once and survive a results file.
import assert from "node:assert/strict";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { check_quiet, make_page, models, open, pages, picture, seek, trammel } from "./support.mjs";

const model = join(models, "examples/shapes/engine.yaml");
const engine = make_page(model, "shapes", ["-o", join(pages, "shapes.h5")]);

const list_meshes = (page) =>
  page.evaluate(() => window.trammel.stage.view.meshes.map(({ form, mode, entries, mesh }) => ({
    form, mode, count: entries.length, opacity: mesh.material.opacity,
    triangles: (mesh.geometry.index?.count ?? mesh.geometry.attributes.position.count) / 3,
  })));

// Normals point outwards: along the way from the inside of the surface, which a closed one has around it.
const calc_volume = (page, form) =>
  page.evaluate((wanted) => {
    const { mesh } = window.trammel.stage.view.meshes.find(({ form }) => form.startsWith(wanted));
    const { position, normal } = mesh.geometry.attributes;
    const index = mesh.geometry.index;
    const n = index ? index.count : position.count;
    let volume = 0;
    let wrong = 0;
    const at = (attribute, k) => {
      const i = index ? index.getX(k) : k;
      return [attribute.getX(i), attribute.getY(i), attribute.getZ(i)];
    };
    for (let k = 0; k < n; k += 3) {
      const [a, b, c] = [at(position, k), at(position, k + 1), at(position, k + 2)];
      const u = b.map((x, j) => x - a[j]);
      const v = c.map((x, j) => x - a[j]);
      const area = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
      volume += area.reduce((sum, x, j) => sum + x * a[j], 0) / 6;
      const size = Math.hypot(...area);
      for (const corner of [k, k + 1, k + 2]) {
        const along = area.reduce((sum, x, j) => sum + x * at(normal, corner)[j], 0);
        if (size > 1e-9 && along < 0.5 * size) ++wrong;
      }
    }
    return { volume, wrong };
  }, form);

test("all forms are there, in their colours, and one is of glass", async () => {
  const { page, notes } = await open(engine);
  await seek(page, 0.1);
  await picture(page, "shapes");
  const meshes = await list_meshes(page);
  for (const word of ["box", "cylinder", "solid ring", "solid cone", "solid capsule", "solid extrusion", "solid mesh"]) {
    if (word === "box") continue; // joints only
    assert.ok(meshes.some(({ form }) => form.startsWith(word)), `no ${word}`);
  }
  const glass = meshes.filter(({ mode }) => mode === "glass");
  assert.equal(glass.length, 1);
  assert.ok(Math.abs(glass[0].opacity - 0.25) < 1e-6);
  assert.equal(meshes.find(({ form }) => form.startsWith("solid mesh")).triangles, 1536);
  const colors = await page.evaluate(() =>
    window.trammel.stage.view.meshes.flatMap(({ form, entries }) => entries.map(({ color }) => [form, color])));
  const of = (form) => colors.find(([other]) => other.startsWith(form))[1];
  assert.equal(of("solid mesh"), "#bfc5ca"); // aluminium
  assert.equal(of("solid cone"), "#c9a94f"); // brass
  check_quiet(notes);
});

test("surfaces are closed and face outwards", async () => {
  const { page } = await open(engine);
  const expected = {
    "solid ring": (Math.PI * (1 - (0.041 / 0.048) ** 2)),
    "solid cone": (Math.PI * (1 + 0.5 + 0.25)) / 3,
    "solid capsule": Math.PI * (2 * (0.0125 / 0.008) + 4 / 3),
  };
  const rings = await page.evaluate(() =>
    window.trammel.stage.view.meshes.filter(({ form }) => form.startsWith("solid ring")).map(({ form }) => form));
  for (const [form, volume] of Object.entries(expected)) {
    const wanted = form === "solid ring" ? rings.find((ring) => ring.includes("0.854")) : form;
    const found = await calc_volume(page, wanted);
    assert.ok(Math.abs(found.volume / volume - 1) < 0.02, `${form}: ${found.volume}, not ${volume}`);
    assert.equal(found.wrong, 0, form);
  }
  for (const form of ["solid extrusion", "solid mesh"]) {
    const found = await calc_volume(page, form);
    assert.ok(found.volume > 0, form);
    assert.equal(found.wrong, 0, form);
  }
});

test("a click picks a mesh, through the glass around it", async () => {
  const { page } = await open(engine);
  await seek(page, 0.1);
  const picked = await page.evaluate(() => {
    const { view } = window.trammel.stage;
    const index = view.items.findIndex(({ name, kind }) => kind === "body" && name === "piston");
    const [x, y] = view.pixel_of(view.items[index].key);
    const key = view.find_item(x + 60, y + 15);
    return view.items.find((item) => item.key === key)?.name;
  });
  assert.equal(picked, "piston");
});

test("the same page from a results file, and each mesh once in a page of two runs", async () => {
  const two = join(pages, "shapes_two.html");
  trammel(["report", join(pages, "shapes.h5"), join(pages, "shapes.h5"), "-o", two]);
  const head = (file) => JSON.parse(/<script type="application\/json" id="page-head">(.*?)<\/script>/s.exec(readFileSync(file, "utf8"))[1]);
  assert.equal(head(engine).meshes.length, 1);
  assert.equal(head(two).meshes.length, 1);
  assert.ok(statSync(two).size > statSync(engine).size);
  const { page, notes } = await open(two);
  await seek(page, 0.3);
  await picture(page, "shapes-two");
  const meshes = await list_meshes(page);
  assert.equal(meshes.find(({ form }) => form.startsWith("solid mesh")).triangles, 1536);
  check_quiet(notes);
});
