// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Planar models: every joint and force against a spatial twin, a closed form or another way to build
// the same thing; momenta, energy, freedoms, attitude.
#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "support/random_model.hpp"
#include "support/reference.hpp"

using namespace trammel;

namespace {

Body make_body(const char* name, double mass, double inertia, Vec3 position, double angle = 0.0) {
  Body body;
  body.name = name;
  body.mass = mass;
  body.inertia = Mat3{{{inertia / 2, 0, 0}, {0, inertia / 2, 0}, {0, 0, inertia}}};
  body.position = position;
  body.orientation = {std::cos(angle / 2), 0, 0, std::sin(angle / 2)};
  return body;
}

Joint make_joint(const char* name, JointKind kind, const char* i, const char* j, Vec3 at,
                 std::optional<Vec3> axis = {}) {
  return {name, kind, i, j, WorldPlacement{at, axis, {}}};
}

Model make_planar_model(std::vector<Body> bodies, std::vector<Joint> joints) {
  Model model;
  model.dimension = 2;
  model.gravity = {0, -9.81, 0};
  model.bodies = std::move(bodies);
  model.joints = std::move(joints);
  model.simulation.t_end = 2.0;
  return model;
}

Results run(const Model& model, double tolerance = 1e-12) {
  const Results results = test::run(model, test::with_tolerance(model.simulation, tolerance));
  REQUIRE(results.status.outcome == Outcome::finished);
  return results;
}

// ∫ f over [a, b] by Simpson's rule
template <class Function>
double integrate(const Function& f, double a, double b) {
  const int n = 4000;
  const double h = (b - a) / n;
  double sum = f(a) + f(b);
  for (int k = 1; k < n; ++k) sum += (k % 2 == 0 ? 2.0 : 4.0) * f(a + k * h);
  return sum * h / 3.0;
}

}  // namespace

namespace {

// A swinging arm, a block that slides on it, a bob on the block, a plate welded to the bob; every
// kind of force. The twin in space says that the pins are about z.
Model make_machine(int dimension) {
  Model model = make_planar_model(
      {make_body("arm", 2.0, 0.3, {0.5, 0.2, 0}, 0.4),
       make_body("block", 1.0, 0.1, {0.8, 0.3, 0}, 1.0),
       make_body("bob", 0.5, 0.05, {0.9, -0.2, 0}, -2.0),
       make_body("plate", 0.3, 0.02, {1.1, -0.3, 0})},
      {make_joint("pivot", JointKind::revolute, "ground", "arm", {0, 0, 0}),
       make_joint("slide", JointKind::translational, "arm", "block", {0.7, 0.3, 0}, Vec3{2, 1, 0}),
       make_joint("pin", JointKind::revolute, "bob", "block", {0.8, 0.2, 0}),
       make_joint("weld", JointKind::fixed, "bob", "plate", {1.0, -0.2, 0})});
  model.dimension = dimension;
  if (dimension == 3) {
    for (Joint& joint : model.joints) {
      if (joint.kind != JointKind::revolute) continue;
      std::get<WorldPlacement>(joint.placement).axis = Vec3{0, 0, 1};
    }
  }
  model.forces = {
      {"spring", SpringDamper{"arm", "block", {0.1, 0, 0}, {0, 0.1, 0}, 60.0, 0.4, 0.2}},
      {"tether", SpringDamper{"ground", "plate", {1, 1, 0}, {0.05, 0, 0}, 5.0, 0.0, 0.5}},
      {"push", PointForce{"bob", Frame::world, {1.0, 2.0, 0}, {0.1, 0.1, 0}}},
      {"thrust", PointForce{"plate", Frame::body, {0.5, 0.2, 0}, {0, 0.1, 0}}},
      {"motor", Torque{"arm", Frame::world, {0, 0, 3.0}}},
      {"twist", Torque{"bob", Frame::body, {0, 0, -0.2}}},
      {"damper", RotationalDamper{"pivot", 0.1}},
      {"brake", RotationalDamper{"pin", 0.05}}};
  return model;
}

}  // namespace

TEST_CASE("joints and forces of the plane are those of space, about z") {
  const Results plane = run(make_machine(2)), space = run(make_machine(3));
  CHECK(plane.check.dof == 3);
  CHECK(space.check.dof == 3);
  CHECK(test::position_difference(plane, space) <= 1e-10);
  REQUIRE(plane.time == space.time);
  double position = 0, orientation = 0, spin = 0, force = 0, moment = 0, work = 0;
  const auto compare = [](double& worst, const std::vector<double>& a, const std::vector<double>& b,
                          std::size_t first, std::size_t step) {
    for (std::size_t k = first; k < a.size(); k += step) {
      worst = std::max(worst, std::abs(a[k] - b[k]));
    }
  };
  compare(position, plane.position, space.position, 0, 1);
  compare(orientation, plane.orientation, space.orientation, 0, 1);
  compare(spin, plane.angular_velocity, space.angular_velocity, 0, 1);
  compare(force, plane.reaction_force, space.reaction_force, 0, 1);
  compare(moment, plane.reaction_moment, space.reaction_moment, 2, 3);
  compare(work, plane.external_work, space.external_work, 0, 1);
  CHECK(position <= 1e-10);
  CHECK(orientation <= 1e-10);
  CHECK(spin <= 1e-9);
  CHECK(force <= 1e-8);
  CHECK(moment <= 1e-8);
  CHECK(work <= 1e-9);
}

TEST_CASE("translational: data in the bodies' frames and in the world are the same joint") {
  const Model world = make_machine(2);
  Model local = world;
  const double arm = 0.4, block = 1.0, line = std::atan2(1.0, 2.0);
  const auto turned = [](double angle, Vec3 v) {
    const double c = std::cos(angle), s = std::sin(angle);
    return Vec3{c * v[0] - s * v[1], s * v[0] + c * v[1], 0};
  };
  LocalPlacement placement;
  placement.point_i = turned(-arm, {0.7 - 0.5, 0.3 - 0.2, 0});
  placement.point_j = turned(-block, {0.7 - 0.8, 0.3 - 0.3, 0});
  placement.a_i = turned(line - arm, {0, 3, 0});     // normal to the line, any length
  placement.a_j = turned(line - block, {-2, 0, 0});  // along it, either way
  local.joints[1].placement = placement;
  CHECK(test::position_difference(run(world), run(local)) <= 1e-11);
}

TEST_CASE("revolute and fixed: two halves welded together swing like the whole bar") {
  const Body whole = make_body("bar", 2.0, 2.0 / 12, {0.5, 0, 0});
  const Body half = make_body("bar", 1.0, 1.0 / 48, {0.25, 0, 0});
  const Body end = make_body("end", 1.0, 1.0 / 48, {0.75, 0, 0}, 0.7);
  const Joint pivot = make_joint("pivot", JointKind::revolute, "ground", "bar", {0, 0, 0});
  const Model one = make_planar_model({whole}, {pivot});
  const Model two = make_planar_model(
      {half, end}, {pivot, make_joint("weld", JointKind::fixed, "bar", "end", {0.3, 0.1, 0})});
  const Results a = run(one), b = run(two);
  CHECK(a.check.dof == 1);
  CHECK(b.check.dof == 1);
  const Vec3 p = b.final[0].position, q = b.final[1].position;
  CHECK(test::distance(a.final[0].position, {(p[0] + q[0]) / 2, (p[1] + q[1]) / 2, 0}) <= 1e-11);
  CHECK(test::distance(a.final[0].orientation, b.final[0].orientation) <= 1e-11);
  // by vectors kept at right angles: the same weld
  Model vectors = two;
  LocalPlacement placement;
  placement.point_i = {0.3 - 0.25, 0.1, 0};
  placement.point_j = {std::cos(0.7) * (0.3 - 0.75) + std::sin(0.7) * 0.1,
                       -std::sin(0.7) * (0.3 - 0.75) + std::cos(0.7) * 0.1, 0};
  placement.a_i = Vec3{0, 1, 0};
  placement.a_j = Vec3{std::cos(0.7), -std::sin(0.7), 0};
  vectors.joints[1].placement = placement;
  CHECK(test::position_difference(b, run(vectors)) <= 1e-11);
}

TEST_CASE("distance: a mass on a massless rod is the pendulum of elliptic functions") {
  const double length = 0.8, start = 2.0, g = 9.81;  // rad from the lowest point
  Body mass = make_body("mass", 1.5, 0.1, {length * std::sin(start), -length * std::cos(start), 0});
  Model model =
      make_planar_model({mass}, {{"rod", JointKind::distance, "ground", "mass", LocalPlacement{}}});
  const double quarter = std::sqrt(length / g) * std::comp_ellint_1(std::sin(start / 2));
  model.simulation.t_end = quarter;  // at the lowest point
  const Results low = run(model);
  CHECK(low.check.dof == 2);  // the swing, and the mass about itself
  CHECK(test::distance(low.final[0].position, {0, -length, 0}) <= 1e-11);
  // there the rod carries the weight and the centrifugal force, upwards
  const double speed2 = 2 * g * length * (1 - std::cos(start));
  const double tension = low.reaction_force[low.reaction_force.size() - 2];
  CHECK(tension == doctest::Approx(1.5 * (g + speed2 / length)).epsilon(1e-11));
  model.simulation.t_end = 4 * quarter;
  const Results back = run(model);
  CHECK(test::distance(back.final[0].position, mass.position) <= 1e-11);
  CHECK(back.final[0].angular_velocity == Vec3{0, 0, 0});
  CHECK(back.violation.position <= 1e-14);
  // a length that the start does not have is reached by assembly
  model.joints[0].length = 1.0;
  const CheckReport report = check(compile(model));
  CHECK(report.ok());
  CHECK(report.assembly.moved_distance[0] == doctest::Approx(0.2).epsilon(1e-9));
}

TEST_CASE("point_on_line: a bead on a free rotating line, against quadrature") {
  const double I = 0.7, m = 0.4, rho_0 = 0.2, rate_0 = 0.3, omega_0 = 2.0, tilt = 0.5;
  const Vec3 n{std::cos(tilt), std::sin(tilt), 0};
  Body disc = make_body("disc", 3.0, I, {0, 0, 0});
  Body bead = make_body("bead", m, 0.01, {rho_0 * n[0], rho_0 * n[1], 0});
  disc.angular_velocity = {0, 0, omega_0};
  bead.velocity = {rate_0 * n[0] - omega_0 * rho_0 * n[1], rate_0 * n[1] + omega_0 * rho_0 * n[0],
                   0};
  Model model = make_planar_model(
      {disc, bead},
      {make_joint("axle", JointKind::revolute, "ground", "disc", {0, 0, 0}),
       make_joint("wire", JointKind::point_on_line, "disc", "bead", bead.position, n)});
  model.gravity = {0, 0, 0};
  model.simulation.t_end = 1.5;
  const Results results = run(model);
  CHECK(results.check.dof == 3);
  // (I + m ρ²) φ̇ = L and ½ m ρ̇² + ½ L²/(I + m ρ²) = E
  const double L = (I + m * rho_0 * rho_0) * omega_0;
  const double E = 0.5 * m * rate_0 * rate_0 + 0.5 * L * omega_0;
  const auto omega = [&](double rho) { return L / (I + m * rho * rho); };
  const auto rate = [&](double rho) { return std::sqrt((2 * E - L * omega(rho)) / m); };
  const Vec3& r = results.final[1].position;
  const double rho = std::hypot(r[0], r[1]);
  CHECK(integrate([&](double x) { return 1.0 / rate(x); }, rho_0, rho) ==
        doctest::Approx(1.5).epsilon(1e-11));
  const double phi = tilt + integrate([&](double x) { return omega(x) / rate(x); }, rho_0, rho);
  CHECK(test::distance(r, {rho * std::cos(phi), rho * std::sin(phi), 0}) <= 1e-10);
  CHECK(results.final[0].angular_velocity[2] == doctest::Approx(omega(rho)).epsilon(1e-11));
}

TEST_CASE("energy is held and a free group keeps its momenta") {
  Model model = make_planar_model(
      {make_body("a", 1.0, 0.2, {0, 0, 0}), make_body("b", 2.0, 0.1, {1, 0, 0}, 0.3),
       make_body("c", 0.5, 0.3, {2, 0.5, 0})},
      {make_joint("ab", JointKind::revolute, "a", "b", {0.5, 0, 0}),
       make_joint("bc", JointKind::point_on_line, "b", "c", {1.5, 0.2, 0}, Vec3{1, 1, 0})});
  model.gravity = {0, 0, 0};
  model.bodies[0].angular_velocity = {0, 0, 3.0};
  model.bodies[2].velocity = {0.5, -1.0, 0};
  model.forces = {{"spring", SpringDamper{"a", "c", {0, 0.1, 0}, {0, 0, 0}, 20.0, 0.0, 1.0}}};
  model.simulation.t_end = 5.0;
  model.simulation.hold_energy = true;
  const Results results = test::run(model, test::with_tolerance(model.simulation, 1e-7));
  REQUIRE(results.status.outcome == Outcome::finished);
  CHECK(results.check.dof == 6);
  CHECK(results.energy.balance_error_max <= 1e-13 * results.energy.kinetic_max);
  const std::size_t n = 3;
  const auto momenta = [&](std::size_t row) {
    Vec3 sum{};
    for (std::size_t b = 0; b < n; ++b) {
      const double* r = results.position.data() + 3 * (row * n + b);
      const double* v = results.velocity.data() + 3 * (row * n + b);
      const double mass = *model.bodies[b].mass, inertia = (*model.bodies[b].inertia)[2][2];
      sum[0] += mass * v[0];
      sum[1] += mass * v[1];
      sum[2] += mass * (r[0] * v[1] - r[1] * v[0]) +
                inertia * results.angular_velocity[3 * (row * n + b) + 2];
    }
    return sum;
  };
  for (std::size_t row = 0; row < results.time.size(); row += 100) {
    const Vec3 now = momenta(row), start = momenta(0);
    CHECK(std::abs(now[0] - start[0]) <= 1e-12);
    CHECK(std::abs(now[1] - start[1]) <= 1e-12);
    CHECK(std::abs(now[2] - start[2]) <= 1e-5);  // by the tolerance of the run
  }
  model.simulation.hold_energy = false;
  const Results loose = test::run(model, test::with_tolerance(model.simulation, 1e-7));
  CHECK(loose.energy.balance_error_max > 1e-9 * loose.energy.kinetic_max);
}

TEST_CASE("planar momenta and a user's function are held when asked") {
  Model model = make_planar_model(
      {make_body("a", 1.0, 0.2, {0, 0, 0}), make_body("b", 2.0, 0.1, {1, 0, 0}, 0.3),
       make_body("c", 0.5, 0.3, {2, 0.5, 0})},
      {make_joint("ab", JointKind::revolute, "a", "b", {0.5, 0, 0}),
       make_joint("bc", JointKind::revolute, "b", "c", {1.5, 0.2, 0})});
  model.bodies[0].angular_velocity = {0, 0, 3.0};
  model.bodies[2].velocity = {0.5, -1.0, 0};
  model.simulation.t_end = 5.0;
  // P − M g t, and L about the centre of mass
  const auto momenta = [&](const std::vector<BodyState>& states, double t) {
    Vec3 sum{}, centre{};
    double mass = 0.0;
    for (std::size_t b = 0; b < states.size(); ++b) {
      const double m = *model.bodies[b].mass;
      mass += m;
      for (int k = 0; k < 2; ++k) {
        centre[k] += m * states[b].position[k];
        sum[k] += m * states[b].velocity[k];
      }
    }
    for (std::size_t b = 0; b < states.size(); ++b) {
      const double m = *model.bodies[b].mass;
      const double x = states[b].position[0] - centre[0] / mass;
      const double y = states[b].position[1] - centre[1] / mass;
      sum[2] += m * (x * (states[b].velocity[1] - sum[1] / mass) -
                     y * (states[b].velocity[0] - sum[0] / mass)) +
                (*model.bodies[b].inertia)[2][2] * states[b].angular_velocity[2];
    }
    sum[1] += mass * 9.81 * t;
    return sum;
  };
  const auto error = [&](const Results& results) {
    const std::size_t n = model.bodies.size();
    std::vector<BodyState> states(n);
    Vec3 start{};
    double largest = 0.0;
    for (std::size_t row = 0; row < results.time.size(); ++row) {
      for (std::size_t b = 0; b < n; ++b) {
        const std::size_t at = 3 * (row * n + b);
        std::copy_n(results.position.begin() + at, 3, states[b].position.begin());
        std::copy_n(results.velocity.begin() + at, 3, states[b].velocity.begin());
        std::copy_n(results.angular_velocity.begin() + at, 3, states[b].angular_velocity.begin());
      }
      const Vec3 now = momenta(states, results.time[row]);
      if (row == 0) start = now;
      const double scale = 3.5 * 9.81 * results.time[row] + 1.0;
      largest = std::max(largest, test::distance(now, start) / scale);
    }
    return largest;
  };
  SimulationOptions options = test::with_tolerance(model.simulation, 1e-6);
  const double loose = error(test::run(model, options));
  CHECK(loose > 1e-11);
  options.hold_linear_momentum = options.hold_angular_momentum = true;
  const Results held = test::run(model, options);
  MESSAGE("momenta ", loose, " -> ", error(held));
  CHECK(error(held) <= 1e-13);
  for (const std::string& warning : held.warnings) {
    CHECK(warning.find("enforced") == std::string::npos);
  }
  options.hold_energy = true;
  CHECK(error(test::run(model, options)) <= 1e-13);

  // the same L as a function of the user's
  options = test::with_tolerance(model.simulation, 1e-6);
  options.user_invariants = {
      {"L", [&](const std::vector<BodyState>& states) { return momenta(states, 0.0)[2]; }}};
  const Results by_user = test::run(model, options);
  CHECK(std::abs(momenta(by_user.final, 5.0)[2] - momenta(held.final, 5.0)[2]) <= 1e-10);
  CHECK(error(by_user) <= 1e-3 * loose);

  // about one revolute joint of the ground, without gravity
  model.gravity = {0, 0, 0};
  model.joints.push_back(make_joint("pivot", JointKind::revolute, "ground", "a", {0, 0, 0}));
  const auto spin = [&](const std::vector<BodyState>& states) {
    double sum = 0.0;
    for (std::size_t b = 0; b < states.size(); ++b) {
      sum += *model.bodies[b].mass * (states[b].position[0] * states[b].velocity[1] -
                                      states[b].position[1] * states[b].velocity[0]) +
             (*model.bodies[b].inertia)[2][2] * states[b].angular_velocity[2];
    }
    return sum;
  };
  options = test::with_tolerance(model.simulation, 1e-6);
  const auto drift = [&](const Results& results) {
    std::vector<BodyState> first = results.final;
    for (std::size_t b = 0; b < 3; ++b) {
      std::copy_n(results.position.begin() + 3 * b, 3, first[b].position.begin());
      std::copy_n(results.velocity.begin() + 3 * b, 3, first[b].velocity.begin());
      std::copy_n(results.angular_velocity.begin() + 3 * b, 3, first[b].angular_velocity.begin());
    }
    return std::abs(spin(results.final) - spin(first)) / std::abs(spin(first));
  };
  CHECK(drift(test::run(model, options)) > 1e-10);
  options.hold_angular_momentum = true;
  CHECK(drift(test::run(model, options)) <= 1e-13);
}

TEST_CASE("degrees of freedom are 3 n - rank, and repeated constraints are named") {
  test::Random random(12);
  constexpr std::array<JointKind, 5> kinds = {JointKind::revolute, JointKind::translational,
                                              JointKind::fixed, JointKind::point_on_line,
                                              JointKind::distance};
  constexpr std::array<int, 5> rows = {2, 2, 3, 1, 1};
  for (int trial = 0; trial < 40; ++trial) {
    const int n = 1 + trial % 7;
    Model model = make_planar_model({}, {});
    int expected = 0;
    for (int b = 0; b < n; ++b) {
      const std::string name = "body" + std::to_string(b);
      const std::string before = b == 0 ? ground : "body" + std::to_string(b - 1);
      model.bodies.push_back(test::make_random_planar_body(random, name));
      const std::size_t kind = static_cast<std::size_t>(random.uniform(0, 5));
      Joint joint = test::make_random_joint(random, "joint" + std::to_string(b), kinds[kind],
                                            before, name, true);
      joint.length.reset();
      if (joint.kind != JointKind::distance) {
        std::optional<Vec3> axis;
        if (kind == 1 || kind == 3) axis = test::in_plane(random.unit_vector());
        joint.placement = WorldPlacement{test::in_plane(random.vector()), axis, {}};
      }
      model.joints.push_back(joint);
      expected += 3 - rows[kind];
    }
    const CheckReport report = check(compile(model));
    CHECK(report.ok());
    CHECK(report.is_structure() == (expected == 0));
    CHECK(report.dof == expected);
    CHECK(report.assembly.residual_before <= 1e-15);
  }
  // two pins on the same two bodies: the second one fixes the distance twice
  const Model twice =
      make_planar_model({make_body("b", 1, 1, {0, 0, 0})},
                        {make_joint("one", JointKind::revolute, "ground", "b", {0, 0, 0}),
                         make_joint("two", JointKind::revolute, "ground", "b", {1, 0, 0})});
  const CheckReport report = check(compile(twice));
  CHECK(report.dof == 0);
  CHECK(report.rank == 3);
  REQUIRE(report.dependent.size() == 1);
  CHECK(report.dependent[0].row == "two.C.x");
  CHECK(report.reasons.empty());
  CHECK(report.is_structure());
}

TEST_CASE("Euler parameters of a planar body go on over many turns without a jump") {
  Model model = make_planar_model({make_body("wheel", 1.0, 1.0, {0, 0, 0}, -3.0)}, {});
  model.gravity = {0, 0, 0};
  model.bodies[0].angular_velocity = {0, 0, 20.0};
  model.simulation.t_end = 10.0;
  const Results results = run(model, 1e-9);
  CHECK(results.check.dof == 3);
  for (std::size_t row = 0; row + 1 < results.time.size(); ++row) {
    const double* q = results.orientation.data() + 4 * row;
    CHECK(q[0] * q[4] + q[3] * q[7] > 0.9);
    CHECK(q[1] == 0.0);
    CHECK(q[2] == 0.0);
  }
  const double half = (200.0 - 3.0) / 2;
  CHECK(test::distance(results.final[0].orientation, {std::cos(half), 0, 0, std::sin(half)}) <=
        1e-9);
}

TEST_CASE("a planar angle keeps its digits over thousands of turns") {
  Model model;
  model.dimension = 2;
  Body rotor;
  rotor.name = "rotor";
  rotor.mass = 1.0;
  rotor.inertia = Mat3{{{0.1, 0, 0}, {0, 0.1, 0}, {0, 0, 0.1}}};
  rotor.position = {0.5, 0, 0};
  rotor.velocity = {0, 50, 0};
  rotor.angular_velocity = {0, 0, 100};
  model.bodies = {rotor};
  model.joints = {{"shaft", JointKind::revolute, "ground", "rotor", WorldPlacement{}}};
  model.simulation = test::with_tolerance(model.simulation, 1e-9);
  model.simulation.t_end = 200;
  model.simulation.output_interval = 0.02;
  const Results run = test::run(model, model.simulation);
  REQUIRE(run.status.outcome == Outcome::finished);
  CHECK(run.warnings.empty());
  CHECK(run.violation.position <= 1e-13);  // 20,000 rad are known to 4e-12 only
  double jump = 0.0;
  for (std::size_t row = 0; row < run.time.size(); ++row) {
    CHECK(std::abs(run.coordinate[row] - 100 * run.time[row]) <= 1e-3);
    // θ goes on without a change of sign: half of 2 rad between two rows
    if (row == 0) continue;
    const double *now = &run.orientation[4 * row], *before = &run.orientation[4 * (row - 1)];
    jump = std::max(jump, std::abs(now[0] * before[0] + now[3] * before[3] - std::cos(1.0)));
  }
  CHECK(jump <= 1e-6);
}
