// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Joint coordinates, couplers and screws: derivatives against differences, closed forms, angles
// over many turns, loads in balance with the motion.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "evaluate/accelerations.hpp"
#include "evaluate/joint_rows.hpp"
#include "support/random_model.hpp"
#include "support/reference.hpp"
#include "system/system.hpp"

using namespace trammel;
using test::Random;

namespace {

constexpr double pi = 3.14159265358979323846;

// Evaluates g, J u + g_t and γ of a system at (t, z).
template <class Space>
struct Rig {
  explicit Rig(const SystemIn<Space>& of) : system(of), ws(of.topology), z(of.initial) {}

  void evaluate(double t, const std::vector<double>& state) {
    const Topology& topology = system.topology;
    ws.time = t;
    calc_positions(topology, state.data(), ws);
    calc_velocities(topology, state.data(), ws);
    calc_rows_and_gamma(topology, system.parameters, ws);
    for (int b = 0; b < topology.n_bodies; ++b) ws.twist[b] = {ws.pose[b].v, ws.pose[b].Omega};
    rate.resize(topology.n_rows);
    calc_j_times(topology, ws, ws.twist.data(), rate.data());
    for (std::size_t k = 0; k < topology.drivers.size(); ++k) {
      rate[topology.coordinate_rows[topology.drivers[k].coordinate_row].row] -= ws.drive[k].first;
    }
  }
  // z moved along its own velocities for the time e.
  std::vector<double> moved(double e) const {
    std::vector<double> state = z;
    for (int b = 0; b < system.topology.n_bodies; ++b) {
      const double* u = z.data() + system.topology.layout.u(b);
      Space::retract(state.data() + system.topology.layout.y(b), e * Linear<double, Space>::load(u),
                     e * Angular<double, Space>::load(u + Space::dimension));
    }
    return state;
  }

  const SystemIn<Space>& system;
  Workspace<double, Space> ws;
  std::vector<double> z, rate;
};

template <class Space>
void check_derivatives(const SystemIn<Space>& system, double t) {
  const double e = 1e-5;
  Rig<Space> rig(system);
  rig.evaluate(t, rig.z);
  const std::vector<double> rate = rig.rate, rho = rig.ws.reference_rate;
  const auto gamma = rig.ws.gamma;
  // a reference moves with its rate too
  const auto shifted = [&](double by) {
    std::vector<double> state = rig.moved(by);
    for (std::size_t k = 0; k < rho.size(); ++k) {
      state[system.topology.layout.reference(static_cast<int>(k))] += by * rho[k];
    }
    return state;
  };
  rig.evaluate(t + e, shifted(e));
  const auto g_ahead = rig.ws.g;
  const std::vector<double> rate_ahead = rig.rate;
  rig.evaluate(t - e, shifted(-e));
  const auto g_behind = rig.ws.g;
  const std::vector<double> rate_behind = rig.rate;
  REQUIRE(!system.topology.coordinate_rows.empty());
  for (const CoordinateRow& at : system.topology.coordinate_rows) {
    const int r = at.row;
    CHECK((g_ahead[r] - g_behind[r]) / (2 * e) == doctest::Approx(rate[r]).epsilon(1e-6));
    // of wheels with near centres γ is large, and so is the error of the difference
    const double epsilon = std::abs(gamma[r]) < 50 ? 1e-6 : 1e-4;
    CHECK((rate_ahead[r] - rate_behind[r]) / (2 * e) == doctest::Approx(gamma[r]).epsilon(epsilon));
  }
}

// Bodies that almost hold the joints placed in the world: rows are taken off the manifold.
void shake(Random& random, Body& body, bool planar) {
  for (int k = 0; k < (planar ? 2 : 3); ++k) body.position[k] += random.uniform(-0.1, 0.1);
  EulerParameters& q = body.orientation;
  for (int k = 0; k < 4; ++k) {
    if (!planar || k == 0 || k == 3) q[k] += random.uniform(-0.1, 0.1);
  }
  const double length = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  for (double& x : q) x /= length;
}

Model make_random_train(Random& random, bool planar) {
  Model model;
  model.dimension = planar ? 2 : 3;
  for (const char* name : {"a", "b", "c", "d"}) {
    model.bodies.push_back(planar ? test::make_random_planar_body(random, name)
                                  : test::make_random_body(random, name));
  }
  const auto add = [&](const char* name, JointKind kind, const char* i, const char* j) {
    WorldPlacement place;
    place.point = planar ? test::in_plane(random.vector()) : random.vector();
    const bool axis = !planar || kind != JointKind::revolute;
    if (axis) place.axis = planar ? test::in_plane(random.unit_vector()) : random.unit_vector();
    if (kind == JointKind::universal) place.axis_j = test::make_perpendicular(random, *place.axis);
    Joint joint{name, kind, i, j, place};
    if (kind == JointKind::screw) joint.pitch = random.uniform(0.1, 1.0);
    model.joints.push_back(joint);
  };
  add("hinge", JointKind::revolute, "a", "b");
  add("other", JointKind::revolute, "c", "a");
  add("slide", JointKind::translational, "a", "d");
  if (!planar) {
    add("thread", JointKind::screw, "b", "d");
    add("cross", JointKind::universal, "b", "c");
  }
  model.couplers = {{"gear", Gear{"hinge", "other", 17, 23, random.uniform(-1, 1) > 0}},
                    {"belt", Belt{"other", "hinge", 0.3, 0.5, random.uniform(-1, 1) > 0}},
                    {"rack", RackAndPinion{"hinge", "slide", random.uniform(0.1, 0.5)}}};
  LinearCoupler sum;
  sum.terms = {{"hinge", JointCoordinate::angle, 0.7}, {"slide", JointCoordinate::travel, -1.3}};
  if (!planar) {
    sum.terms.push_back({"cross", JointCoordinate::angle_i, 0.4});
    sum.terms.push_back({"cross", JointCoordinate::angle_j, -0.8});
    sum.terms.push_back({"thread", JointCoordinate::travel, 2.0});
  }
  model.couplers.push_back({"sum", sum});
  sum.terms[0].function = Function("0.3*sin(angle) - 0.1*angle^3");
  sum.terms[1].function = Function("exp(0.2*travel)");
  model.couplers.push_back({"curved", sum});
  const auto pair = [&](const char* i, const char* j) {
    const auto frame = [&] {
      const Body turned =
          planar ? test::make_random_planar_body(random, "") : test::make_random_body(random, "");
      return NamedFrame{"", planar ? test::in_plane(random.vector()) : random.vector(),
                        turned.orientation};
    };
    return CoupledFrames{i, j, frame(), frame()};
  };
  Gear mesh{"", "", 17, 23, random.uniform(-1, 1) > 0};
  mesh.frames = pair("a", "d");
  Belt band{"", "", 0.3, 0.5, random.uniform(-1, 1) > 0};
  band.frames = pair("b", "c");
  RackAndPinion rack{"", "", 0.4};
  rack.frames = pair("c", "d");
  model.couplers.push_back({"mesh", mesh});
  model.couplers.push_back({"band", band});
  model.couplers.push_back({"toothed", rack});
  if (!planar) model.couplers.push_back({"worm", Thread{pair("a", "d"), 0.2}});
  return model;
}

// Compiles the model as drawn, then moves the state off the manifold.
template <class Space>
void check_shaken(Random& random, const Model& model, double t) {
  const System handle = compile(model);
  SystemIn<Space> system = static_cast<const SystemIn<Space>&>(handle.data());
  Model shaken = model;
  for (Body& body : shaken.bodies) shake(random, body, model.dimension == 2);
  const std::vector<double> references(system.initial.begin() + system.topology.layout.reference(0),
                                       system.initial.end());
  system.initial = compile(shaken).data().initial;
  std::copy(references.begin(), references.end(),
            system.initial.begin() + system.topology.layout.reference(0));
  check_derivatives(system, t);
}

double column(const Results& results, const std::vector<std::string>& names,
              const std::vector<double>& values, const std::string& name, std::size_t row) {
  for (std::size_t k = 0; k < names.size(); ++k) {
    if (names[k] == name) return values[row * names.size() + k];
  }
  FAIL("no column ", name, " in ", results.model_name);
  return 0.0;
}
double coordinate(const Results& results, const std::string& name) {
  return column(results, results.coordinate_names, results.coordinate, name,
                results.time.size() - 1);
}
double load(const Results& results, const std::string& name, std::size_t row = 0) {
  return column(results, results.load_names, results.load, name, row);
}

Results run_example(const std::string& name, double tolerance) {
  const Model model = test::read_repository_model("examples/joints/" + name + ".yaml");
  return test::run(model, test::with_tolerance(model.simulation, tolerance));
}

}  // namespace

TEST_CASE("J and gamma of couplers and screws agree with differences at random states") {
  Random random(11);
  for (int trial = 0; trial < 300; ++trial) {
    check_shaken<Spatial>(random, make_random_train(random, false), 0.0);
    check_shaken<Planar>(random, make_random_train(random, true), 0.0);
  }
}

TEST_CASE("J, gamma and the partial derivatives by t of drivers agree with differences") {
  Random random(12);
  for (int trial = 0; trial < 300; ++trial) {
    const bool planar = trial % 2 == 1;
    Model model = make_random_train(random, planar);
    model.couplers.clear();
    const Function wave("0.2*sin(3*t) + 0.1*t^2"), fast("2*cos(5*t) + t");
    DataTable points;
    points.x = {0.0, 0.2, 0.5, 1.0, 1.4};
    points.y = {0.1, -0.2, 0.4, 0.3, -0.1};
    points.beyond = TableBeyond::linear;
    const Function table(points);
    model.drivers = {
        {"turn", JointDriver{"hinge", JointCoordinate::angle, wave, false}},
        {"spin", JointDriver{"other", JointCoordinate::angle, fast, true}},
        {"push", JointDriver{"slide", JointCoordinate::travel, trial % 3 == 0 ? table : wave,
                             trial % 4 < 2}},
        {"stretch",
         DistanceDriver{
             "b", "c", {0.2, 0.1, 0}, {-0.3, 0.4, 0}, Function("2 + sin(t)"), trial % 5 == 0}},
        {"carry", PointDriver{"d", {0.3, 0.2, 0}, {wave, table, std::nullopt}, trial % 7 == 0}}};
    FrameDriver attitude;
    // axes along those of the world: no angle near a right one
    const auto upright = [&](std::size_t body) {
      EulerParameters q = model.bodies[body].orientation;
      for (std::size_t k = 1; k < 4; ++k) q[k] = -q[k];
      return q;
    };
    attitude.frames = {"b", "c", {"", {0.1, 0.2, 0}, upright(1)}, {"", {-0.3, 0.1, 0}, upright(2)}};
    attitude.position = {wave, std::nullopt, std::nullopt};
    attitude.orientation = {wave, Function("0.3*cos(2*t)"), table};
    const std::array<int, 3> orders[] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                         {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    attitude.order = orders[trial % 6];
    model.drivers.push_back({"attitude", attitude});
    if (planar) {
      check_shaken<Planar>(random, model, 0.37);
    } else {
      check_shaken<Spatial>(random, model, 0.37);
    }
  }
}

TEST_CASE("belt: constant torque, closed form, after hundreds of radians in a few steps") {
  const Results run = run_example("belt", 1e-9);
  // (I₁ + I₂ (r₁/r₂)²) α¨ = τ
  const double angle = 0.5 * 0.5 / (0.01 + 0.09 / 9) * 25;
  CHECK(coordinate(run, "axle_small.angle") == doctest::Approx(angle).epsilon(1e-12));
  CHECK(coordinate(run, "axle_large.angle") == doctest::Approx(angle / 3).epsilon(1e-12));
  // I₂ α₂¨ is the torque on the second pulley, and the first one's is less by the ratio
  CHECK(load(run, "belt.axle_large.torque") == doctest::Approx(0.09 * 25.0 / 3).epsilon(1e-12));
  CHECK(load(run, "belt.axle_small.torque") == doctest::Approx(-0.09 * 25.0 / 9).epsilon(1e-12));
  CHECK(run.violation.position <= 1e-13);
  CHECK(run.energy.balance_error_max <= 1e-9 * run.energy.kinetic_max);
}

TEST_CASE("no output point is lost at a tolerance near rounding, however far an angle has come") {
  // β of the small pulley is 312 rad after 5 s; later a step goes over many turns
  for (const auto& [end, tolerance] : {std::pair(5.0, 1e-13), std::pair(500.0, 1e-10)}) {
    Model model = test::read_repository_model("examples/joints/belt.yaml");
    const double t_end = end;
    model.simulation.t_end = t_end;
    const Results run = test::run(model, test::with_tolerance(model.simulation, tolerance));
    CAPTURE(t_end);
    CHECK(run.warnings.empty());
    CHECK(run.time.size() == 1001);
    CHECK(coordinate(run, "axle_small.angle") == doctest::Approx(12.5 * t_end * t_end));
    // within a step the angle is one number: its last digit, at the radius of the pulley
    double turned = 0.0;
    for (const StepRecord& step : run.steps) turned = std::max(turned, 25.0 * t_end * step.h);
    const double last_digit = std::numeric_limits<double>::epsilon() * turned;
    CHECK(run.violation.position <= 1e-14 + 0.1 * last_digit);
  }
}

TEST_CASE("rack and pinion: a falling rack spins up the pinion") {
  const Results run = run_example("rack_and_pinion", 1e-11);
  const double a = -9.81 * 2 / (2 + 0.02 / 0.01);
  CHECK(coordinate(run, "slide.travel") == doctest::Approx(2 * a).epsilon(1e-9));
  CHECK(coordinate(run, "hinge.angle") == doctest::Approx(20 * a).epsilon(1e-9));
  CHECK(load(run, "mesh.hinge.torque") == doctest::Approx(0.02 * 10 * a).epsilon(1e-12));
  CHECK(load(run, "mesh.slide.force") == doctest::Approx(2 * (a + 9.81)).epsilon(1e-12));
  CHECK(run.energy.balance_error_max <= 1e-9 * run.energy.kinetic_max);
}

TEST_CASE("screw: a heavy nut, closed form; its reaction balances weight and spin") {
  const Results run = run_example("screw", 1e-11);
  const double k = 2 * pi / 0.2, inertia = 0.003 + 0.05 * 0.05;
  const double a = -9.81 / (1 + inertia * k * k);
  CHECK(coordinate(run, "thread.travel") == doctest::Approx(4.5 * a).epsilon(1e-8));
  CHECK(coordinate(run, "thread.angle") == doctest::Approx(4.5 * a * k).epsilon(1e-8));
  // at t = 0 the centre of mass lies at 0.05 on the x axis: F = m (a − g), M = İ α¨ about the axis
  CHECK(run.reaction_force[2] == doctest::Approx(a + 9.81).epsilon(1e-12));
  CHECK(run.reaction_force[1] == doctest::Approx(0.05 * a * k).epsilon(1e-12));
  CHECK(run.reaction_moment[2] == doctest::Approx(inertia * a * k).epsilon(1e-12));
  CHECK(run.energy.balance_error_max <= 1e-9 * run.energy.kinetic_max);
}

TEST_CASE("planetary gear: ratios over hundreds of turns, torques from the closed form") {
  const Results run = run_example("gear", 1e-10);
  // ω_sun/ω_carrier = 1 + z_ring/z_sun = 5; main counts the ground against the carrier
  const double carrier = -coordinate(run, "main.angle");
  const double sun = coordinate(run, "sun_hinge.angle") + carrier;
  CHECK(sun == doctest::Approx(5 * carrier).epsilon(1e-12));
  CHECK(sun > 200 * 2 * pi);
  CHECK(coordinate(run, "planet_hinge.angle") ==
        doctest::Approx(-80.0 / 30 * carrier).epsilon(1e-12));
  CHECK(run.violation.position <= 1e-12);
  CHECK(run.energy.balance_error_max <= 1e-9 * run.energy.kinetic_max);
  // at t = 0, gravity acting on the planet at (r, 0): T with ω = ω_carrier as the one velocity
  const double planet = 1 - 80.0 / 30;
  const double inertia = 0.04 + 0.01 * 25 + 0.02 * planet * planet + 1.5 * 0.25 * 0.25;
  const double acceleration = (2 * 5 - 1.5 * 9.81 * 0.25) / inertia;
  // the sun: motor and mesh
  CHECK(load(run, "mesh_sun.sun_hinge.torque") ==
        doctest::Approx(0.01 * 5 * acceleration - 2).epsilon(1e-11));
  // the planet: both meshes, each about its own axis against the carrier
  CHECK(load(run, "mesh_sun.planet_hinge.torque") + load(run, "mesh_ring.planet_hinge.torque") ==
        doctest::Approx(0.02 * planet * acceleration).epsilon(1e-11));
}

TEST_CASE("a sum over three joints is kept, and its loads share as the coefficients say") {
  const Results run = run_example("coupler", 1e-12);
  CHECK(coordinate(run, "guide_middle.travel") ==
        doctest::Approx(0.5 * coordinate(run, "guide_left.travel") +
                        0.5 * coordinate(run, "guide_right.travel"))
            .epsilon(1e-12));
  for (std::size_t row : {std::size_t{0}, run.time.size() / 2}) {
    const double middle = load(run, "mean.guide_middle.force", row);
    CHECK(load(run, "mean.guide_left.force", row) == doctest::Approx(-0.5 * middle));
    CHECK(load(run, "mean.guide_right.force", row) == doctest::Approx(-0.5 * middle));
  }
  CHECK(run.energy.balance_error_max <= 1e-9 * run.energy.kinetic_max);
}

TEST_CASE("an angle counts turns from the drawing, or from where the joint says it starts") {
  for (const bool planar : {false, true}) {
    Model model;
    model.dimension = planar ? 2 : 3;
    Body rotor;
    rotor.name = "rotor";
    rotor.mass = 1.0;
    rotor.inertia = Mat3{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    rotor.angular_velocity = {0, 0, -30};
    model.bodies = {rotor};
    WorldPlacement place;
    if (!planar) place.axis = Vec3{0, 0, 1};
    model.joints = {{"hinge", JointKind::revolute, "ground", "rotor", place}};
    model.joints[0].start_angle = 0.5;
    model.simulation.t_end = 20;
    model.simulation.output_interval = 5;
    const Results run = test::run(model, model.simulation);
    for (std::size_t row = 0; row < run.time.size(); ++row) {
      CHECK(run.coordinate[row] == doctest::Approx(0.5 - 30 * run.time[row]).epsilon(1e-6));
      CHECK(run.coordinate_rate[row] == doctest::Approx(-30).epsilon(1e-9));
    }
    // the same joint seen from the other body turns the other way
    std::swap(model.joints[0].body_i, model.joints[0].body_j);
    CHECK(test::run(model, model.simulation).coordinate.back() ==
          doctest::Approx(0.5 + 600).epsilon(1e-6));
  }
}

TEST_CASE("couplers have no jet form") {
  Model model = test::read_repository_model("examples/joints/gear.yaml");
  model.simulation.projection = Projection::orthogonal;
  CHECK_THROWS_WITH(simulate(compile(model), model.simulation),
                    "planetary gear: couplers, drivers and screws have no jet form: use "
                    "projection mass");
}
