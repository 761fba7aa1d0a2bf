// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Results through an HDF5 file and back; the sink that writes while a run goes.
#include <doctest/doctest.h>

#include <filesystem>
#include <vector>

#include "record/quantities.hpp"
#include "support/meshes.hpp"
#include "support/sample_results.hpp"
#include "support/temporary_folder.hpp"

using namespace trammel;
using namespace trammel::test;

namespace {

Results make_full_results() {
  Results results = make_sample_results();
  results.model_text = "trammel: 1\nname: two bars # ü\n";
  results.row_names = {"pin.C.x", "pin.C.y", "pin.C.z"};
  results.warnings = {"a warning", "another"};
  results.check.warnings = {"a warning"};
  results.check.dependent = {{"pin.SO1", {{"shaft.SO1", -2.0}, {"shaft.SO2", 0.5}}}, {"x", {}}};
  results.options.hold_energy = true;
  results.options.rtol = 1e-9;
  results.options.method = Method::radau;
  results.counts.implicit = {700, 3, 120, 150, 300, 10, 20, 90};
  results.counts.operations = 1.5e7;
  results.method_choice = "dop853 and radau: 40.0 % of the steps implicit";
  results.options.step_control = StepControl::classical;
  results.options.max_steps = 123456789012;
  results.steps = {{0.0, 0.1, 0.5, 2, true}, {0.1, 0.2, 1.5, 0, false}};
  results.scene.length = 2.0;
  results.scene.gravity = {0, -9.81, 0};
  results.scene.bodies.resize(2);
  SceneBody& bar = results.scene.bodies[0];
  bar.name = "bar";
  bar.mass = 3.0;
  bar.inertia = {{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}}};
  bar.shapes.resize(3);
  bar.shapes[0].geometry = Box{{1, 2, 3}};
  bar.shapes[1].geometry = Cylinder{0.5, 4.0};
  bar.shapes[1].density = 7810.0;
  bar.shapes[1].position = {1, 0, 0};
  bar.shapes[2].geometry = Sphere{0.25};
  bar.shapes[2].orientation = {0.5, 0.5, 0.5, 0.5};
  bar.shapes[2].color = Rgb{0.25F, 0.5F, 1.0F};
  bar.shapes[2].opacity = 0.5F;
  const test::Triangles cube = test::make_box({1, 2, 3}, {1, 2, 3});
  const auto surface = make_mesh(cube.points, cube.triangles, "cube.stl");
  for (const Geometry& geometry :
       {Geometry(Capsule{1, 2}), Geometry(Cone{3, 1, 2}), Geometry(Ring{2, 1, 3}),
        Geometry(Extrusion{4, {{{0, 0}, {3, 0}, {0, 3}}, {{1, 1}, {1.5, 1}, {1, 1.5}}}}),
        Geometry(Mesh{surface, {1, 2, -3}}), Geometry(Mesh{surface, {1, 1, 1}}),
        Geometry(Extrusion{1, {{{0, 0}, {1, 0}, {0, 1}}}})}) {
    bar.shapes.emplace_back().geometry = geometry;
  }
  results.scene.bodies[1].name = "rod";
  results.scene.bodies[1].inertia_shape = true;
  results.scene.joints = {{"pin", "spherical", 0, 1, {1, 2, 3}, {4, 5, 6}, {}, {0, 0, 1}}};
  results.scene.forces = {{"coil",
                           "spring_damper",
                           ActionShape::line,
                           ground_index,
                           1,
                           {1, 0, 0},
                           {0, 1, 0},
                           -1,
                           {},
                           {1, 0, 0, 0},
                           0.75},
                          {"motor",
                           "joint_spring_damper",
                           ActionShape::joint,
                           0,
                           1,
                           {},
                           {},
                           0,
                           {0, 0, 1},
                           {0.5, 0.5, 0.5, 0.5},
                           0.0}};
  results.scene.drivers = {{"drive",
                            "driver",
                            ActionShape::point,
                            ground_index,
                            1,
                            {},
                            {3, 2, 1},
                            -1,
                            {},
                            {1, 0, 0, 0},
                            0.0}};
  results.scene.points = {{"tip", 1, {7, 8, 9}}};
  return results;
}

Results through_file(const Results& results) {
  const TemporaryFolder folder;
  write_hdf5(results, folder.file("run.h5"));
  CHECK(folder.size() == 1);
  return read_results(folder.file("run.h5"));
}

void check_scene(const Scene& a, const Scene& b) {
  CHECK(a.dimension == b.dimension);
  CHECK(a.gravity == b.gravity);
  CHECK(a.length == b.length);
  REQUIRE(a.bodies.size() == b.bodies.size());
  for (std::size_t i = 0; i < a.bodies.size(); ++i) {
    CHECK(a.bodies[i].name == b.bodies[i].name);
    CHECK(a.bodies[i].mass == b.bodies[i].mass);
    CHECK(a.bodies[i].inertia == b.bodies[i].inertia);
    CHECK(a.bodies[i].inertia_shape == b.bodies[i].inertia_shape);
    REQUIRE(a.bodies[i].shapes.size() == b.bodies[i].shapes.size());
    for (std::size_t k = 0; k < a.bodies[i].shapes.size(); ++k) {
      const Shape &s = a.bodies[i].shapes[k], &t = b.bodies[i].shapes[k];
      CHECK(s.geometry.index() == t.geometry.index());
      CHECK(s.density == t.density);
      CHECK(s.position == t.position);
      CHECK(s.orientation == t.orientation);
      CHECK(s.color == t.color);
      CHECK(s.opacity == t.opacity);
    }
  }
  REQUIRE(a.joints.size() == b.joints.size());
  for (std::size_t i = 0; i < a.joints.size(); ++i) {
    CHECK(a.joints[i].kind == b.joints[i].kind);
    CHECK(a.joints[i].body_i == b.joints[i].body_i);
    CHECK(a.joints[i].point_j == b.joints[i].point_j);
    CHECK(a.joints[i].axis_j == b.joints[i].axis_j);
  }
  const auto check_actions = [](const std::vector<SceneForce>& p,
                                const std::vector<SceneForce>& q) {
    REQUIRE(p.size() == q.size());
    for (std::size_t i = 0; i < p.size(); ++i) {
      CHECK(p[i].name == q[i].name);
      CHECK(p[i].kind == q[i].kind);
      CHECK(p[i].shape == q[i].shape);
      CHECK(p[i].body_i == q[i].body_i);
      CHECK(p[i].body_j == q[i].body_j);
      CHECK(p[i].point_j == q[i].point_j);
      CHECK(p[i].joint == q[i].joint);
      CHECK(p[i].axis == q[i].axis);
      CHECK(p[i].orientation == q[i].orientation);
      CHECK(p[i].free_length == q[i].free_length);
    }
  };
  check_actions(a.forces, b.forces);
  check_actions(a.drivers, b.drivers);
  REQUIRE(a.points.size() == b.points.size());
  for (std::size_t i = 0; i < a.points.size(); ++i) {
    CHECK(a.points[i].name == b.points[i].name);
    CHECK(a.points[i].body == b.points[i].body);
    CHECK(a.points[i].point == b.points[i].point);
  }
}

}  // namespace

TEST_CASE("what is written is what is read, to the bit") {
  const Results written = make_full_results(), read = through_file(written);
  for (const Quantity& quantity : quantities()) {
    CHECK_MESSAGE(read.*quantity.column == written.*quantity.column, quantity.name);
  }
  CHECK(to_json(read) == to_json(written));
  CHECK(full_report(read) == full_report(written));
  CHECK(to_json(read.check) == to_json(written.check));
  CHECK(read.model_text == written.model_text);
  CHECK(read.row_names == written.row_names);
  CHECK(read.warnings == written.warnings);
  CHECK(read.options.max_steps == written.options.max_steps);
  CHECK(read.options.record == written.options.record);
  REQUIRE(read.steps.size() == 2);
  CHECK(read.steps[0].accepted);
  CHECK(read.steps[0].iterations == 2);
  CHECK(read.steps[1].error == 1.5);
  CHECK_FALSE(read.steps[1].accepted);
  check_scene(read.scene, written.scene);
  const std::vector<Shape>& shapes = read.scene.bodies[0].shapes;
  CHECK(std::get<Cylinder>(shapes[1].geometry).length == 4.0);
  CHECK(std::get<Capsule>(shapes[3].geometry).length == 2.0);
  CHECK(std::get<Cone>(shapes[4].geometry).length == 2.0);
  CHECK(std::get<Ring>(shapes[5].geometry).inner == 1.0);
  CHECK(std::get<Extrusion>(shapes[6].geometry).loops[1][2][1] == 1.5);
  CHECK(std::get<Extrusion>(shapes[9].geometry).loops.size() == 1);
  const Mesh &first = std::get<Mesh>(shapes[7].geometry),
             &second = std::get<Mesh>(shapes[8].geometry);
  CHECK(first.scale == Vec3{1, 2, -3});
  CHECK(first.surface == second.surface);  // one mesh, in the file and in memory
  CHECK(first.surface->file == "cube.stl");
  CHECK_FALSE(first.surface->opening);
  CHECK(first.surface->points.size() == 8);
  CHECK(first.surface->points[7] == Vec3{2, 4, 6});
}

TEST_CASE("a run without bodies, rows or steps is a file too") {
  const Results read = through_file(Results{});
  CHECK(read.time.empty());
  CHECK(to_json(read) == to_json(Results{}));
}

TEST_CASE("names and texts are kept as they are") {
  Results results = make_full_results();
  results.body_names[0] = "<script>\"ä, 😀";
  results.scene.bodies[0].name = results.body_names[0];
  results.status = {Outcome::step_too_small, 3.5, "worst at \"pin\""};
  const Results read = through_file(results);
  CHECK(read.body_names == results.body_names);
  CHECK(read.status.outcome == Outcome::step_too_small);
  CHECK(read.status.message == results.status.message);
}

TEST_CASE("thousands of names fit") {
  Results results;
  for (int i = 0; i < 20000; ++i) results.body_names.push_back("body " + std::to_string(i));
  results.scene.bodies.resize(results.body_names.size());
  CHECK(through_file(results).body_names == results.body_names);
}

TEST_CASE("columns that are not recorded are not there") {
  Results results = make_full_results();
  results.options.record.velocities = results.options.record.steps = false;
  results.velocity.clear();
  results.angular_velocity.clear();
  results.steps.clear();
  const Results read = through_file(results);
  CHECK(read.velocity.empty());
  CHECK(read.steps.empty());
  CHECK(read.position == results.position);
  CHECK(read.options.record == results.options.record);
}

// Rows arrive one by one and leave the memory; the file must have all of them after each update.
TEST_CASE("a sink keeps up with a run, and rows leave the memory") {
  const TemporaryFolder folder;
  const Results all = make_full_results();
  Results running = all;
  running.final.clear();
  running.status = {Outcome::running, 0.0, ""};
  const auto add_row = [&](double t) {
    for (const Quantity& quantity : quantities()) {
      std::vector<double>& column = running.*quantity.column;
      for (std::size_t i = 0; i < row_size(running, quantity); ++i) column.push_back(t);
    }
    running.time.back() = t;
  };
  const auto sink = make_hdf5_sink(folder.file("run.h5"), {1e-9, false});
  sink->start(running);
  CHECK(folder.size() == 1);
  CHECK(read_results(folder.file("run.h5")).time == std::vector<double>{0.0, 10.0});
  for (int k = 1; k <= 6; ++k) {
    add_row(10.0 + k);
    CHECK(sink->is_due());
    sink->update(running);
    const Results read = read_results(folder.file("run.h5"));
    CHECK(read.status.outcome == Outcome::running);
    CHECK(read.time.size() == static_cast<std::size_t>(2 + k));
    CHECK(read.position.back() == 10.0 + k);
    CHECK(running.first_row + static_cast<std::int64_t>(running.time.size()) == 2 + k);
    CHECK(running.time.size() <= 3);  // those of the last two updates
    CHECK(folder.size() == 2);        // the other copy
  }
  running.status = {Outcome::interrupted, 16.0, "stopped"};
  running.final = all.final;
  sink->finish(running);
  CHECK(folder.size() == 1);
  const Results read = read_results(folder.file("run.h5"));
  CHECK(read.status.outcome == Outcome::interrupted);
  CHECK(read.time == std::vector<double>{0, 10, 11, 12, 13, 14, 15, 16});
  CHECK(read.position[0] == all.position[0]);
  CHECK(read.final[1].orientation == all.final[1].orientation);
}

TEST_CASE("an old file is replaced, through a link too") {
  const TemporaryFolder folder;
  write_text(folder.file("run.h5"), "old");
  std::filesystem::create_symlink("run.h5", folder.file("link.h5"));
  write_hdf5(make_full_results(), folder.file("link.h5"));
  CHECK(read_results(folder.file("run.h5")).time.size() == 2);
  CHECK(std::filesystem::is_symlink(folder.file("link.h5")));
}

TEST_CASE("a file that somebody removes or replaces during the run comes back whole") {
  const TemporaryFolder folder;
  Results results = make_full_results();
  const auto sink = make_hdf5_sink(folder.file("run.h5"), {1e-9, true});
  sink->start(results);
  sink->update(results);
  std::filesystem::remove(folder.file("run.h5"));
  sink->update(results);
  CHECK(read_results(folder.file("run.h5")).time.size() == 2);
  std::filesystem::remove(folder.file("run.h5"));
  write_text(folder.file("run.h5"), "something else");
  sink->update(results);
  sink->update(results);
  sink->finish(results);
  CHECK(read_results(folder.file("run.h5")).position == results.position);
  CHECK(folder.size() == 1);
}

TEST_CASE("what cannot be written is a FileError") {
  const TemporaryFolder folder;
  CHECK_THROWS_AS(write_hdf5(make_full_results(), folder.file("no/run.h5")), FileError);
  std::filesystem::create_directory(folder.file("folder.h5"));
  CHECK_THROWS_AS(write_hdf5(make_full_results(), folder.file("folder.h5")), FileError);
  CHECK(folder.size() == 1);
}
