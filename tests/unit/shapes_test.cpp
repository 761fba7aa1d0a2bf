// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Shapes of model files: what is read, and what is said of wrong ones.
#include <doctest/doctest.h>

#include <Eigen/Dense>
#include <cmath>
#include <filesystem>

#include "model/mass_properties.hpp"
#include "model/solids.hpp"
#include "support/meshes.hpp"
#include "support/mistakes.hpp"
#include "support/temporary_folder.hpp"
#include "trammel/trammel.hpp"

using namespace trammel;

namespace {

// One body whose `shape` begins in line 3, column 15.
std::string with_shape(const std::string& shape, const std::string& more = "mass: 1") {
  return "trammel: 1\nbodies:\n  b: {shape: {" + shape + "}, " + more + "}\n";
}

Shape read(const std::string& shape) {
  return read_model_text(with_shape(shape, "mass: 1, inertia: [1, 1, 1]"), "f").bodies[0].shapes[0];
}

std::string fail(const std::string& shape, const std::string& more = "mass: 1") {
  std::string text = test::mistakes_of([&] { read_model_text(with_shape(shape, more), "f"); });
  const std::string usual = "f:3:", path = "bodies.b.";
  if (text.find(usual) == 0) text = text.substr(usual.size());
  if (const std::size_t at = text.find(path); at != std::string::npos) text.erase(at, path.size());
  return text;
}

// Models and meshes in a folder.
class Workshop {
 public:
  void write(const std::string& name, const std::string& text) const {
    test::write_text(folder_.file(name), text);
  }
  Model read(const std::string& shape, const std::string& more) const {
    write("model.yaml", with_shape(shape, more));
    return read_model(folder_.file("model.yaml"));
  }
  std::string fail(const std::string& shape, const std::string& more = "mass: 1") const {
    std::string text = test::mistakes_of([&] { read(shape, more); });
    for (std::size_t at; (at = text.find(folder_.file(""))) != std::string::npos;) {
      text.erase(at, folder_.file("").size());
    }
    return text;
  }
  std::string file(const std::string& name) const { return folder_.file(name); }

 private:
  test::TemporaryFolder folder_;
};

}  // namespace

TEST_CASE("each form is read") {
  CHECK(std::get<Capsule>(read("capsule: {radius: 1, length: 2}").geometry).length == 2);
  const Cone cone = std::get<Cone>(read("cone: {radius: 1, length: 2}").geometry);
  CHECK(cone.top == 0);
  CHECK(cone.length == 2);
  CHECK(std::get<Cone>(read("cone: {radius: 0, top: 3, length: 2}").geometry).top == 3);
  CHECK(std::get<Ring>(read("ring: {radius: 2, inner: 1, length: 2}").geometry).inner == 1);
  const Extrusion extrusion = std::get<Extrusion>(
      read("extrusion: {length: 2, outline: [[0, 0], [3, 0], [1*0, 3]], holes: [[[1, 1], [1, 1.5], "
           "[1.5, 1]]]}")
          .geometry);
  CHECK(extrusion.loops.size() == 2);
  CHECK(extrusion.loops[0][2][1] == 3);
}

TEST_CASE("colours: names, hexadecimal, numbers; shapes without their own have that of the body") {
  const auto rgb = [](const std::string& color) {
    return *read("sphere: 1, color: " + color).color;
  };
  CHECK(rgb("\"#c83\"") == rgb("\"#cc8833\""));
  CHECK(rgb("\"#FF0033\"") == Rgb{1, 0, 0.2F});
  CHECK(rgb("[0.5, 0, 1/4]") == Rgb{0.5F, 0, 0.25F});
  CHECK(rgb("gray") == rgb("grey"));
  CHECK(rgb("steel") != rgb("brass"));
  CHECK_FALSE(read("sphere: 1").color);
  CHECK(read("sphere: 1").opacity == 1);
  CHECK(read("sphere: 1, opacity: 0.25").opacity == 0.25F);
  const Model model = read_model_text(
      "trammel: 1\nbodies:\n  b: {mass: 1, color: red, opacity: 0.5,\n"
      "      shape: [{sphere: 1}, {sphere: 1, color: blue, opacity: 1}]}\n",
      "f");
  CHECK(model.bodies[0].shapes[0].color == rgb("red"));
  CHECK(model.bodies[0].shapes[0].opacity == 0.5F);
  CHECK(model.bodies[0].shapes[1].color == rgb("blue"));
  CHECK(model.bodies[0].shapes[1].opacity == 1);
}

TEST_CASE("wrong sizes, types and keys") {
  CHECK(fail("capsule: {radius: 0, length: 1}") ==
        "33: shape.capsule.radius: must be greater than 0, got 0");
  CHECK(fail("capsule: {radius: 1}") == "15: shape.capsule: 'length' is missing");
  CHECK(fail("capsule: 3") == "24: shape.capsule: must be a map of keys and values, got '3'");
  CHECK(
      fail("capsule: {radius: 1, length: 1, top: 1}").find("47: shape.capsule.top: unknown key") ==
      0);
  CHECK(fail("cone: {radius: -1, length: 1}") ==
        "30: shape.cone.radius: must not be negative, got -1");
  CHECK(fail("cone: {radius: 0, length: 1}") ==
        "21: shape.cone: one of radius and top must be greater than 0");
  CHECK(fail("cone: {radius: 1, top: a, length: 1}").find("38: shape.cone.top: ") == 0);
  CHECK(fail("ring: {radius: 1, inner: 1, length: 1}") ==
        "40: shape.ring.inner: must be less than the radius 1, got 1");
  CHECK(fail("ring: {radius: 1, inner: 0, length: 1}") ==
        "40: shape.ring.inner: must be greater than 0, got 0");
  CHECK(fail("ring: {radius: 1, length: 1}") == "15: shape.ring: 'inner' is missing");
  CHECK(fail("tube: {radius: 1, length: 1}").find("15: shape.tube: unknown key") == 0);
  CHECK(
      fail("sphere: 1, ring: {radius: 2, inner: 1, length: 1}") ==
      "14: shape: must have one of box, cylinder, sphere, capsule, cone, ring, extrusion and mesh, "
      "got 2");
}

TEST_CASE("wrong colours and opacities") {
  CHECK(fail("sphere: 1, color: steal") ==
        "33: shape.color: unknown colour 'steal' (did you mean 'steel'?)");
  CHECK(fail("sphere: 1, color: \"#12\"") ==
        "33: shape.color: unknown colour '#12' (a name like steel or red, \"#cc8833\" or [0.8, "
        "0.5, 0.2])");
  CHECK(fail("sphere: 1, color: \"#+12\"").find("33: shape.color: unknown colour '#+12'") == 0);
  CHECK(fail("sphere: 1, color: ").find("shape.color: must be a colour, got nothing") !=
        std::string::npos);
  CHECK(fail("sphere: 1, color: [1, 2, 0]") == "33: shape.color: must be between 0 and 1, got 2");
  CHECK(fail("sphere: 1, color: [1, 0]").find("33: shape.color: must be a list of 3 numbers") == 0);
  CHECK(fail("sphere: 1, color: {red: 1}") == "33: shape.color: must be a colour, got a map");
  CHECK(fail("sphere: 1, opacity: 2") == "35: shape.opacity: must be between 0 and 1, got 2");
  CHECK(fail("sphere: 1, opacity: -0.1").find("35: shape.opacity: must be between 0 and 1") == 0);
  CHECK(fail("sphere: 1, opacity: thick").find("35: shape.opacity: ") == 0);
  CHECK(test::mistakes_of([] {
          read_model_text("trammel: 1\nbodies:\n  b: {mass: 1, inertia: [1, 1, 1], color: red}\n",
                          "f");
        }) == "f:3:43: bodies.b.color: color given, but the body has no shape (add a shape)");
}

TEST_CASE("outlines that are none") {
  const auto outline = [](const std::string& corners, const std::string& more = "") {
    return fail("extrusion: {length: 1, outline: " + corners + more + "}");
  };
  CHECK(outline("5") == "47: shape.extrusion.outline: must be a list of corners [x, y], got '5'");
  CHECK(outline("[[0, 0], [1, 0]]") ==
        "47: shape.extrusion.outline: needs 3 corners or more, got 2");
  CHECK(outline("[[0, 0], [1], [1, 1]]")
            .find("shape.extrusion.outline[1]: must be a list of 2 numbers") != std::string::npos);
  CHECK(outline("[[0, 0], [1, 0], [1, 1], [0, 0]]")
            .find("72: shape.extrusion.outline[3]: is the same point as the next corner") == 0);
  // a bow tie, a spike, a corner on an edge
  CHECK(
      outline("[[0, 0], [1, 1], [1, 0], [0, 1]]") ==
      "47: shape.extrusion.outline: the edges from outline[0] to outline[1] and from outline[2] to "
      "outline[3] cross or touch");
  CHECK(outline("[[0, 0], [2, 0], [1, 0], [1, 1]]").find("cross or touch") != std::string::npos);
  CHECK(outline("[[0, 0], [2, 0], [2, 2], [1, 0], [0, 2]]").find("cross or touch") !=
        std::string::npos);
  const std::string square = "[[0, 0], [4, 0], [4, 4], [0, 4]]";
  CHECK(outline(square, ", holes: 1") ==
        "88: shape.extrusion.holes: must be a list of outlines, got '1'");
  CHECK(outline(square, ", holes: [[[5, 5], [6, 5], [5, 6]]]") ==
        "89: shape.extrusion.holes[0]: is outside of the outline");
  CHECK(outline(square, ", holes: [[[3, 3], [5, 3], [3, 5]]]").find("cross or touch") !=
        std::string::npos);
  CHECK(outline(square,
                ", holes: [[[1, 1], [3, 1], [1, 3]], [[1.2, 1.2], [1.4, 1.2], [1.2, 1.4]]]") ==
        "115: shape.extrusion.holes[1]: is inside holes[0]");
  std::string many = "[";
  for (int k = 0; k < 1001; ++k) {
    many += "[cos(" + std::to_string(k) + "*pi/600), sin(" + std::to_string(k) + "*pi/600)],";
  }
  CHECK(outline(many + "]") == "47: shape.extrusion.outline: gives more than 1000 corners");
}

// Green's theorem against the same plate as boxes, in any place and sense of its corners
TEST_CASE("a plate with a hole is a plate less a plate") {
  const auto properties = [](const std::string& shapes) {
    return calc_shape_properties(
        read_model_text(
            "trammel: 1\nbodies: {b: {mass: 1, inertia: [1, 1, 1], density: 1000, shape: " +
                shapes + "}}\n",
            "f")
            .bodies[0]
            .shapes);
  };
  const ShapeProperties whole = properties(
      "{extrusion: {length: 2, outline: [[-2, -1], [4, -1], [4, 3], [-2, 3]], "
      "holes: [[[2, 1], [2, 2], [0, 2], [0, 1]]]}}");
  const ShapeProperties boxes = properties(
      "[{box: [2, 4, 2], position: [-1, 1, 0]}, {box: [2, 4, 2], position: [3, 1, 0]},"
      " {box: [2, 2, 2], position: [1, 0, 0]}, {box: [2, 1, 2], position: [1, 2.5, 0]}]");
  CHECK(whole.mass == doctest::Approx(boxes.mass).epsilon(1e-14));
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(whole.center[i] == doctest::Approx(boxes.center[i]).epsilon(1e-14));
    for (std::size_t j = 0; j < 3; ++j) {
      CHECK(std::abs(whole.inertia[i][j] - boxes.inertia[i][j]) < 1e-12 * boxes.inertia[2][2]);
    }
  }
}

TEST_CASE("meshes: read once, scaled, mass from the density") {
  const Workshop workshop;
  workshop.write("cube.stl",
                 test::to_binary_stl(test::make_box({-500, -500, -500}, {1000, 1000, 1000})));
  const Model model = workshop.read("mesh: {file: cube.stl, scale: 0.001}, density: 7", "");
  const Mesh mesh = std::get<Mesh>(model.bodies[0].shapes[0].geometry);
  CHECK(mesh.scale == Vec3{0.001, 0.001, 0.001});
  CHECK(mesh.surface->file == "cube.stl");
  const MassProperties properties = calc_mass_properties(model.bodies[0]);
  CHECK(properties.mass == doctest::Approx(7));
  CHECK(properties.inertia[1][1] == doctest::Approx(7.0 / 6));
  CHECK(std::get<Mesh>(workshop.read("mesh: cube.stl", "mass: 1").bodies[0].shapes[0].geometry)
            .scale == Vec3{1, 1, 1});
  const Model two = workshop.read("mesh: {file: ./cube.stl, scale: [1, 1, -2]}",
                                  "mass: 1}\n  c: {mass: 1, shape: {mesh: cube.stl}");
  CHECK(std::get<Mesh>(two.bodies[0].shapes[0].geometry).surface ==
        std::get<Mesh>(two.bodies[1].shapes[0].geometry).surface);
}

TEST_CASE("meshes: an open one gives no mass, and says where it is open") {
  const Workshop workshop;
  test::Triangles open = test::make_box({-1, -1, -1}, {2, 2, 2});
  open.triangles.erase(open.triangles.begin());
  workshop.write("open.obj", test::to_obj(open));
  const std::string reason =
      "bodies.b.shape.mesh: 'open.obj' is not closed, so that it has no mass: the edge from "
      "(-1, -1, -1) to (-1, 1, -1) belongs to one triangle only, and 2 more are open (close it in "
      "the "
      "CAD program, or give mass and inertia)";
  CHECK(workshop.fail("mesh: open.obj, density: 1", "") == "model.yaml:3:21: " + reason);
  CHECK(workshop.fail("mesh: open.obj", "mass: 1") == "model.yaml:3:21: " + reason);
  CHECK(workshop.fail("mesh: open.obj", "mass: 1, inertia: [1, 1, 1]") == "accepted");
  CHECK(workshop.fail("mesh: open.obj", "mass: 0") == "accepted");
  // another shape gives the mass: this one is for the picture
  CHECK(test::mistakes_of([&] {
          workshop.write(
              "m.yaml",
              "trammel: 1\nbodies: {b: {shape: [{mesh: open.obj}, {sphere: 1, density: 1}]}}\n");
          read_model(workshop.file("m.yaml"));
        }) == "accepted");
  test::Triangles flat = {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}, {0, 2, 1}}};
  workshop.write("flat.obj", test::to_obj(flat));
  CHECK(
      workshop.fail("mesh: flat.obj, density: 1", "") ==
      "model.yaml:3:21: bodies.b.shape.mesh: 'flat.obj' encloses no volume, so that it has no mass "
      "(give mass and inertia)");
}

TEST_CASE("meshes: wrong keys, files and paths") {
  const Workshop workshop;
  workshop.write("cube.stl", test::to_binary_stl(test::make_box({-1, -1, -1}, {2, 2, 2})));
  workshop.write("bad.obj", "v 0 0\n");
  CHECK(workshop.fail("mesh: [cube.stl]") ==
        "model.yaml:3:21: bodies.b.shape.mesh: must be a file or {file: …, scale: …}, got a list "
        "of 1");
  CHECK(workshop.fail("mesh: {scale: 1}") ==
        "model.yaml:3:15: bodies.b.shape.mesh: 'file' is missing");
  CHECK(workshop.fail("mesh: {file: cube.stl, scale: 0}") ==
        "model.yaml:3:45: bodies.b.shape.mesh.scale: must not be zero");
  CHECK(workshop.fail("mesh: {file: cube.stl, scale: [1, 2]}")
            .find("model.yaml:3:45: bodies.b.shape.mesh.scale: must be a list of 3 numbers") == 0);
  CHECK(workshop.fail("mesh: {file: cube.stl, units: mm}")
            .find("model.yaml:3:38: bodies.b.shape.mesh.units: unknown key") == 0);
  CHECK(workshop.fail("mesh: cub.stl") ==
        "model.yaml:3:21: bodies.b.shape.mesh: there is no file 'cub.stl' in the model's folder");
  CHECK(workshop.fail("mesh: ../cube.stl").find("is outside the model's folder") !=
        std::string::npos);
  CHECK(workshop.fail("mesh: /etc/passwd").find("is outside the model's folder") !=
        std::string::npos);
  CHECK(workshop.fail("mesh: .").find("is not a regular file") != std::string::npos);
  CHECK(workshop.fail("mesh: bad.obj") ==
        "bad.obj:1:6: bodies.b.shape.mesh: a point has three coordinates");
  CHECK(workshop.fail("mesh: model.yaml").find("not a mesh: the extension must be") !=
        std::string::npos);
}

TEST_CASE("a mesh with more triangles than a page shows is shown with fewer, and weighs the same") {
  const Workshop workshop;
  workshop.write("ball.stl", test::to_binary_stl(test::make_sphere(1.0, 240)));
  const Model model = workshop.read("mesh: ball.stl, density: 1", "");
  const System system = compile(model);
  const CheckReport report = check(system);
  REQUIRE(report.warnings.size() == 1);
  CHECK(report.warnings[0].find("the mesh ball.stl has 229440 triangles and is shown with ") == 0);
  CHECK(calc_mass_properties(model.bodies[0]).mass ==
        doctest::Approx(std::get<Mesh>(model.bodies[0].shapes[0].geometry).surface->volume));
  SimulationOptions options;
  options.t_end = 0.01;
  const Results results = simulate(system, options);
  const auto& shown = std::get<Mesh>(results.scene.bodies[0].shapes[0].geometry).surface;
  CHECK(shown->triangles.size() <= 200'000);
  CHECK(shown->triangles.size() > 50'000);
}

TEST_CASE("a mesh that is inside out is turned, with a warning") {
  const Workshop workshop;
  test::Triangles cube = test::make_box({-1, -1, -1}, {2, 2, 2});
  test::turn(cube);
  workshop.write("cube.stl", test::to_binary_stl(cube));
  const Model model = workshop.read("mesh: cube.stl, density: 1", "");
  CHECK(calc_mass_properties(model.bodies[0]).mass == doctest::Approx(8));
  const CheckReport report = check(compile(model));
  REQUIRE(report.warnings.size() == 1);
  CHECK(report.warnings[0] ==
        "the mesh cube.stl has parts that are inside out; their triangles were turned over");
}
