// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Every force element, in space and in the plane: its force is minus the gradient of its potential,
// its power is that of its force, forces between two bodies cancel, and T + U − W stays.
#include <doctest/doctest.h>

#include <cmath>

#include "evaluate/forces.hpp"
#include "evaluate/joint_rows.hpp"
#include "problem/mechanical_problem.hpp"
#include "support/random_model.hpp"
#include "support/reference.hpp"

using namespace trammel;
using test::Random;

namespace {

Mat6 make_stiff(Random& random, double size) {
  // A Aᵀ: symmetric, positive, with all couplings
  double a[6][6];
  for (auto& row : a) {
    for (double& x : row) x = random.uniform(-1, 1);
  }
  Mat6 matrix{};
  for (int r = 0; r < 6; ++r) {
    for (int c = 0; c < 6; ++c) {
      for (int k = 0; k < 6; ++k) matrix[r][c] += size * a[r][k] * a[c][k];
    }
  }
  return matrix;
}

DataTable make_table() {
  DataTable table;
  table.x = {0.0, 0.4, 1.0, 2.0, 3.5, 6.0};
  table.y = {-2.0, -1.0, 0.5, 4.0, 5.0, 9.0};
  table.beyond = TableBeyond::linear;
  table.interpolation = Interpolation::cubic;
  return table;
}

// Bodies a and b, with some of the plane's third components cut off.
struct Pair {
  bool planar;
  Random random;
  Model model;

  Pair(bool planar_, unsigned seed) : planar(planar_), random(seed) {
    model.dimension = planar ? 2 : 3;
    model.gravity = cut(random.vector(5.0));
    for (const char* name : {"a", "b"}) {
      model.bodies.push_back(planar ? test::make_random_planar_body(random, name)
                                    : test::make_random_body(random, name));
    }
  }
  Vec3 cut(const Vec3& v) const { return planar ? test::in_plane(v) : v; }
  Vec3 point() { return cut(random.vector()); }
  void add(Force force) {
    force.name += std::to_string(model.forces.size());
    model.forces.push_back(std::move(force));
  }

  void add_bushing(const char* i, const char* j, bool damped) {
    Bushing bushing;
    bushing.body_i = i;
    bushing.body_j = j;
    bushing.point_i = point();
    bushing.point_j = point();
    if (!planar) bushing.orientation = random.orientation();
    bushing.stiffness = make_stiff(random, 3.0);
    if (damped) bushing.damping = make_stiff(random, 0.5);
    add({"bushing", bushing});
  }
  void add_potentials(const char* i, const char* j) {
    add({"table", NonlinearSpring{i, j, point(), point(), Function(make_table()), {}, 0.0}});
    add({"energy", NonlinearSpring{i,
                                   j,
                                   point(),
                                   point(),
                                   {},
                                   Function("2*length^2 + 0.3*cos(3*length) + length^4/8"),
                                   0.0}});
    add_bushing(i, j, false);
    add({"pull", Gravitation{i, j, point(), 7.0}});
    add({"spring", SpringDamper{i, j, point(), point(), 6.0, 0.0, 0.7}});
    add({"stop", EndStop{between(i, j), Range{5.0, 7.0}, {4.0, 0.0, 2.0}}});
    add({"cable", OneSidedSpring{between(i, j), false, 0.1, {3.0, 0.0, 0.6}}});
    add({"play", Backlash{between(i, j), 0.2, 0.3, {3.0, 0.0, 0.4}}});
    add({"strut", GasStrut{between(i, j), 6.0, 5.9, 2.0, 3.0, 0.0, {5.0, 0.0, 1.0}}});
  }
  // A distance that a force acts along.
  Along between(const char* i, const char* j) { return {"", {}, i, j, point(), point()}; }
  void add_others(const char* i, const char* j) {
    add({"tension", NonlinearSpring{i,
                                    j,
                                    point(),
                                    point(),
                                    Function("3*(length - 1) + 0.4*rate + 0.1*rate^3 + sin(t)"),
                                    {},
                                    0.2}});
    add_bushing(i, j, true);
    add({"drag", Drag{"b", 0.3, 0.2}});
    add({"air", AerodynamicDrag{"b", 0.8, 0.4, 1.2, point(), cut({2.0, -1.0, 0.5})}});
    VariableForce force;
    force.body = "b";
    force.value = {Function("2*sin(3*t) - a.position.x"),
                   Function("-0.5*b.velocity.y + a.velocity.x"), Function(0.0)};
    if (!planar) force.value[2] = Function("exp(-t)*b.angular_velocity.z");
    force.point = point();
    add({"push", force});
    force.frame = Frame::body;
    force.body = "a";
    force.value[1] = Function(1.5);
    add({"follower", force});
    VariableTorque torque;
    torque.body = "a";
    torque.value = {Function(0.0), Function(0.0), Function("cos(t)*(1 + b.position.y)")};
    if (!planar) torque.value[0] = Function("-0.2*a.angular_velocity.x");
    add({"twist", torque});
    torque.frame = Frame::body;
    add({"turning", torque});
    add({"damper", SpringDamper{i, j, point(), point(), 4.0, 0.6, 0.5}});
    add({"lossy_stop", EndStop{between(i, j), Range{5.0, 7.0}, {4.0, 0.3, 2.0}}});
    add({"friction", Friction{between(i, j), 0.8, 0.5, 0.9, 0.2, 0.1, 0.3}});
    add({"lossy_strut", GasStrut{between(i, j), 6.0, 5.9, 2.0, 3.0, 0.4, {5.0, 0.1, 1.0}}});
    add({"actuator", LinearActuator{between(i, j),
                                    Function("0.8*sin(3*t) - 0.1*length"),
                                    3.0,
                                    2.0,
                                    0.5,
                                    3.0,
                                    {6.0, 0.2, 0.8}}});
    for (const Frame frame : {Frame::world, Frame::body}) {
      PointForce constant;
      constant.body = "b";
      constant.frame = frame;
      constant.value = cut({0.7, -1.2, 0.4});
      constant.point = point();
      add({"force", constant});
      add({"torque", Torque{"a", frame, planar ? Vec3{0, 0, 0.6} : Vec3{0.2, -0.3, 0.6}}});
    }
  }
};

template <class Space>
struct Point {
  const SystemIn<Space>& system;
  Workspace<double, Space> ws;
  std::vector<double> z;

  explicit Point(const SystemIn<Space>& in) : system(in), ws(in.topology), z(in.initial) {
    update();
  }
  void update() {
    calc_positions(system.topology, z.data(), ws);
    calc_velocities(system.topology, z.data(), ws);
  }
  double potential() {
    double sum = 0;
    std::vector<double> T(system.topology.components.size()), U(T.size());
    calc_energies(system.topology, system.parameters, ws, T.data(), U.data());
    for (const double u : U) sum += u;
    return sum;
  }
  // U after moving body b by (dr, φ)
  double potential_moved(int b, int k, double h) {
    const std::vector<double> before = z;
    double w[6] = {};
    w[k] = h;
    Space::retract(z.data() + system.topology.layout.y(b), Linear<double, Space>::load(w),
                   Angular<double, Space>::load(w + Space::dimension));
    update();
    const double U = potential();
    z = before;
    update();
    return U;
  }
};

template <class Space>
void check_gradient(const Model& model) {
  const System handle = compile(model);
  const auto& system = static_cast<const SystemIn<Space>&>(handle.data());
  Point<Space> at(system);
  calc_potential_gradient(system.topology, system.parameters, at.ws);
  auto force = at.ws.force_W;
  auto torque = at.ws.torque_B;
  for (int b = 0; b < system.topology.n_bodies; ++b) {
    double gradient[6];
    force[b].store(gradient);
    torque[b].store(gradient + Space::dimension);
    for (int k = 0; k < Space::n_u; ++k) {
      const double h = 1e-3;
      const auto U = [&](double s) { return at.potential_moved(b, k, s * h); };
      const double slope = (45 * (U(1) - U(-1)) - 9 * (U(2) - U(-2)) + (U(3) - U(-3))) / (60 * h);
      CHECK(gradient[k] == doctest::Approx(slope).epsilon(1e-7));
    }
  }
}

// Forces without dampers: calc_forces = −∇U + gravity, no power.
template <class Space>
void check_force_is_gradient(const Model& model) {
  const System handle = compile(model);
  const auto& system = static_cast<const SystemIn<Space>&>(handle.data());
  Point<Space> at(system);
  calc_potential_gradient(system.topology, system.parameters, at.ws);
  const auto force = at.ws.force_W;
  const auto torque = at.ws.torque_B;
  calc_forces(system.topology, system.parameters, at.ws);
  for (int b = 0; b < system.topology.n_bodies; ++b) {
    const auto weight = system.parameters.bodies[b].mass * system.parameters.gravity;
    const auto df = at.ws.force_W[b] + (force[b] + weight);
    const auto dt = at.ws.torque_B[b] + torque[b];
    CHECK(std::sqrt(dot(df, df)) < 1e-11);
    CHECK(std::sqrt(dot(dt, dt)) < 1e-11);
  }
  for (const double p : at.ws.power) CHECK(p == 0.0);
}

// P = Σ ⟨F, v⟩ + ⟨τ, Ω⟩ of all forces but gravity, less the rate of the springs' U.
template <class Space>
void check_power(const Model& model) {
  const System handle = compile(model);
  const auto& system = static_cast<const SystemIn<Space>&>(handle.data());
  Point<Space> at(system);
  at.ws.time = 0.7;
  calc_potential_gradient(system.topology, system.parameters, at.ws);
  double expected = 0, power = 0;
  const auto force = at.ws.force_W;
  const auto torque = at.ws.torque_B;
  calc_forces(system.topology, system.parameters, at.ws);
  for (int b = 0; b < system.topology.n_bodies; ++b) {
    const auto& pose = at.ws.pose[b];
    const auto weight = system.parameters.bodies[b].mass * system.parameters.gravity;
    expected += dot(at.ws.force_W[b] + force[b] + weight, pose.v) +
                dot(at.ws.torque_B[b] + torque[b], pose.Omega);
  }
  for (const double p : at.ws.power) power += p;
  CHECK(power == doctest::Approx(expected).epsilon(1e-12));
}

// Σ F = 0 and Σ (r × F + R τ) = 0 over the two bodies.
template <class Space>
void check_reaction(const Model& model) {
  const System handle = compile(model);
  const auto& system = static_cast<const SystemIn<Space>&>(handle.data());
  Point<Space> at(system);
  calc_forces(system.topology, system.parameters, at.ws);
  auto force = Linear<double, Space>::zero();
  auto moment = Angular<double, Space>::zero();
  for (int b = 0; b < 2; ++b) {
    force += at.ws.force_W[b];
    moment += cross(at.ws.pose[b].r, at.ws.force_W[b]) + at.ws.pose[b].R * at.ws.torque_B[b];
  }
  CHECK(std::sqrt(dot(force, force)) < 1e-12);
  CHECK(std::sqrt(dot(moment, moment)) < 1e-11);
}

// The power of each of these forces by itself is not positive.
template <class Space>
void check_dissipation(const Model& model) {
  const System handle = compile(model);
  const auto& system = static_cast<const SystemIn<Space>&>(handle.data());
  Point<Space> at(system);
  calc_forces(system.topology, system.parameters, at.ws);
  double power = 0.0;
  for (const double p : at.ws.power) {
    CHECK(p <= 0.0);
    power += p;
  }
  CHECK(power < 0.0);
}

template <class Check>
void for_both_spaces(const Check& check) {
  for (unsigned seed = 1; seed <= 8; ++seed) {
    for (const bool planar : {false, true}) {
      CAPTURE(seed);
      CAPTURE(planar);
      check(planar, seed);
    }
  }
}

// Runs to 3 s at a tight tolerance, nothing held.
Results run_free(const Model& model) {
  SimulationOptions options = model.simulation;
  options.t_end = 3.0;
  options.rtol = options.atol = 1e-13;
  options.hold_energy = false;
  return simulate(compile(model), options);
}

}  // namespace

TEST_CASE("the gradient of the potential against differences") {
  for_both_spaces([](bool planar, unsigned seed) {
    for (const char* other : {"a", "ground"}) {
      Pair pair(planar, seed);
      pair.add_potentials(other, "b");
      if (planar)
        check_gradient<Planar>(pair.model);
      else
        check_gradient<Spatial>(pair.model);
    }
  });
}

TEST_CASE("forces with a potential are minus its gradient and have no power of their own") {
  for_both_spaces([](bool planar, unsigned seed) {
    Pair pair(planar, seed);
    pair.add_potentials("a", "b");
    pair.add_potentials("ground", "a");
    if (planar)
      check_force_is_gradient<Planar>(pair.model);
    else
      check_force_is_gradient<Spatial>(pair.model);
  });
}

TEST_CASE("the power is that of the forces without a potential") {
  for_both_spaces([](bool planar, unsigned seed) {
    for (const char* other : {"a", "ground"}) {
      Pair pair(planar, seed);
      pair.add_potentials(other, "b");
      pair.add_others(other, "b");
      if (planar)
        check_power<Planar>(pair.model);
      else
        check_power<Spatial>(pair.model);
    }
  });
}

TEST_CASE("forces between two bodies cancel, and so do their moments") {
  for_both_spaces([](bool planar, unsigned seed) {
    Pair pair(planar, seed);
    pair.add_potentials("a", "b");
    pair.add_bushing("a", "b", true);
    pair.add({"friction", Friction{pair.between("a", "b"), 0.8, 0.5, 0.9, 0.2, 0.1, 0.3}});
    pair.add({"tension",
              NonlinearSpring{
                  "a", "b", pair.point(), pair.point(), Function("length^2 - rate"), {}, 0.3}});
    if (planar)
      check_reaction<Planar>(pair.model);
    else
      check_reaction<Spatial>(pair.model);
  });
}

TEST_CASE("friction, stops and struts take energy away at any speed") {
  for_both_spaces([](bool planar, unsigned seed) {
    Pair pair(planar, seed);
    const std::vector<Force> forces = {
        {"friction", Friction{pair.between("a", "b"), 0.8, 0.5, 0.9, 0.2, 0.1, 0.3}},
        {"stop", EndStop{pair.between("ground", "b"), Range{5.0, 7.0}, {4.0, 0.3, 2.0}}},
        {"strut", GasStrut{pair.between("a", "b"), 6.0, 5.9, 2.0, 3.0, 0.4, {5.0, 0.1, 1.0}}}};
    for (const Force& force : forces) {
      CAPTURE(force.name);
      pair.model.forces = {force};
      planar ? check_dissipation<Planar>(pair.model) : check_dissipation<Spatial>(pair.model);
    }
  });
}

TEST_CASE("T + U - W of each element closes without being held") {
  for (const bool planar : {false, true}) {
    // each element of the two lists by itself, on a body that hangs on a joint
    Pair all(planar, 5);
    all.add_potentials("a", "b");
    all.add_others("a", "b");
    for (const Force& force : all.model.forces) {
      CAPTURE(planar);
      CAPTURE(force.name);
      Pair pair(planar, 6);
      pair.model.joints.push_back(planar ? Joint{"pin", JointKind::revolute, "ground", "a",
                                                 WorldPlacement{{0.3, 0.2, 0}, {}, {}}}
                                         : Joint{"pin", JointKind::spherical, "ground", "a",
                                                 WorldPlacement{{0.3, 0.2, 0.1}, {}, {}}});
      pair.model.bodies[1].position = {4, 3, 0};  // no close approach
      pair.model.forces = {force};
      if (auto* bushing = std::get_if<Bushing>(&pair.model.forces[0].law)) {
        // stiff enough to stay well below half a turn
        bushing->at = Vec3{4, 3.2, 0};
        for (int k = 0; k < 6; ++k) bushing->stiffness[k][k] += 300.0;
        for (Body& body : pair.model.bodies) body.angular_velocity = {0, 0, 0.2};
      }
      const Results results = run_free(pair.model);
      REQUIRE(results.status.outcome == Outcome::finished);
      CHECK(results.energy.balance_error_max <= 1e-9 * results.energy.kinetic_max);
    }
  }
}

namespace {

// A rod on a cylindrical joint (in the plane: a cart on a slide with a rod on a hinge), free to
// turn and slide; `turns`: the hinge turns fast.
Model make_joint_model(bool planar, double spin) {
  Random random(11);
  Model model;
  model.dimension = planar ? 2 : 3;
  model.gravity = {0, -4, 0};
  for (const char* name : {"a", "b"}) {
    Body body;
    body.name = name;
    body.mass = random.uniform(1, 2);
    body.inertia = Mat3{{{0.4, 0, 0}, {0, 0.5, 0}, {0, 0, 0.6}}};
    model.bodies.push_back(body);
  }
  model.bodies[1].angular_velocity = {0, 0, spin};
  if (planar) {
    model.bodies[1].position = {0.3, 0, 0};
    model.bodies[1].velocity = {0, 0.3 * spin, 0};
    model.joints = {{"slide", JointKind::translational, "ground", "a",
                     WorldPlacement{{0, 0, 0}, Vec3{1, 0, 0}, {}}},
                    {"hinge", JointKind::revolute, "a", "b", WorldPlacement{{0, 0, 0}, {}, {}}}};
  } else {
    model.joints = {
        {"slide", JointKind::translational, "ground", "a",
         WorldPlacement{{0, 0, 0}, Vec3{1, 0, 0}, {}}},
        {"hinge", JointKind::revolute, "a", "b", WorldPlacement{{0, 0, 0}, Vec3{0, 0, 1}, {}}}};
  }
  return model;
}

std::vector<Force> make_joint_forces() {
  std::vector<Force> forces;
  const auto add = [&](const char* name, JointSpringDamper law) {
    forces.push_back({name, std::move(law)});
  };
  JointSpringDamper spring{"hinge", {}, 3.0, 0.0, 0.4, {}, {}};
  add("torsion", spring);
  spring.damping = 0.2;
  add("torsion_damped", spring);
  forces.push_back({"rotational_damper", RotationalDamper{"hinge", 0.3}});
  add("slide_spring", {"slide", JointCoordinate::travel, 20.0, 0.5, 0.1, {}, {}});
  DataTable table;
  table.x = {-30, -10, 0, 10, 30};
  table.y = {6, 3, 0, -3, -8};
  table.beyond = TableBeyond::linear;
  table.interpolation = Interpolation::cubic;
  add("table", {"hinge", {}, 0.0, 0.0, 0.0, Function(table), {}});
  add("energy", {"hinge", {}, 0.0, 0.1, 0.0, {}, Function("2*(1 - cos(angle)) + 0.1*angle^2")});
  add("motor",
      {"hinge", {}, 0.0, 0.0, 0.0, Function("sin(3*t) - 0.3*rate - 0.2*angle - slide.travel"), {}});
  const Along at_hinge{"hinge"}, at_slide{"slide"};
  forces.push_back({"stop", EndStop{at_hinge, Range{-0.3, 0.3}, {40.0, 0.0, 0.1}}});
  forces.push_back({"lossy_stop", EndStop{at_slide, Range{-0.1, 0.1}, {300.0, 0.2, 0.02}}});
  forces.push_back({"play", Backlash{at_hinge, 0.2, 0.5, {40.0, 0.1, 0.1}}});
  forces.push_back({"buffer", OneSidedSpring{at_slide, true, 0.05, {300.0, 0.1, 0.02}}});
  forces.push_back({"friction", Friction{at_hinge, 0.8, 0.5, 0.9, 0.2, 0.1, 0.3}});
  forces.push_back(
      {"dc_motor",
       DcMotor{at_hinge, Function("2*sin(3*t)"), {}, 1.2, 0.3, {}, {}, {}, 0.0, 2.0, 0.01}});
  forces.push_back(
      {"inductive_motor",
       DcMotor{at_hinge, Function("2*sin(3*t)"), {}, 1.2, 0.3, {}, {}, {}, 0.05, 2.0, 0.01}});
  VariableForce force;
  force.body = "a";
  force.value = {Function("-5*slide.travel + 0.3*hinge.angle - slide.travel_rate"), Function(0.0),
                 Function(0.0)};
  forces.push_back({"formula", force});
  return forces;
}

}  // namespace

TEST_CASE("along joint coordinates: gradient of the potential, power, reaction, balance") {
  for (const bool planar : {false, true}) {
    for (const Force& force : make_joint_forces()) {
      CAPTURE(planar);
      CAPTURE(force.name);
      Model model = make_joint_model(planar, 2.0);
      model.forces = {force};
      const bool has_potential = force.name != "motor" && force.name != "formula" &&
                                 force.name != "friction" && !force.name.ends_with("_motor");
      if (planar) {
        if (has_potential) check_gradient<Planar>(model);
        check_power<Planar>(model);
      } else {
        if (has_potential) check_gradient<Spatial>(model);
        check_power<Spatial>(model);
      }
      const Results results = run_free(model);
      REQUIRE(results.status.outcome == Outcome::finished);
      CHECK(results.energy.balance_error_max <= 1e-9 * results.energy.kinetic_max);
    }
  }
}

TEST_CASE("a torsional spring counts turns: it is wound up and springs back") {
  for (const bool planar : {false, true}) {
    Model model = make_joint_model(planar, 0.0);
    model.gravity = {0, 0, 0};
    // the rod about its own centre: I φ'' = −k φ, with an amplitude of several turns
    model.bodies[1].position = {0, 0, 0};
    model.bodies[1].velocity = {0, 0, 0};
    const double k = 0.06, spin = 8.0;
    model.bodies[1].angular_velocity = {0, 0, spin};
    model.forces = {{"torsion", JointSpringDamper{"hinge", {}, k, 0.0, 0.0, {}, {}}}};
    SimulationOptions options;
    options.rtol = options.atol = 1e-12;
    options.t_end = 12.0;
    const Results results = simulate(compile(model), options);
    REQUIRE(results.status.outcome == Outcome::finished);
    const double w = std::sqrt(k / 0.6);
    CHECK(spin / w > 20.0);  // rad: more than three turns
    CHECK(results.final[1].angular_velocity[2] ==
          doctest::Approx(spin * std::cos(w * 12.0)).epsilon(1e-9));
    CHECK(results.energy.balance_error_max <= 1e-9 * results.energy.kinetic_max);
  }
}

TEST_CASE("a bushing under a twist about an axis gives stiffness times angle, also a large one") {
  for (const double angle : {1e-9, 1e-3, 0.02, 0.5, 1.5, 3.0}) {
    Model model;
    Random random(3);
    Body body = test::make_random_body(random, "b");
    body.position = {0, 0, 0};
    body.orientation = {std::cos(angle / 2), 0, std::sin(angle / 2), 0};
    body.inertia = Mat3{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    model.bodies = {body};
    Bushing bushing;
    bushing.body_i = ground;
    bushing.body_j = "b";
    bushing.stiffness[4][4] = 10.0;
    model.forces = {{"bushing", bushing}};
    // unloaded at t = 0 by definition: compile straight, then turn the body
    model.bodies[0].orientation = {1, 0, 0, 0};
    const System system = compile(model);
    BodyState state;
    state.orientation = body.orientation;
    const Accelerations a = calc_accelerations(system, {state});
    CHECK(a.angular[0][1] == doctest::Approx(-10.0 * angle).epsilon(1e-13));
    CHECK(std::abs(a.angular[0][0]) + std::abs(a.angular[0][2]) < 1e-14);
  }
}

TEST_CASE("drag: speeds decay exponentially") {
  Model model;
  Random random(4);
  Body body = test::make_random_body(random, "b");
  body.mass = 2.0;
  body.inertia = Mat3{{{0.5, 0, 0}, {0, 0.5, 0}, {0, 0, 0.5}}};
  body.velocity = {1, 2, 3};
  body.angular_velocity = {0.3, -0.2, 0.1};
  model.bodies = {body};
  model.forces = {{"drag", Drag{"b", 0.8, 0.1}}};
  const Results results = run_free(model);
  const double v = std::exp(-0.8 / 2.0 * 3.0), w = std::exp(-0.1 / 0.5 * 3.0);
  for (int k = 0; k < 3; ++k) {
    CHECK(results.final[0].velocity[k] == doctest::Approx(v * body.velocity[k]).epsilon(1e-11));
    CHECK(results.final[0].angular_velocity[k] ==
          doctest::Approx(w * body.angular_velocity[k]).epsilon(1e-11));
  }
}

TEST_CASE("aerodynamic drag: a falling body nears its terminal velocity") {
  // m v' = m g − k v², k = ½ρ c_d A:  v = v_t tanh(g t/v_t),  v_t = √(m g/k)
  const double m = 2.0, g = 9.81, t = 3.0;
  const double k = 0.5 * 1.2 * 0.9 * 0.7, v_t = std::sqrt(m * g / k);
  for (const bool planar : {false, true}) {
    for (const double wind : {0.0, 4.0}) {
      CAPTURE(planar);
      CAPTURE(wind);
      Model model;
      model.dimension = planar ? 2 : 3;
      model.gravity = {0, -g, 0};
      Body body;
      body.name = "b";
      body.mass = m;
      body.inertia = Mat3{{{1, 0, 0}, {0, 2, 0}, {0, 0, 3}}};
      body.velocity = {0, wind, 0};
      model.bodies = {body};
      // falls from rest in the air, which may rise
      model.forces = {{"air", AerodynamicDrag{"b", 0.9, 0.7, 1.2, {}, {0, wind, 0}}}};
      const Results results = run_free(model);
      REQUIRE(results.status.outcome == Outcome::finished);
      const double v = v_t * std::tanh(g * t / v_t);
      const double fall = v_t * v_t / g * std::log(std::cosh(g * t / v_t));
      CHECK(std::abs(results.final[0].velocity[1] - (wind - v)) < 1e-9 * v_t);
      CHECK(std::abs(results.final[0].position[1] - (wind * t - fall)) < 1e-9 * fall);
      CHECK(results.energy.balance_error_max <= 1e-9 * results.energy.kinetic_max);
    }
  }
}

TEST_CASE("aerodynamic drag at a point turns the body") {
  // spinning about z with the point at a from the centre: I ω' = −k a³ ω²,  ω = ω₀/(1 + k a³ ω₀ t/I)
  Model model;
  model.dimension = 2;
  Body body;
  body.name = "vane";
  body.mass = 1.0;
  body.inertia = Mat3{{{1, 0, 0}, {0, 1, 0}, {0, 0, 0.3}}};
  body.angular_velocity = {0, 0, 8.0};
  model.bodies = {body};
  Joint pin;
  pin.name = "pin";
  pin.kind = JointKind::revolute;
  pin.body_i = ground;
  pin.body_j = "vane";
  pin.placement = WorldPlacement{};
  model.joints = {pin};
  model.forces = {{"air", AerodynamicDrag{"vane", 1.3, 0.2, 1.2, {0.5, 0, 0}, {}}}};
  const Results results = run_free(model);
  REQUIRE(results.status.outcome == Outcome::finished);
  const double k = 0.5 * 1.2 * 1.3 * 0.2 * 0.125;
  CHECK(results.final[0].angular_velocity[2] ==
        doctest::Approx(8.0 / (1.0 + k * 8.0 * 3.0 / 0.3)).epsilon(1e-9));
}

TEST_CASE("gravitation: an ellipse closes after Kepler's period") {
  Model model;
  model.dimension = 2;
  Body body;
  body.name = "satellite";
  body.mass = 3.0;
  body.inertia = Mat3{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  const double mu = 2.0, perihelion = 1.0, eccentricity = 0.5;
  const double a = perihelion / (1 - eccentricity);
  body.position = {5 + perihelion, 4, 0};
  body.velocity = {0, std::sqrt(mu * (1 + eccentricity) / perihelion), 0};
  model.bodies = {body};
  model.forces = {{"sun", Gravitation{ground, "satellite", {5, 4, 0}, mu}}};
  SimulationOptions options;
  options.rtol = options.atol = 1e-13;
  options.t_end = 2 * M_PI * std::sqrt(a * a * a / mu);
  const Results results = simulate(compile(model), options);
  CHECK(test::distance(results.final[0].position, body.position) < 1e-10);
  CHECK(test::distance(results.final[0].velocity, body.velocity) < 1e-10);
}

TEST_CASE("a force of time: x'' = sin t, from a formula and from a table") {
  Model model;
  Body body;
  body.name = "b";
  body.mass = 2.0;
  body.inertia = Mat3{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  model.bodies = {body};
  DataTable table;
  for (int k = 0; k <= 3000; ++k) {
    table.x.push_back(1e-3 * k);
    table.y.push_back(2 * std::sin(table.x.back()));
  }
  table.interpolation = Interpolation::cubic;
  VariableForce force;
  force.body = "b";
  force.value = {Function("2*sin(t)"), Function(table), Function(0.0)};
  model.forces = {{"f", force}};
  model.simulation.t_end = 3.0;
  const Results results = run_free(model);
  CHECK(results.final[0].position[0] == doctest::Approx(3 - std::sin(3.0)).epsilon(1e-12));
  CHECK(results.final[0].position[1] == doctest::Approx(3 - std::sin(3.0)).epsilon(1e-10));
}

TEST_CASE("formulas see positions from the world's origin and spins in the axes of the model") {
  // far from the origin, and with principal axes that are not those of the model
  Random random(9);
  Model model;
  Body body = test::make_random_body(random, "b");
  body.inertia = Mat3{{{1.0, 0.2, 0.1}, {0.2, 1.2, -0.1}, {0.1, -0.1, 0.9}}};
  body.position = {1000.5, -2000.25, 300};
  model.bodies = {body};
  VariableForce force;
  force.body = "b";
  force.value = {Function("b.position.x"), Function("b.angular_velocity.z"),
                 Function("b.velocity.y")};
  model.forces = {{"f", force}};
  BodyState state{body.position, body.orientation, body.velocity, body.angular_velocity};
  const Accelerations a = calc_accelerations(compile(model), {state});
  CHECK(a.linear[0][0] == doctest::Approx(1000.5 / *body.mass).epsilon(1e-14));
  CHECK(a.linear[0][1] == doctest::Approx(body.angular_velocity[2] / *body.mass).epsilon(1e-14));
  CHECK(a.linear[0][2] == doctest::Approx(body.velocity[1] / *body.mass).epsilon(1e-14));
}
