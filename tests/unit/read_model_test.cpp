// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Model files that are right: every key ends up where it belongs.
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <cmath>
#include <filesystem>

#include "support/temporary_folder.hpp"
#include "trammel/trammel.hpp"

using namespace trammel;

namespace {

const std::string models = TRAMMEL_MODELS_DIR;

Model read(const std::string& text, const ParameterOverrides& overrides = {}) {
  return read_model_text(text, "test.yaml", overrides);
}

// One body, with more lines for it.
Model read_body(const std::string& lines) {
  return read("trammel: 1\nbodies:\n  b:\n    mass: 1\n    inertia: [1, 1, 1]\n" + lines);
}

const std::string two_bodies =
    "trammel: 1\n"
    "bodies:\n"
    "  a: {mass: 1, inertia: [1, 1, 1]}\n"
    "  b: {mass: 1, inertia: [1, 1, 1]}\n";

void check_near(const EulerParameters& a, const EulerParameters& b) {
  for (std::size_t i = 0; i < 4; ++i) CHECK(a[i] == doctest::Approx(b[i]).epsilon(1e-14));
}

}  // namespace

TEST_CASE("a whole model") {
  const Model model = read_model(models + "/paper/crank.yaml");
  CHECK(model.name == "crank");
  CHECK(model.file == models + "/paper/crank.yaml");
  CHECK(model.text == test::read_text(model.file));
  CHECK(model.gravity == Vec3{0, -9.81, 0});
  REQUIRE(model.bodies.size() == 3);
  CHECK(model.bodies[0].name == "crank");
  CHECK(model.bodies[0].mass == 19.5);
  CHECK((*model.bodies[0].inertia)[1][1] == 0.41);
  CHECK((*model.bodies[0].inertia)[0][1] == 0);
  CHECK(model.bodies[0].position == Vec3{0, 0, -0.25});
  CHECK(model.bodies[0].orientation == EulerParameters{std::sqrt(0.5), 0, std::sqrt(0.5), 0});
  CHECK(std::get<Box>(model.bodies[0].shapes.at(0).geometry).size == Vec3{0.5, 0.05, 0.1});
  REQUIRE(model.joints.size() == 4);
  CHECK(model.joints[1].kind == JointKind::translational);
  CHECK(model.joints[1].body_i == "ground");
  CHECK(model.joints[1].body_j == "slider");
  const auto& guide = std::get<LocalPlacement>(model.joints[1].placement);
  CHECK(guide.point_j == Vec3{-1.8, 0, 0.5});
  CHECK(guide.a_i == Vec3{0, 1, 0});
  CHECK(guide.b_i == Vec3{0, 0, 1});
  CHECK(guide.a_j == Vec3{1, 0, 0});
  CHECK(guide.b_j == Vec3{0, 0, 1});
  const auto& motor = std::get<Torque>(model.forces.at(0).law);
  CHECK(motor.body == "crank");
  CHECK(motor.frame == Frame::body);
  CHECK(motor.value == Vec3{0, 0, -50});
  CHECK(model.simulation.t_end == 10);
  CHECK(model.simulation.rtol == 1e-7);
  CHECK(model.simulation.hold_energy);
  CHECK(model.parameters.at(0) == std::pair<std::string, double>{"torque", -50});
}

TEST_CASE("all models of the repository are right") {
  int count = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(models)) {
    if (entry.path().extension() != ".yaml") continue;
    ++count;
    CAPTURE(entry.path().string());
    CHECK_NOTHROW(read_model(entry.path().string()));
  }
  CHECK(count >= 11);
}

TEST_CASE("initial data of the models are those of the references") {
  const std::vector<std::array<std::string, 3>> cases = {
      {"paper/pendulum.yaml", "paper_pendulum.json", "initial"},
      {"paper/quadrangle.yaml", "paper_quadrangle.json", "initial"},
      {"paper/crank.yaml", "paper_crank.json", "initial"},
      {"gallery/andrews.yaml", "iftomm_a03_andrews.json", "initial_absolute"}};
  for (const auto& [name, reference, key] : cases) {
    const std::string& file = name;  // clang 14 captures no structured bindings
    CAPTURE(file);
    const Model model = read_model(models + "/" + file);
    const auto bodies = YAML::LoadFile(std::string(TRAMMEL_REFERENCE_DIR) + "/" + reference)[key];
    REQUIRE(bodies.size() == model.bodies.size());
    for (std::size_t i = 0; i < model.bodies.size(); ++i) {
      const auto initial = bodies[i];
      for (std::size_t k = 0; k < 3; ++k) {
        CHECK(std::abs(model.bodies[i].position[k] - initial["r"][k].as<double>()) < 2e-15);
      }
      for (std::size_t k = 0; k < 4; ++k) {
        CHECK(std::abs(model.bodies[i].orientation[k] - initial["theta"][k].as<double>()) < 5e-16);
      }
    }
  }
}

TEST_CASE("JSON") {
  const Model model = read(R"({
    "trammel": 1, "name": "json",
    "parameters": {"m": 2, "n": "m + 1"},
    "bodies": {"b": {"mass": "n", "inertia": [1, 1, 1], "position": ["pi/2", 0, -1.5e0]}},
    "simulation": {"output_at_steps": true, "invariants": []}
  })");
  CHECK(model.bodies.at(0).mass == 3);
  CHECK(model.bodies[0].position == Vec3{M_PI / 2, 0, -1.5});
  CHECK(model.simulation.output_at_steps);
}

TEST_CASE("parameters refer to each other in any order, and can be set from outside") {
  const std::string text =
      "trammel: 1\nparameters: {a: 2*b, b: c + 1, c: 3}\n"
      "bodies: {x: {mass: a, inertia: [b, b, c]}}\n";
  CHECK(read(text).bodies[0].mass == 8);
  CHECK(read(text, {{"c", 1}}).bodies[0].mass == 4);
  CHECK(read(text, {{"b", 10}}).bodies[0].mass == 20);
  CHECK(read(text, {{"c", 1}, {"c", 2}}).bodies[0].mass == 6);
  const auto parameters = read(text).parameters;
  CHECK(parameters[0] == std::pair<std::string, double>{"a", 8});
  CHECK(parameters[2] == std::pair<std::string, double>{"c", 3});
  SUBCASE("setting one of a circle opens it") {
    const std::string circle =
        "trammel: 1\nparameters: {a: b, b: a}\nbodies: {x: {mass: a, inertia: [1, 1, 1]}}\n";
    CHECK(read(circle, {{"a", 5}}).bodies[0].mass == 5);
  }
  SUBCASE("a long chain of references") {
    std::string chain = "trammel: 1\nparameters:\n";
    for (int i = 0; i < 50'000; ++i) chain += fmt::format("  p{}: p{} + 1\n", i, i + 1);
    chain += "  p50000: 0\nbodies: {x: {mass: p0, inertia: [1, 1, 1]}}\n";
    CHECK(read(chain).bodies[0].mass == 50'000);
  }
}

TEST_CASE("orientation in its three forms") {
  const double s = std::sin(M_PI / 6), c = std::cos(M_PI / 6);
  const EulerParameters expected = {c, 0, s, 0};
  const auto orientation = [](const std::string& text) {
    return read_body("    orientation: " + text + "\n").bodies[0].orientation;
  };
  check_near(orientation("{axis: [0, 3, 0], angle: 60 deg}"), expected);
  check_near(orientation("{euler_parameters: [cos(pi/6)*1.005, 0, sin(pi/6)*1.005, 0]}"), expected);
  check_near(orientation("{matrix: [[0.5, 0, sqrt(3)/2], [0, 1, 0], [-sqrt(3)/2, 0, 0.5]]}"),
             expected);
  // half turns, where the scalar parameter vanishes
  check_near(orientation("{matrix: [[1, 0, 0], [0, -1, 0], [0, 0, -1]]}"), {0, 1, 0, 0});
  check_near(orientation("{matrix: [[-1, 0, 0], [0, 1, 0], [0, 0, -1]]}"), {0, 0, 1, 0});
  check_near(orientation("{matrix: [[-1, 0, 0], [0, -1, 0], [0, 0, 1]]}"), {0, 0, 0, 1});
  check_near(orientation("{matrix: [[0, -1, 0], [1, 0, 0], [0, 0, 1]]}"),
             {std::sqrt(0.5), 0, 0, std::sqrt(0.5)});
}

TEST_CASE("bodies: velocities, full inertia, shapes") {
  const Model model = read(
      "trammel: 1\nbodies:\n  b:\n    velocity: [1, 2, 3]\n    angular_velocity: [4, 5, 6]\n"
      "    inertia: [[2, 0.1, 0], [0.1, 2, 0], [0, 0, 3]]\n    density: 1000\n    shape:\n"
      "      - {box: [1, 2, 3], position: [1, 0, 0], density: 500}\n"
      "      - {box: [1, 2, 3], position: [-0.5, 0, 0]}\n"
      "      - {cylinder: {radius: 1, length: 2}, orientation: {axis: [1, 0, 0], angle: pi}}\n"
      "      - {sphere: {radius: 0.5}}\n      - {sphere: 0.25}\n");
  const Body& body = model.bodies[0];
  CHECK(body.velocity == Vec3{1, 2, 3});
  CHECK(body.angular_velocity == Vec3{4, 5, 6});
  CHECK((*body.inertia)[0][1] == 0.1);
  CHECK_FALSE(body.mass);
  REQUIRE(body.shapes.size() == 5);
  CHECK(body.shapes[0].density == 500);
  CHECK(body.shapes[1].density == 1000);
  CHECK(body.shapes[1].position == Vec3{-0.5, 0, 0});
  CHECK(std::get<Cylinder>(body.shapes[2].geometry).length == 2);
  CHECK(body.shapes[2].orientation[1] == 1);
  CHECK(std::get<Sphere>(body.shapes[3].geometry).radius == 0.5);
  CHECK(std::get<Sphere>(body.shapes[4].geometry).radius == 0.25);
}

TEST_CASE("joints in the world") {
  const Model model =
      read(two_bodies +
           "joints:\n"
           "  r: {kind: revolute, bodies: [a, ground], at: [1, 2, 3], axis: [0, 0, 2]}\n"
           "  u: {kind: universal, bodies: [a, b], at: [0, 0, 0], "
           "axes: [[1, 0, 0], [0, 1, 0]]}\n"
           "  f: {kind: fixed, bodies: [a, b], at: [0, 0, 0]}\n");
  const auto& r = std::get<WorldPlacement>(model.joints[0].placement);
  CHECK(r.point == Vec3{1, 2, 3});
  CHECK(r.axis == Vec3{0, 0, 2});
  CHECK_FALSE(r.axis_j);
  const auto& u = std::get<WorldPlacement>(model.joints[1].placement);
  CHECK(u.axis == Vec3{1, 0, 0});
  CHECK(u.axis_j == Vec3{0, 1, 0});
  CHECK_FALSE(std::get<WorldPlacement>(model.joints[2].placement).axis);
}

TEST_CASE("forces of all kinds") {
  const Model model =
      read(two_bodies +
           "joints:\n  r: {kind: revolute, bodies: [a, ground], at: [0, 0, 0], axis: [0, 0, 1]}\n"
           "forces:\n"
           "  f: {kind: force, body: a, value: [1, 2, 3]}\n"
           "  g: {kind: force, body: a, frame: body, value: [1, 2, 3], point: [4, 5, 6]}\n"
           "  t: {kind: torque, body: b, value: [1, 0, 0]}\n"
           "  s: {kind: spring_damper, bodies: [a, ground], points: [[1, 0, 0], [0, 1, 0]], "
           "stiffness: 10, damping: 2, free_length: 0.5}\n"
           "  d: {kind: rotational_damper, joint: r, damping: 0.1}\n");
  REQUIRE(model.forces.size() == 5);
  CHECK(std::get<PointForce>(model.forces[0].law).frame == Frame::world);
  CHECK(std::get<PointForce>(model.forces[1].law).frame == Frame::body);
  CHECK(std::get<PointForce>(model.forces[1].law).point == Vec3{4, 5, 6});
  CHECK(std::get<Torque>(model.forces[2].law).body == "b");
  const auto& spring = std::get<SpringDamper>(model.forces[3].law);
  CHECK(spring.point_j == Vec3{0, 1, 0});
  CHECK(spring.stiffness == 10);
  CHECK(spring.damping == 2);
  CHECK(spring.free_length == 0.5);
  CHECK(std::get<RotationalDamper>(model.forces[4].law).joint == "r");
}

TEST_CASE("simulation: every key, and the defaults without") {
  const SimulationOptions o =
      read_body(
          "simulation: {t_end: 3, rtol: 1e-5, atol: 1e-6, method: dopri5, projection: none,\n"
          "  project_stages: true, invariants: energy, energy_correction: scaling,\n"
          "  kinematics: off, step_control: classical, initial_step: 0.1, max_step: 0.2, "
          "fixed_step: 0.3,\n"
          "  max_steps: 1000, threads: 3, output_interval: 0.01, output_at_steps: true}\n")
          .simulation;
  CHECK(o.t_end == 3);
  CHECK(o.rtol == 1e-5);
  CHECK(o.atol == 1e-6);
  CHECK(o.method == Method::dopri5);
  CHECK(o.projection == Projection::none);
  CHECK(o.project_stages);
  CHECK(o.hold_energy);
  CHECK(o.energy_correction == EnergyCorrection::scaling);
  CHECK(o.step_control == StepControl::classical);
  CHECK(o.kinematics == Kinematics::off);
  CHECK(o.initial_step == 0.1);
  CHECK(o.max_step == 0.2);
  CHECK(o.fixed_step == 0.3);
  CHECK(o.max_steps == 1000);
  CHECK(o.threads == 3);
  CHECK(o.output_interval == 0.01);
  CHECK(o.output_at_steps);
  const SimulationOptions defaults = read_body("").simulation;
  CHECK(defaults.t_end == 10);
  CHECK(defaults.method == Method::automatic);
  CHECK_FALSE(defaults.hold_energy);
  CHECK_FALSE(read_body("simulation: {invariants: none}\n").simulation.hold_energy);
  const SimulationOptions momenta =
      read_body(
          "simulation: {invariants: [linear_momentum, angular_momentum],\n"
          "  energy_correction: relaxation}\n")
          .simulation;
  CHECK_FALSE(momenta.hold_energy);
  CHECK(momenta.hold_linear_momentum);
  CHECK(momenta.hold_angular_momentum);
  CHECK(momenta.energy_correction == EnergyCorrection::relaxation);
  CHECK(read_body("simulation:\n").simulation.t_end == 10);
}

TEST_CASE("a file that begins with a byte order mark, or has Windows line ends") {
  CHECK(read("\xEF\xBB\xBFtrammel: 1\r\nbodies:\r\n  b: {mass: 1, inertia: [1, 1, 1]}\r\n")
            .bodies.size() == 1);
}

TEST_CASE("the examples of docs/reference/model_file.md") {
  const std::string text = test::read_text(models + "/../docs/reference/model_file.md");
  std::vector<std::string> examples;
  const std::string open = "```yaml\n", close = "```";
  for (std::size_t at = text.find(open); at != std::string::npos; at = text.find(open, at)) {
    at += open.size();
    examples.push_back(text.substr(at, text.find(close, at) - at));
  }
  REQUIRE(examples.size() >= 10);
  const auto find = [&](const std::string& file) {
    for (const std::string& example : examples) {
      if (example.starts_with("# " + file)) return read(example);
    }
    FAIL("no example is called " << file);
    return Model();
  };
  for (const std::string& example : examples) CHECK(read(example).bodies.size() >= 1);
  CHECK(find("crank.yaml").joints.size() == 1);
  CHECK(find("planar.yaml").dimension == 2);
  CHECK(check(compile(find("planar.yaml"))).dof == 1);
  CHECK(find("repeat.yaml").joints.size() == 50);
}
