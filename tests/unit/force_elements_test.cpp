// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Force elements and their functions in model files: what is read, and each mistake with its exact
// message.
#include <doctest/doctest.h>

#include "support/mistakes.hpp"
#include "support/temporary_folder.hpp"
#include "trammel/trammel.hpp"

using namespace trammel;

namespace {

// Two bodies on line 3, a force on line 4 whose data start at column 14.
std::string text_of(const std::string& entry, const std::string& more = "") {
  return "trammel: 1\n" + more + "\n" +
         "bodies: {a: {mass: 1, inertia: [1, 1, 1]}, b: {mass: 1, inertia: [1, 1, 1]}}\n"
         "forces: {f: {" +
         entry + "}}\n";
}

std::string fail(const std::string& entry, const std::string& more = "") {
  return test::mistakes_of([&] { read_model_text(text_of(entry, more), "f"); });
}

template <class Law>
Law read(const std::string& entry, const std::string& more = "") {
  const Model model = read_model_text(text_of(entry, more), "f");
  return std::get<Law>(model.forces.at(0).law);
}

const Formula& formula_of(const Function& function) { return std::get<Formula>(function.form); }
double number_of(const Function& function) { return std::get<double>(function.form); }

}  // namespace

TEST_CASE("a force is variable where a component is") {
  const auto constant =
      read<PointForce>("kind: force, body: a, value: [2*half, 0, -1]", "parameters: {half: 0.5}");
  CHECK(constant.value == Vec3{1, 0, -1});
  const auto force = read<VariableForce>(
      "kind: force, body: a, frame: body, point: [1, 2, 3], value: [2*sin(w*t), 3, "
      "-b.velocity.y]",
      "parameters: {w: 4}");
  CHECK(force.frame == Frame::body);
  CHECK(force.point == Vec3{1, 2, 3});
  CHECK(formula_of(force.value[0]).text == "2*sin(w*t)");
  CHECK(formula_of(force.value[0]).constants ==
        std::vector<std::pair<std::string, double>>{{"w", 4.0}});
  CHECK(number_of(force.value[1]) == 3);
  const auto torque = read<VariableTorque>("kind: torque, body: a, value: t", "dimension: 2");
  CHECK(formula_of(torque.value[2]).text == "t");
  const auto planar = read<VariableForce>("kind: force, body: a, value: [t, 1]", "dimension: 2");
  CHECK(number_of(planar.value[1]) == 1);
}

TEST_CASE("springs with laws of their own") {
  const auto spring = read<NonlinearSpring>(
      "kind: nonlinear_spring, bodies: [a, ground], points: [[1, 0, 0], [0, 2, 0]], damping: 3, "
      "tension: 5*(length - 1)^3 - rate");
  CHECK(spring.body_j == "ground");
  CHECK(spring.point_j == Vec3{0, 2, 0});
  CHECK(spring.damping == 3);
  CHECK(formula_of(*spring.tension).text == "5*(length - 1)^3 - rate");
  const auto table = read<NonlinearSpring>(
      "kind: nonlinear_spring, bodies: [a, b], points: [[1, 0, 0], [0, 2, 0]], "
      "tension: {table: {points: [[0, -1], [1, 0], [2, 3]], scale: [0.001, 1000], ends: clamped, "
      "slopes: [1, 2], beyond: linear}}");
  const DataTable& data = *std::get<std::shared_ptr<const DataTable>>(table.tension->form);
  CHECK(data.x == std::vector<double>{0, 0.001, 0.002});
  CHECK(data.y == std::vector<double>{-1000, 0, 3000});
  CHECK(data.ends == TableEnds::clamped);
  CHECK(data.last_slope == 2);
  CHECK(data.beyond == TableBeyond::linear);
}

TEST_CASE("bushing, drag and gravitation") {
  const auto bushing = read<Bushing>(
      "kind: bushing, bodies: [a, b], at: [1, 2, 3], orientation: {axis: [0, 0, 1], angle: 90 "
      "deg}, "
      "stiffness: [1, 2, 3, 4, 5, 6]");
  CHECK(*bushing.at == Vec3{1, 2, 3});
  CHECK(bushing.stiffness[5][5] == 6);
  CHECK(bushing.stiffness[0][1] == 0);
  CHECK(bushing.damping[0][0] == 0);
  const auto planar = read<Bushing>(
      "kind: bushing, bodies: [a, b], points: [[1, 0], [0, 1]], stiffness: [[1, 0, 0.5], [0, 2, "
      "0], "
      "[0.5, 0, 3]], damping: [1, 1, 1]",
      "dimension: 2");
  CHECK(planar.stiffness[5][0] == 0.5);
  CHECK(planar.stiffness[5][5] == 3);
  CHECK(planar.damping[5][5] == 1);
  const auto drag = read<Drag>("kind: drag, body: a, linear: 2, angular: 3");
  CHECK(drag.linear == 2);
  CHECK(drag.angular == 3);
  const auto air = read<AerodynamicDrag>(
      "kind: aerodynamic_drag, body: a, drag_coefficient: 0.5, area: 2, point: [1, 0, 0], wind: "
      "[3, 4, 5]");
  CHECK(air.drag_coefficient == 0.5);
  CHECK(air.area == 2);
  CHECK(air.density == 1.225);
  CHECK(air.point == Vec3{1, 0, 0});
  CHECK(air.wind == Vec3{3, 4, 5});
  const auto gravitation = read<Gravitation>(
      "kind: gravitation, bodies: [ground, b], point: [1, 1, 1], gravitational_parameter: 5");
  CHECK(gravitation.point_i == Vec3{1, 1, 1});
  CHECK(gravitation.gravitational_parameter == 5);
}

TEST_CASE("formulas in repeated entries") {
  const Model model = read_model_text(
      "trammel: 1\n"
      "parameters: {c: 7}\n"
      "bodies: {b_<k>: {repeat: {k: 3}, mass: 1, inertia: [1, 1, 1]}}\n"
      "forces:\n"
      "  f_<k>: {repeat: {k: [2, 3]}, kind: force, body: b_<k>, value: [c*k*b_<k-1>.position.x, 0, "
      "0]}\n",
      "f");
  REQUIRE(model.forces.size() == 2);
  const auto& force = std::get<VariableForce>(model.forces[1].law);
  const Formula& formula = formula_of(force.value[0]);
  CHECK(formula.text == "c*k*b_2.position.x");
  CHECK(formula.constants == std::vector<std::pair<std::string, double>>{{"c", 7.0}, {"k", 3.0}});
  compile(model);
}

TEST_CASE("names in formulas that are not there") {
  const auto value = [](const std::string& text) {
    return fail("kind: force, body: a, value: [0, " + text + ", 0]", "parameters: {rate: 2}");
  };
  CHECK(value("2*a.position.x + rate*t") == "accepted");
  CHECK(value("2*aa.position.x") ==
        "f:4:49: forces.f.value[1]: there is no body 'aa' that can move (did you mean 'a'?)");
  CHECK(value("2*a.positon.x") ==
        "f:4:49: forces.f.value[1]: unknown name 'a.positon.x' (did you mean 'a.position.x'?)");
  CHECK(value("t*rat") == "f:4:49: forces.f.value[1]: unknown name 'rat' (did you mean 'rate'?)");
  CHECK(value("\"sin(t\"") ==
        "f:4:53: forces.f.value[1]: unexpected end of the expression, expected ')'");
  CHECK(value("ground.position.x") ==
        "f:4:47: forces.f.value[1]: there is no body 'ground' that can move");
  CHECK(value("a.angular_velocity.w*t") ==
        "f:4:47: forces.f.value[1]: unknown name 'a.angular_velocity.w' (did you mean "
        "'a.angular_velocity.x'?)");
  CHECK(fail("kind: force, body: a, value: [t, 0, 0]", "parameters: {t: 2}") == "accepted");
}

TEST_CASE("mistakes in the elements") {
  const std::string pair = "bodies: [a, b], points: [[0, 0, 0], [1, 0, 0]]";
  CHECK(fail("kind: nonlinear_spring, " + pair) ==
        "f:4:10: forces.f: needs either 'tension' or 'energy'");
  CHECK(fail("kind: nonlinear_spring, " + pair + ", tension: 1, energy: 2") ==
        "f:4:10: forces.f: needs either 'tension' or 'energy'");
  CHECK(fail("kind: nonlinear_spring, " + pair + ", energy: abs(length - 1)") ==
        "f:4:94: forces.f.energy: 'abs' of length is not smooth enough for an energy (step(x, x0, "
        "y0, x1, y1) is a smooth transition from y0 to y1)");
  CHECK(fail("kind: nonlinear_spring, " + pair + ", energy: length*rate") ==
        "f:4:101: forces.f.energy: unknown name 'rate'");
  CHECK(
      fail("kind: nonlinear_spring, bodies: [a, a], points: [[0, 0, 0], [1, 0, 0]], tension: 1") ==
      "f:4:46: forces.f.bodies: connects 'a' to itself");
  CHECK(fail("kind: bushing, bodies: [a, b], at: [0, 0, 0]") ==
        "f:4:10: forces.f: 'stiffness' is missing");
  CHECK(
      fail("kind: bushing, bodies: [a, b], at: [0, 0, 0], stiffness: [1, 2, 3]") ==
      "f:4:71: forces.f.stiffness: must be a list of 6 numbers (the diagonal) or rows, got a list "
      "of 3");
  CHECK(fail("kind: bushing, bodies: [a, b], at: [0, 0, 0], stiffness: [1, 1, 1, 1, 1, -1]") ==
        "f:4:71: forces.f.stiffness: must not have negative eigenvalues");
  CHECK(
      fail(
          "kind: bushing, bodies: [a, b], at: [0, 0], stiffness: [[1, 2, 0], [2, 1, 0], [0, 0, 1]]",
          "dimension: 2") == "f:4:68: forces.f.stiffness: must not have negative eigenvalues");
  CHECK(
      fail(
          "kind: bushing, bodies: [a, b], at: [0, 0], stiffness: [[1, 2, 0], [0, 9, 0], [0, 0, 1]]",
          "dimension: 2") == "f:4:68: forces.f.stiffness: must be symmetric");
  CHECK(fail("kind: bushing, bodies: [a, b], at: [0, 0, 0], points: [[0, 0, 0], [0, 0, 0]], "
             "stiffness: [1, 1, 1, 1, 1, 1]") ==
        "f:4:60: forces.f.points: give either 'at' or 'points', not both");
  CHECK(fail("kind: drag, body: a, linear: -1") ==
        "f:4:43: forces.f.linear: must not be negative, got -1");
  CHECK(fail("kind: drag, body: ground, linear: 1") ==
        "f:4:32: forces.f.body: must be a moving body, not the ground");
  CHECK(fail("kind: gravitation, bodies: [a, ground], gravitational_parameter: 1") ==
        "f:4:45: forces.f.bodies[1]: must be a moving body, not the ground");
  CHECK(fail("kind: gravitation, bodies: [ground, a]") ==
        "f:4:10: forces.f: 'gravitational_parameter' is missing");
  CHECK(fail("kind: force, body: a, value: [t, 0, t]", "dimension: 2") ==
        "f:4:50: forces.f.value[2]: must be 0 in a planar model");
}

TEST_CASE("springs and loads along joint coordinates") {
  const std::string joints =
      "joints: {pin: {kind: revolute, bodies: [a, b], at: [0, 0, 0], axis: [0, 0, 1]}, "
      "rod: {kind: cylindrical, bodies: [ground, a], at: [0, 0, 0], axis: [0, 0, 1]}, "
      "ball: {kind: spherical, bodies: [ground, b], at: [0, 0, 0]}}";
  const auto spring = read<JointSpringDamper>(
      "kind: joint_spring_damper, joint: rod, coordinate: travel, stiffness: 2, damping: 3, free: "
      "0.5, load: sin(t) - travel^3 + pin.angle_rate",
      joints);
  CHECK(spring.coordinate == JointCoordinate::travel);
  CHECK(spring.stiffness == 2);
  CHECK(spring.damping == 3);
  CHECK(spring.free == 0.5);
  CHECK(formula_of(*spring.load).text == "sin(t) - travel^3 + pin.angle_rate");
  const auto at = [&](const std::string& entry) {
    return fail("kind: joint_spring_damper, " + entry, joints);
  };
  CHECK(at("joint: pin, energy: angle^2") == "accepted");
  CHECK(at("joint: pn, stiffness: 1") ==
        "f:4:48: forces.f.joint: there is no joint 'pn' (did you mean 'pin'?)");
  CHECK(at("joint: ball, stiffness: 1") ==
        "f:4:48: forces.f.joint: the joint 'ball' has no coordinate");
  CHECK(at("joint: rod, stiffness: 1") ==
        "f:4:48: forces.f.joint: the joint 'rod' has more than one coordinate: add coordinate: "
        "angle or travel");
  CHECK(at("joint: pin, coordinate: travel") ==
        "f:4:65: forces.f.coordinate: the joint 'pin' has no travel, but angle");
  CHECK(at("joint: pin, load: travel") == "f:4:59: forces.f.load: unknown name 'travel'");
  CHECK(at("joint: pin, load: 1, energy: 2") ==
        "f:4:10: forces.f: give either 'load' or 'energy', not both");
  CHECK(at("joint: pin, load: 2*ball.angle") ==
        "f:4:61: forces.f.load: the joint 'ball' has no angle");
  CHECK(at("joint: pin, load: 2*pni.angle") ==
        "f:4:61: forces.f.load: there is no joint 'pni' (did you mean 'pin'?)");
  CHECK(at("joint: pin, load: 2*pin.angel") ==
        "f:4:61: forces.f.load: unknown name 'pin.angel' (did you mean 'pin.angle'?)");
}

TEST_CASE("mistakes in tables") {
  const auto table = [](const std::string& entry, const std::string& more = "") {
    return fail("kind: force, body: a, value: [{table: {" + entry + "}}, 0, 0]", more);
  };
  CHECK(table("points: [[0, 1], [10, 2]]") == "accepted");
  CHECK(table("points: [[0, 1], [1, 2]], ends: periodic") ==
        "f:4:52: forces.f.value[0].table: needs at least 4 points, got 2");
  CHECK(table("points: [[0, 1], [5, 2]]") ==
        "f:4:52: forces.f.value[0].table: covers 0 s to 5 s, but the run goes from 0 s to 10 s "
        "(set beyond to hold or linear)");
  CHECK(table("points: [[0, 1], [5, 2]]", "simulation: {t_end: 5}") == "accepted");
  CHECK(table("points: [[0, 1], [5, 2]], beyond: hold") == "accepted");
  CHECK(table("points: [[0, 1], [0, 2]]") ==
        "f:4:70: forces.f.value[0].table.points[1]: x must increase from point to point");
  CHECK(table("points: [[0, 1], [1, 2], [2, 3], [3, 4]], ends: periodic") ==
        "f:4:52: forces.f.value[0].table: is periodic, so the last value must repeat the first: 1 "
        "and 4");
  CHECK(table("ends: natural") ==
        "f:4:52: forces.f.value[0].table: needs either 'file' or 'points'");
  CHECK(table("points: [[0, 1], [10, 2]], slopes: [0, 0]") ==
        "f:4:80: forces.f.value[0].table.slopes: requires ends: clamped");
  CHECK(table("points: [[0, 1], [10, 2]], ends: clampd") ==
        "f:4:86: forces.f.value[0].table.ends: must be not_a_knot, natural, clamped or periodic, "
        "got 'clampd' (did you mean 'clamped'?)");
  CHECK(table("points: [[0, 1], [10, 2]], scale: [-1, 0]") ==
        "f:4:87: forces.f.value[0].table.scale: the factor of x must be greater than 0");
}

TEST_CASE("table files are found beside the model and their mistakes have their own place") {
  const test::TemporaryFolder folder, outside;
  const auto read_file = [&](const std::string& table, const ReadOptions& options = {}) {
    test::write_text(folder.file("m.yaml"),
                     text_of("kind: force, body: a, value: [{table: {" + table + "}}, 0, 0]"));
    try {
      const Model model = read_model(folder.file("m.yaml"), {}, options);
      const auto& force = std::get<VariableForce>(model.forces[0].law);
      const auto& data = *std::get<std::shared_ptr<const DataTable>>(force.value[0].form);
      return "read " + std::to_string(data.x.size());
    } catch (const ModelError& error) {
      return std::string(error.what());
    }
  };
  const std::string csv = folder.file("f.csv");
  test::write_text(csv, "t [s],f [N]\n0,1\n10,3\n");
  CHECK(read_file("file: f.csv, columns: [t, f]") == "read 2");
  CHECK(read_file("file: f.csv") == "read 2");
  CHECK(read_file("file: g.csv") ==
        folder.file("m.yaml") +
            ":4:59: forces.f.value[0].table.file: there is no file 'g.csv' in the model's folder");
  CHECK(read_file("file: f.csv, columns: [t, g]") ==
        csv + ":1:1: forces.f.value[0].table.file: there is no column 'g'");
  test::write_text(csv, "0,1\n10,x\n");
  CHECK(read_file("file: f.csv") ==
        csv + ":2:4: forces.f.value[0].table.file: must be a finite number");
  test::write_text(outside.file("f.csv"), "0,1\n10,3\n");
  CHECK(read_file("file: " + outside.file("f.csv")) ==
        folder.file("m.yaml") + ":4:59: forces.f.value[0].table.file: '" + outside.file("f.csv") +
            "' is outside the model's folder (move it there, or allow it with "
            "--allow-outside)");
  CHECK(read_file("file: " + outside.file("f.csv"), {true}) == "read 2");
}
