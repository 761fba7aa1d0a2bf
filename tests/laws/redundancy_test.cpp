// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Redundant constraints: the right motion, named rows, reactions shared as symmetry says, in any
// units.
#include <doctest/doctest.h>

#include <algorithm>

#include "integrate/loop.hpp"
#include "integrate/steppers/explicit_rk.hpp"
#include "manifold/assembly.hpp"
#include "problem/mechanical_problem.hpp"
#include "support/balance.hpp"
#include "system/frames.hpp"
#include "system/row_names.hpp"

using namespace trammel;

namespace {

// Units of length and mass in m and kg; the second stays.
struct Units {
  double length = 1.0;
  double mass = 1.0;
};

Vec3 times(double factor, const Vec3& v) { return {factor * v[0], factor * v[1], factor * v[2]}; }

// The same mechanism written in other units.
Model in_units(Model model, Units units) {
  const double L = 1.0 / units.length, m = 1.0 / units.mass;
  model.gravity = times(L, model.gravity);
  for (Body& body : model.bodies) {
    body.mass = m * *body.mass;
    for (Vec3& row : *body.inertia) row = times(m * L * L, row);
    body.position = times(L, body.position);
    body.velocity = times(L, body.velocity);
  }
  for (Joint& joint : model.joints) {
    if (auto* local = std::get_if<LocalPlacement>(&joint.placement)) {
      local->point_i = times(L, local->point_i);
      local->point_j = times(L, local->point_j);
    } else {
      auto& world = std::get<WorldPlacement>(joint.placement);
      world.point = times(L, world.point);
    }
  }
  for (Force& force : model.forces) {
    if (auto* torque = std::get_if<Torque>(&force.law))
      torque->value = times(m * L * L, torque->value);
  }
  return model;
}

Model make_door(int hinges, double tilt = 0.0) {
  Model model;
  model.gravity = {0, 2, -9.81};
  Body door;
  door.name = "door";
  door.mass = 20.0;
  door.inertia = Mat3{{{8, 0, 0}, {0, 10, 0}, {0, 0, 2}}};
  door.position = {0.5, 0, 0};
  model.bodies = {door};
  for (int k = 0; k < hinges; ++k) {
    const double z = hinges == 1 ? 0.0 : -0.8 + 1.6 * k / (hinges - 1);
    model.joints.push_back({"hinge_" + std::to_string(k + 1), JointKind::revolute, "ground", "door",
                            WorldPlacement{{0, 0, z}, Vec3{k == 0 ? 0.0 : tilt, 0, 1}, {}}});
  }
  return model;
}

// The paper's quadrangle; with hinges everywhere 3 of 20 rows are redundant.
Model make_four_bar(bool all_revolute) {
  Model model = test::read_repository_model("paper/quadrangle.yaml");
  if (!all_revolute) return model;
  for (Joint& joint : model.joints) {
    auto& local = std::get<LocalPlacement>(joint.placement);
    if (joint.kind == JointKind::revolute) continue;
    joint.kind = JointKind::revolute;
    local.a_i = Vec3{1, 0, 0};
    local.b_i = Vec3{0, 1, 0};
    local.a_j = Vec3{0, 0, 1};
  }
  return model;
}

// A plate between two planes z = 0 and z = height: as drawn both say the same of its velocity, and at
// any tilt θ they contradict each other, by height·(1 − cos θ) and at the rate height·sin θ·θ̇. The moment
// of gravity about its first point tilts it.
Model make_plate(double height) {
  Model model;
  model.gravity = {0, 0, -9.81};
  Body plate;
  plate.name = "plate";
  plate.mass = 1.0;
  plate.inertia = Mat3{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  plate.position = {1, 0, 0};
  model.bodies = {plate};
  for (const double z : {0.0, height}) {
    model.joints.push_back({z == 0.0 ? "low" : "high", JointKind::point_in_plane, "ground", "plate",
                            WorldPlacement{{0, 0, z}, Vec3{0, 0, 1}, {}}});
  }
  return model;
}

// A carriage that slides along x on two parallel guides.
Model make_carriage() {
  Model model;
  model.gravity = {1.5, 0, -9.81};
  Body body;
  body.name = "carriage";
  body.mass = 3.0;
  body.inertia = Mat3{{{0.1, 0, 0}, {0, 0.2, 0}, {0, 0, 0.3}}};
  body.position = {0, 0, 0.1};
  model.bodies = {body};
  model.joints = {{"left", JointKind::translational, "ground", "carriage",
                   WorldPlacement{{0, 0.4, 0}, Vec3{1, 0, 0}, {}}},
                  {"right", JointKind::translational, "ground", "carriage",
                   WorldPlacement{{0, -0.4, 0}, Vec3{1, 0, 0}, {}}}};
  return model;
}

// A table on four legs, each with a ball in a shoe that slides along x on the floor.
Model make_table() {
  Model model;
  model.gravity = {1, 0, -9.81};
  Body top;
  top.name = "table";
  top.mass = 40.0;
  top.inertia = Mat3{{{6, 0, 0}, {0, 12, 0}, {0, 0, 16}}};
  top.position = {0, 0, 0.7};
  model.bodies = {top};
  for (int k = 0; k < 4; ++k) {
    const Vec3 at{k % 2 == 0 ? -0.8 : 0.8, k < 2 ? -0.5 : 0.5, 0};
    Body shoe;
    shoe.name = "shoe_" + std::to_string(k);
    shoe.mass = 0.5;
    shoe.inertia = Mat3{{{1e-3, 0, 0}, {0, 1e-3, 0}, {0, 0, 1e-3}}};
    shoe.position = at;
    model.bodies.push_back(shoe);
    const std::string name = std::to_string(k);
    model.joints.push_back({"guide_" + name, JointKind::translational, "ground", shoe.name,
                            WorldPlacement{at, Vec3{1, 0, 0}, {}}});
    model.joints.push_back(
        {"foot_" + name, JointKind::spherical, shoe.name, "table", WorldPlacement{at, {}, {}}});
  }
  return model;
}

Vec3 force_of(const Results& results, std::size_t row, std::size_t joint) {
  const std::size_t at = 3 * (row * results.joint_names.size() + joint);
  return {results.reaction_force[at], results.reaction_force[at + 1],
          results.reaction_force[at + 2]};
}
Vec3 moment_of(const Results& results, std::size_t row, std::size_t joint) {
  const std::size_t at = 3 * (row * results.joint_names.size() + joint);
  return {results.reaction_moment[at], results.reaction_moment[at + 1],
          results.reaction_moment[at + 2]};
}

Results run_for(const Model& model, double t_end, double tolerance = 1e-11) {
  SimulationOptions options = test::with_tolerance(model.simulation, tolerance);
  options.t_end = t_end;
  options.output_interval = t_end / 20;
  options.hold_energy = false;
  return test::run(model, options);
}

}  // namespace

TEST_CASE("a door on two hinges: rank 5 of 10, rows named, the motion of a door on one") {
  const CheckReport report = check(compile(make_door(2)));
  CHECK(report.ok());
  CHECK(report.rows == 10);
  CHECK(report.rank == 5);
  CHECK(report.dof == 1);
  REQUIRE(report.dependent.size() == 5);
  for (const Dependency& dependency : report.dependent) {
    REQUIRE(!dependency.on.empty());
    CHECK(dependency.mismatch <= 1e-15);
    // the rows it repeats belong to the other hinge
    CHECK(dependency.row.substr(0, 7) != dependency.on[0].row.substr(0, 7));
  }
  // all but the moment about the hinge's axis, of which there is none, are shared
  CHECK(report.shared_rows.size() == 10);
  const Results one = run_for(make_door(1), 5), two = run_for(make_door(2), 5);
  CHECK(test::position_difference(one, two) < 1e-9);
  CHECK(two.violation.position < 1e-13);
}

TEST_CASE("five equal hinges carry a fifth of the axial load each") {
  const Model model = make_door(5);
  const Results results = run_for(model, 2);
  CHECK(results.check.rank == 5);
  CHECK(test::position_difference(results, run_for(make_door(1), 2)) < 1e-9);
  for (std::size_t row = 0; row < results.time.size(); ++row) {
    const double weight = 20.0 * 9.81;
    double sum = 0.0;
    for (std::size_t k = 0; k < 5; ++k) {
      CHECK(force_of(results, row, k)[2] == doctest::Approx(weight / 5).epsilon(1e-10));
      sum += force_of(results, row, k)[2];
      CHECK(test::distance(moment_of(results, row, k), moment_of(results, row, 0)) < 1e-9);
    }
    CHECK(sum == doctest::Approx(weight).epsilon(1e-12));
    CHECK(test::calc_imbalance(model, results, row) < 1e-11);
  }
}

TEST_CASE("four revolute joints: 20 rows, rank 17, the motion of the quadrangle with 17 rows") {
  const Model redundant = make_four_bar(true);
  const CheckReport report = check(compile(redundant));
  CHECK(report.ok());
  CHECK(report.rows == 20);
  CHECK(report.rank == 17);
  CHECK(report.dof == 1);
  const Results a = run_for(redundant, 5, 1e-12), b = run_for(make_four_bar(false), 5, 1e-12);
  REQUIRE(a.status.outcome == Outcome::finished);
  CHECK(test::position_difference(a, b) < 1e-9);
  CHECK(a.violation.position < 1e-12);
  const double torque = -1200;
  for (std::size_t row = 0; row < a.time.size(); ++row) {
    const double imbalance =
        test::calc_imbalance(redundant, a, row, [&](std::size_t body, const BodyState&) {
          return body == 0 ? test::Load{{}, {0, 0, torque}} : test::Load{};
        });
    CHECK(imbalance < 1e-9);
    // the loads lie in the plane, and so do the forces
    for (std::size_t k = 0; k < 4; ++k) CHECK(std::abs(force_of(a, row, k)[2]) < 1e-7);
  }
}

TEST_CASE("a load out of the plane: right whatever the order of the joints, and so the rows kept") {
  Model model = make_four_bar(true), plain = make_four_bar(false);
  model.gravity = plain.gravity = {0, -9.81, 5};
  const Results b = run_for(plain, 5, 1e-11);
  const auto by_name = [](const Joint& x, const Joint& y) { return x.name < y.name; };
  std::sort(model.joints.begin(), model.joints.end(), by_name);
  do {
    const Results a = run_for(model, 5, 1e-11);
    REQUIRE(a.status.outcome == Outcome::finished);
    CHECK(test::position_difference(a, b) < 1e-8);
    CHECK(a.violation.position < 1e-12);
  } while (std::next_permutation(model.joints.begin(), model.joints.end(), by_name));
}

TEST_CASE("a base set that becomes dependent while all rows together do not is exchanged") {
  // Hinge 1 without its second direction, hinge 3 without both: dependent at t = 1.848 s, where the
  // smallest singular value of all 20 rows is 0.024.
  Model model = make_four_bar(true), plain = make_four_bar(false);
  model.gravity = plain.gravity = {0, -9.81, 5};
  const System handle = compile(model);
  const SystemIn<Spatial>& system = as_spatial(handle.data());
  AssembledState start = assemble(system);
  for (int r = 0; r < 20; ++r)
    start.rank.mask[r] = r == 4 || r == 13 || r == 14 ? row_left_out : 1.0;
  start.rank.dependent = {{4, {}, 0.0, 0.0}, {13, {}, 0.0, 0.0}, {14, {}, 0.0, 0.0}};
  REQUIRE(make_row_name(system, 4) == "base_1.SO(b,a)");
  REQUIRE(make_row_name(system, 13) == "pin_23.SO(a,a)");

  const SimulationOptions options = test::with_tolerance({}, 1e-10);
  MechanicalProblem<Spatial> problem(system, options, ProblemSettings{&start.rank});
  std::vector<double> rate(start.z.size());
  REQUIRE(problem.start(start.z.data(), rate.data()));
  struct Nobody {
    bool on_step(const StepReport&) { return true; }
    double next_output() const { return 1e9; }
    void on_output(double, double, double*) {}
  } nobody;
  ExplicitRungeKutta stepper(dop853(), problem);
  Loop loop(LoopSettings{}, stepper, nobody);
  REQUIRE(loop.run(5.0, start.z.data(), rate.data()) == Stop::finished);
  MESSAGE("exchanges: ", problem.point().rows.n_exchanges(),
          ", passages: ", problem.point().rows.n_passages());
  CHECK(problem.point().rows.n_exchanges() > 0);
  const Results reference = run_for(plain, 5, 1e-11);
  for (int b = 0; b < 3; ++b) {
    CHECK(test::distance(export_body(system, start.z.data(), b).position,
                         reference.final[b].position) < 1e-7);
  }
}

TEST_CASE("a carriage on two parallel guides: half the load each") {
  const Model model = make_carriage();
  const Results results = run_for(model, 1);
  CHECK(results.check.rank == 5);
  CHECK(results.check.dof == 1);
  CHECK(results.final[0].position[0] == doctest::Approx(0.75).epsilon(1e-12));
  for (std::size_t row = 0; row < results.time.size(); ++row) {
    for (std::size_t k = 0; k < 2; ++k) {
      CHECK(force_of(results, row, k)[2] == doctest::Approx(3.0 * 9.81 / 2).epsilon(1e-10));
    }
    CHECK(test::calc_imbalance(model, results, row) < 1e-11);
  }
}

TEST_CASE("a table on four legs slides, and each leg carries a quarter") {
  const Model model = make_table();
  const Results results = run_for(model, 1);
  REQUIRE(results.status.outcome == Outcome::finished);
  CHECK(results.check.rows == 32);
  CHECK(results.check.dof == 1);
  CHECK(results.check.rank == 29);
  CHECK(results.final[0].position[0] == doctest::Approx(0.5).epsilon(1e-12));
  for (std::size_t row = 0; row < results.time.size(); ++row) {
    for (std::size_t k = 0; k < 4; ++k) {
      CHECK(force_of(results, row, 2 * k + 1)[2] == doctest::Approx(98.1).epsilon(1e-9));
    }
    CHECK(test::calc_imbalance(model, results, row) < 1e-10);
  }
}

TEST_CASE("compliances of the joints share the load otherwise: by their stiffness") {
  Model model = make_carriage();
  model.joints[0].compliance = Joint::Compliance{1e-6, 1e-3};
  model.joints[1].compliance = Joint::Compliance{3e-6, 3e-3};
  model.gravity = {0, 0, -9.81};
  model.bodies[0].position = {0, 0, 0};
  const Results results = run_for(model, 0.1);
  // moments may take part: the balance about x is F_left·0.4 − F_right·0.4 + M_left + M_right = 0
  const Vec3 left = force_of(results, 0, 0), right = force_of(results, 0, 1);
  CHECK(left[2] + right[2] == doctest::Approx(3.0 * 9.81).epsilon(1e-12));
  CHECK(left[2] > right[2]);
  // minimum of Σ c_F F² + c_M M²: gradient along the null directions vanishes. One of them moves
  // force dF from right to left and takes 0.8 dF as moments about x at both guides.
  const double m_left = moment_of(results, 0, 0)[0], m_right = moment_of(results, 0, 1)[0];
  const double along = 1e-6 * left[2] - 3e-6 * right[2];
  CHECK(along - 0.8 * 1e-3 * m_left == doctest::Approx(0.0).epsilon(1e-12));
  CHECK(along - 0.8 * 3e-3 * m_right == doctest::Approx(0.0).epsilon(1e-12));
}

TEST_CASE(
    "millimetres and tonnes instead of metres and kilograms: the same motion, rank, reactions") {
  const Units mm_t{1e-3, 1e3};
  for (const Model& model : {make_door(5), make_four_bar(true), make_table(), make_carriage()}) {
    const Results si = run_for(model, 1, 1e-12), other = run_for(in_units(model, mm_t), 1, 1e-12);
    REQUIRE(other.status.outcome == Outcome::finished);
    CHECK(si.check.rank == other.check.rank);
    for (std::size_t b = 0; b < si.final.size(); ++b) {
      CHECK(test::distance(si.final[b].position, times(1e-3, other.final[b].position)) < 1e-9);
    }
    // N = kg m/s² = t mm/s², N m = 1000 N mm
    const std::size_t last = si.time.size() - 1;
    for (std::size_t k = 0; k < si.joint_names.size(); ++k) {
      const Vec3 F = force_of(si, last, k), M = moment_of(si, last, k);
      const double size = 1.0 + std::abs(F[0]) + std::abs(F[1]) + std::abs(F[2]);
      CHECK(test::distance(F, force_of(other, last, k)) < 1e-7 * size);
      CHECK(test::distance(M, times(1e-3, moment_of(other, last, k))) < 1e-7 * size);
    }
  }
}

TEST_CASE("axes slightly out of line: treated as aligned, with a warning that names the row") {
  const CheckReport report = check(compile(make_door(2, 3e-4)));
  CHECK(report.ok());
  CHECK(report.rank == 5);
  REQUIRE(!report.warnings.empty());
  CHECK(report.warnings[0].rfind("redundant constraints do not quite agree: hinge_", 0) == 0);
  const Results tilted = run_for(make_door(2, 3e-4), 3), straight = run_for(make_door(1), 3);
  REQUIRE(tilted.status.outcome == Outcome::finished);
  CHECK(test::position_difference(tilted, straight) < 1e-3);
  // the violation that is printed covers the open row
  CHECK(tilted.violation.position > 1e-4);
  CHECK(tilted.violation.position < 1e-3);
}

TEST_CASE("joints that contradict each other by more than the tolerance are refused by name") {
  Model model = make_door(2, 5e-4);
  model.redundancy_tolerance = 1e-4;
  const CheckReport report = check(compile(model));
  REQUIRE(!report.ok());
  CHECK(report.reasons[0].rfind("contradictory constraints: hinge_", 0) == 0);
  CHECK(report.reasons[0].find("out of line by") != std::string::npos);
}

TEST_CASE("a redundant row whose points move apart ends the run before they are open") {
  for (const double metres : {1.0, 1e-3, 0.3048}) {
    for (const KernelChoice kernel : {KernelChoice::loops, KernelChoice::automatic}) {
      CAPTURE(metres);
      Model model = in_units(make_plate(0.1), {metres, 1.0});
      SimulationOptions options = test::with_tolerance(model.simulation, 1e-8);
      options.kernel = kernel;
      // θ = ½ α t²: open by more than 1e-6 m from 0.04 s on
      options.t_end = 0.03;
      options.output_interval = 1e-3;
      const Results results = test::run(model, options);
      CHECK(results.violation.position < 1e-6 / metres);
      CHECK(results.status.outcome == Outcome::open_joint);
      CHECK(results.status.message.find("high.O(a) opens at ") != std::string::npos);
      CHECK(results.status.message.find(" m/s") != std::string::npos);
      // the limit: 1e-6 per second of a motion that is slow, 1e-5 per radian of one that is not
      CHECK(results.violation.velocity < 1.1e-6 / metres);
      CHECK(results.status.t > 5e-4);
    }
  }
  // planes that are as near as that part of the plate never move apart by more
  const Results thin = run_for(make_plate(1e-6), 0.5);
  CHECK(thin.status.outcome == Outcome::finished);
}

TEST_CASE("without projection a run whose points move apart does not finish as if they did not") {
  Model model = make_plate(0.1);
  model.simulation.projection = Projection::none;
  const Results results = run_for(model, 0.03);
  CHECK(results.violation.position < 1e-6);
  CHECK(results.status.outcome == Outcome::open_joint);
  CHECK(results.status.t == doctest::Approx(0.03));
}

TEST_CASE("a door with a stop is a structure, and with a driver locked") {
  Model model = make_door(1);
  model.joints.push_back(
      {"stop", JointKind::spherical, "ground", "door", WorldPlacement{{1, 0, 0}, {}, {}}});
  const CheckReport report = check(compile(model));
  CHECK(report.dof == 0);
  CHECK(report.ok());
  CHECK(report.is_structure());
  model.drivers = {
      {"motor", JointDriver{model.joints[0].name, JointCoordinate::angle, "t", false}}};
  const CheckReport driven = check(compile(model));
  REQUIRE(!driven.ok());
  CHECK(driven.reasons[0].rfind("locked", 0) == 0);
}

TEST_CASE("neighbours with a mass ratio of a million, the heavy one inside or outside") {
  for (const double ratio : {1e-6, 1e-3, 1e3, 1e6}) {
    Model model = test::read_repository_model("gallery/double_pendulum.yaml");
    model.forces.clear();
    model.bodies[1].shapes[0].density = 7700 * ratio;
    const Results results = run_for(model, 1, 1e-11);
    REQUIRE(results.status.outcome == Outcome::finished);
    CHECK(results.violation.position < 1e-12);
    CHECK(results.energy.balance_error_max < 1e-9 * results.energy.kinetic_max);
  }
}

TEST_CASE("the paper's projections refuse redundant constraints") {
  SimulationOptions options;
  options.projection = Projection::orthogonal;
  CHECK_THROWS_AS(test::run(make_door(2), options), ModelError);
}
