// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Holding momenta, energy and functions of the user: that they are held, that it helps where it
// can, that it does no harm where it cannot, and that it is said where nothing is held.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "support/reference.hpp"

using namespace trammel;

namespace {

Body make_bar(const std::string& name, Vec3 position) {
  Body body;
  body.name = name;
  body.mass = 1.0;
  body.inertia = Mat3{{{0.004, 0, 0}, {0, 0.083, 0}, {0, 0, 0.083}}};
  body.position = position;
  return body;
}

// Three bars, a spherical and a revolute joint, thrown.
Model make_free_chain() {
  Model model;
  model.gravity = {0, 0, -9.81};
  model.bodies = {make_bar("a", {0.5, 0, 0}), make_bar("b", {1.5, 0, 0}),
                  make_bar("c", {2.5, 0, 0})};
  model.bodies[0].angular_velocity = {1, 2, 3};
  model.bodies[1].velocity = {1, 2, 3};
  model.bodies[2].angular_velocity = {0, -2, 1};
  model.joints = {
      {"ab", JointKind::spherical, "a", "b", WorldPlacement{{1, 0, 0}, {}, {}}},
      {"bc", JointKind::revolute, "b", "c", WorldPlacement{{2, 0, 0}, Vec3{0, 0, 1}, {}}}};
  model.simulation.t_end = 5;
  return model;
}

Model make_spherical_pendulum(double t_end) {
  Model model;
  model.gravity = {0, 0, -9.81};
  model.bodies = {make_bar("bar", {0.5, 0, 0})};
  model.bodies[0].velocity = {0, 1, 0};
  model.bodies[0].angular_velocity = {0, 0, 2};
  model.joints = {
      {"pivot", JointKind::spherical, "ground", "bar", WorldPlacement{{0, 0, 0}, {}, {}}}};
  model.simulation.t_end = t_end;
  return model;
}

Vec3 cross(const Vec3& a, const Vec3& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

// q v q̄
Vec3 rotate(const EulerParameters& q, const Vec3& v) {
  const Vec3 w{q[1], q[2], q[3]};
  const Vec3 t = cross(w, v), tt = cross(w, t);
  Vec3 out{};
  for (int k = 0; k < 3; ++k) out[k] = v[k] + 2.0 * (q[0] * t[k] + tt[k]);
  return out;
}

struct Momenta {
  Vec3 linear{}, angular{};  // angular about the centre of mass, or about `point`
};

Momenta calc_momenta(const Model& model, const std::vector<BodyState>& states,
                     const Vec3* point = nullptr) {
  Vec3 centre{}, velocity{};
  double mass = 0.0;
  for (std::size_t b = 0; b < states.size(); ++b) {
    mass += *model.bodies[b].mass;
    for (int k = 0; k < 3; ++k) {
      centre[k] += *model.bodies[b].mass * states[b].position[k];
      velocity[k] += *model.bodies[b].mass * states[b].velocity[k];
    }
  }
  Momenta sum;
  sum.linear = velocity;
  for (int k = 0; k < 3; ++k) {
    centre[k] = point ? (*point)[k] : centre[k] / mass;
    velocity[k] = point ? 0.0 : velocity[k] / mass;
  }
  for (std::size_t b = 0; b < states.size(); ++b) {
    Vec3 d{}, p{}, spin{};
    for (int k = 0; k < 3; ++k) {
      d[k] = states[b].position[k] - centre[k];
      p[k] = *model.bodies[b].mass * (states[b].velocity[k] - velocity[k]);
      spin[k] = (*model.bodies[b].inertia)[k][k] * states[b].angular_velocity[k];
    }
    const Vec3 orbital = cross(d, p), own = rotate(states[b].orientation, spin);
    for (int k = 0; k < 3; ++k) sum.angular[k] += orbital[k] + own[k];
  }
  return sum;
}

std::vector<BodyState> state_at(const Results& results, std::size_t row) {
  const std::size_t n = results.body_names.size();
  std::vector<BodyState> states(n);
  for (std::size_t b = 0; b < n; ++b) {
    const std::size_t at = row * n + b;
    std::copy_n(results.position.begin() + 3 * at, 3, states[b].position.begin());
    std::copy_n(results.orientation.begin() + 4 * at, 4, states[b].orientation.begin());
    std::copy_n(results.velocity.begin() + 3 * at, 3, states[b].velocity.begin());
    std::copy_n(results.angular_velocity.begin() + 3 * at, 3, states[b].angular_velocity.begin());
  }
  return states;
}

double size_of(const Vec3& v) { return test::distance(v, Vec3{}); }

SimulationOptions holding(SimulationOptions options, bool energy, bool linear, bool angular) {
  options.hold_energy = energy;
  options.hold_linear_momentum = linear;
  options.hold_angular_momentum = angular;
  return options;
}

// The largest relative error of both momenta over the rows of a run of the free chain; falling is
// taken off the linear one.
std::array<double, 2> momentum_errors(const Model& model, const Results& results) {
  const Momenta start = calc_momenta(model, state_at(results, 0));
  std::array<double, 2> largest{};
  for (std::size_t row = 0; row < results.time.size(); ++row) {
    Momenta now = calc_momenta(model, state_at(results, row));
    double mass = 0.0;
    for (const Body& body : model.bodies) mass += *body.mass;
    for (int k = 0; k < 3; ++k) now.linear[k] -= mass * model.gravity[k] * results.time[row];
    const double scale = size_of(start.linear) + mass * 9.81 * results.time[row];
    largest[0] = std::max(largest[0], test::distance(now.linear, start.linear) / scale);
    largest[1] =
        std::max(largest[1], test::distance(now.angular, start.angular) / size_of(start.angular));
  }
  return largest;
}

double largest_difference(const Results& a, const Results& b, int body = -1) {
  const std::size_t n = a.body_names.size();
  double largest = 0.0;
  for (std::size_t k = 0; k < a.position.size() / 3; ++k) {
    if (body >= 0 && static_cast<int>(k % n) != body) continue;
    double sum = 0.0;
    for (int i = 0; i < 3; ++i) sum += std::pow(a.position[3 * k + i] - b.position[3 * k + i], 2);
    largest = std::max(largest, std::sqrt(sum));
  }
  return largest;
}

bool warns(const Results& results, const std::string& text) {
  return std::find(results.warnings.begin(), results.warnings.end(), text) !=
         results.warnings.end();
}

}  // namespace

TEST_CASE("momenta of bodies joined in free flight are held to 1e-13") {
  const Model model = make_free_chain();
  for (Method method : {Method::dopri5, Method::dop853}) {
    for (double tolerance : {1e-4, 1e-6, 1e-8}) {
      const SimulationOptions options = test::with_tolerance(model.simulation, tolerance, method);
      const auto loose = momentum_errors(model, test::run(model, options));
      for (EnergyCorrection correction :
           {EnergyCorrection::scaling, EnergyCorrection::combined, EnergyCorrection::embedded}) {
        SimulationOptions held = holding(options, true, true, true);
        held.energy_correction = correction;
        const Results results = test::run(model, held);
        const auto errors = momentum_errors(model, results);
        INFO("tolerance ", tolerance, ": ", loose[1], " -> ", errors[0], ", ", errors[1]);
        CHECK(errors[0] <= 1e-13);
        CHECK(errors[1] <= 1e-13);
        for (const std::string& warning : results.warnings)
          CHECK(warning.find("enforced") == std::string::npos);
        CHECK(results.violation.position <= 1e-11);
        CHECK(results.violation.velocity <= 1e-11);
      }
      CHECK(loose[1] > 1e-11);  // by itself it is not kept
      CHECK(momentum_errors(model, test::run(model, holding(options, false, false, true)))[1] <=
            1e-13);
    }
  }
}

TEST_CASE("energy and momenta of bodies in free flight are held together") {
  const Model model = make_free_chain();
  SimulationOptions options = test::with_tolerance(model.simulation, 1e-7);
  options.output_at_steps = true;
  const Results none = test::run(model, options);
  const Results held = test::run(model, holding(options, true, true, true));
  MESSAGE("balance error ", none.energy.balance_error_max, " -> ", held.energy.balance_error_max);
  CHECK(held.energy.balance_error_max <= 0.5 * none.energy.balance_error_max);
  CHECK(momentum_errors(model, held)[1] <= 1e-13);
}

TEST_CASE("spherical pendulum: energy and angular momentum together are worth more than either") {
  const Model model = make_spherical_pendulum(100);
  const Results exact = test::run(model, test::with_tolerance(model.simulation, 1e-13));
  for (double tolerance : {1e-5, 1e-7, 1e-9}) {
    const SimulationOptions options = test::with_tolerance(model.simulation, tolerance);
    const auto error = [&](bool energy, bool angular) {
      return test::position_difference(test::run(model, holding(options, energy, false, angular)),
                                       exact);
    };
    const double none = error(false, false), energy = error(true, false);
    const double angular = error(false, true), both = error(true, true);
    MESSAGE("tolerance ", tolerance, ": gain by energy ", none / energy, ", by angular momentum ",
            none / angular, ", by both ", none / both);
    CHECK(both <= 0.02 * none);  // measured: 71 to 236 times smaller
    CHECK(both <= energy);
    CHECK(both <= angular);
  }
}

TEST_CASE("the vertical angular momentum about a spherical joint is held") {
  Model model = make_spherical_pendulum(10);
  const Vec3 pivot{};
  const auto error_along = [&](const Results& results, int first, int last) {
    const Momenta start = calc_momenta(model, state_at(results, 0), &pivot);
    double largest = 0.0;
    for (std::size_t row = 0; row < results.time.size(); ++row) {
      const Momenta now = calc_momenta(model, state_at(results, row), &pivot);
      for (int k = first; k <= last; ++k) {
        largest = std::max(largest, std::abs(now.angular[k] - start.angular[k]));
      }
    }
    return largest / size_of(start.angular);
  };
  const SimulationOptions options = test::with_tolerance(model.simulation, 1e-6);
  CHECK(error_along(test::run(model, options), 2, 2) > 1e-10);
  const Results held = test::run(model, holding(options, true, false, true));
  CHECK(error_along(held, 2, 2) <= 1e-13);
  CHECK(held.warnings.empty());
  // without gravity all three
  model.gravity = {0, 0, 0};
  CHECK(error_along(test::run(model, holding(options, true, false, true)), 0, 2) <= 1e-13);
}

TEST_CASE("no set of invariants does harm to a free-flying body") {
  Model model = test::read_repository_model("gallery/free_body.yaml");
  model.gravity = {0, -9.81, 0};
  model.bodies[0].velocity = {1, 20, 3};
  const Results exact = test::run(model, test::with_tolerance(model.simulation, 1e-13));
  for (double tolerance : {1e-5, 1e-7, 1e-9}) {
    const SimulationOptions options = test::with_tolerance(model.simulation, tolerance);
    const auto error = [&](int set) {
      const Results results = test::run(model, holding(options, set & 1, set & 2, set & 4));
      CHECK(test::distance(results.final[0].velocity, Vec3{1, 20 - 9.81 * 20, 3}) <= 1e-11);
      double largest = 0.0;
      for (std::size_t k = 0; k < exact.orientation.size(); ++k) {
        largest = std::max(largest, std::abs(results.orientation[k] - exact.orientation[k]));
      }
      return largest;
    };
    const double none = error(0);
    for (int set = 1; set < 8; ++set) {
      INFO("tolerance ", tolerance, " set ", set);
      CHECK(error(set) <= 1.2 * none);
    }
  }
}

TEST_CASE("no set and no way does harm to the slower of two unconnected mechanisms") {
  Model model = make_spherical_pendulum(5);
  model.bodies.push_back(make_bar("fast", {10.02, 0, 0}));
  model.bodies[1].inertia = Mat3{{{1e-6, 0, 0}, {0, 2e-5, 0}, {0, 0, 2e-5}}};
  model.joints.push_back({"far", JointKind::revolute, "ground", "fast",
                          WorldPlacement{{10, 0, 0}, Vec3{0, 1, 0}, {}}});
  const Results exact = test::run(model, test::with_tolerance(model.simulation, 1e-13));
  for (double tolerance : {1e-5, 1e-7}) {
    const SimulationOptions options = test::with_tolerance(model.simulation, tolerance);
    const double none = largest_difference(test::run(model, options), exact, 0);
    for (int set = 1; set < 8; ++set) {
      for (EnergyCorrection correction :
           {EnergyCorrection::scaling, EnergyCorrection::combined, EnergyCorrection::embedded,
            EnergyCorrection::relaxation}) {
        SimulationOptions held = holding(options, set & 1, set & 2, set & 4);
        held.energy_correction = correction;
        INFO("tolerance ", tolerance, " set ", set, " correction ", static_cast<int>(correction));
        CHECK(largest_difference(test::run(model, held), exact, 0) <= 1.5 * none + 1e-12);
      }
    }
  }
}

TEST_CASE("every way holds the energy of the crank and makes it more accurate") {
  const Model model = test::read_repository_model("paper/crank.yaml");
  const Results exact = test::run(model, test::with_tolerance(model.simulation, 1e-12));
  for (Method method : {Method::dopri5, Method::dop853}) {
    SimulationOptions options = test::with_tolerance(model.simulation, 1e-7, method);
    options.hold_energy = false;
    options.output_at_steps = true;
    const Results none = test::run(model, options);
    options.hold_energy = true;
    for (EnergyCorrection correction : {EnergyCorrection::scaling, EnergyCorrection::combined,
                                        EnergyCorrection::embedded, EnergyCorrection::relaxation}) {
      options.energy_correction = correction;
      const Results held = test::run(model, options);
      INFO("correction ", static_cast<int>(correction));
      CHECK(held.energy.balance_error_max <= 1e-2 * none.energy.balance_error_max);
      CHECK(test::position_difference(held, exact) <= 0.3 * test::position_difference(none, exact));
      CHECK(held.status.t == options.t_end);
    }
  }
}

TEST_CASE("a user's invariant is held, beside energy and momenta") {
  const Model model = test::read_repository_model("gallery/heavy_top.yaml");
  const auto vertical = [&](const std::vector<BodyState>& states) {
    const Vec3 pivot{};
    return calc_momenta(model, states, &pivot).angular[2];
  };
  SimulationOptions options = test::with_tolerance(model.simulation, 1e-6);
  const auto error = [&](const Results& results) {
    double largest = 0.0;
    for (std::size_t row = 0; row < results.time.size(); ++row) {
      largest = std::max(
          largest, std::abs(vertical(state_at(results, row)) - vertical(state_at(results, 0))));
    }
    return largest;
  };
  const double loose = error(test::run(model, options));
  options.user_invariants = {{"L_z", vertical}};
  CHECK(error(test::run(model, options)) <= 1e-5 * loose);
  options.hold_energy = true;
  const Results both = test::run(model, options);
  CHECK(error(both) <= 1e-5 * loose);
  CHECK(both.energy.balance_error_max <= 1e-12 * both.energy.kinetic_max);
  CHECK(to_json(both).find("\"invariants\": [\"energy\", \"L_z\"]") != std::string::npos);
}

TEST_CASE("it is said what is not held") {
  const std::string grounded =
      "the linear momentum of a mechanism tied to the ground is not enforced";
  const std::string tied =
      "the angular momentum of a mechanism tied to the ground is enforced only with one spherical "
      "joint "
      "and no forces but gravity, and is not enforced here";
  const std::string turning =
      "the linear momentum of a mechanism with a force that turns with a body is not enforced";
  const std::string loaded =
      "the angular momentum of a mechanism with applied forces or torques is not enforced";
  const auto run = [](Model model) {
    model.simulation.t_end = 0.1;
    return test::run(model, holding(model.simulation, false, true, true));
  };
  const Results crank = run(test::read_repository_model("paper/crank.yaml"));
  CHECK(warns(crank, grounded));
  CHECK(warns(crank, tied));
  const Results pendulum = run(test::read_repository_model("paper/pendulum.yaml"));
  CHECK(warns(pendulum, grounded));
  CHECK_FALSE(warns(pendulum, tied));
  Model chain = make_free_chain();
  const Results of_chain = run(chain);
  for (const std::string& warning : of_chain.warnings) {
    CHECK(warning.find("enforced") == std::string::npos);
  }
  chain.forces = {{"thrust", PointForce{"a", Frame::body, {1, 0, 0}, {0, 0, 0}}}};
  CHECK(warns(run(chain), turning));
  CHECK(warns(run(chain), loaded));
  chain.forces = {{"push", PointForce{"a", Frame::world, {1, 0, 0}, {0, 0, 0}}}};
  CHECK_FALSE(warns(run(chain), turning));
  CHECK(warns(run(chain), loaded));
  SimulationOptions relaxing = holding(chain.simulation, true, false, false);
  relaxing.energy_correction = EnergyCorrection::relaxation;
  relaxing.fixed_step = 0.01;
  CHECK(warns(test::run(chain, relaxing),
              "with a fixed step the energy is not enforced by relaxation"));
}

TEST_CASE("a throw takes nothing from the energy held along the embedded difference") {
  Model model = make_free_chain();
  model.gravity = {0, 0, 0};
  const auto balance = [&](double throwing, bool held) {
    Model thrown = model;
    for (Body& body : thrown.bodies) body.velocity[0] += throwing;
    SimulationOptions options = test::with_tolerance(model.simulation, 1e-7);
    options.output_at_steps = true;
    options.hold_energy = held;
    options.energy_correction = EnergyCorrection::embedded;
    return test::run(thrown, options).energy.balance_error_max;
  };
  const double still = balance(0, true), fast = balance(20, true);
  MESSAGE("balance error at rest ", balance(0, false), " -> ", still, ", thrown ",
          balance(20, false), " -> ", fast);
  CHECK(still <= 0.6 * balance(0, false));
  CHECK(fast <= 0.6 * balance(20, false));
}

TEST_CASE("an energy that waits is said to wait") {
  // a conical pendulum: all of its motion is the rotation that carries the angular momentum held
  Model model = make_spherical_pendulum(5);
  const double angle = 1.0, sine = std::sin(angle), cosine = std::cos(angle), g = 9.81;
  const double across = 0.083 + 0.25, along = 0.004;  // about the joint
  const double omega =
      std::sqrt(0.5 * g * sine / ((across - along) * sine * cosine));  // steady rotation
  Body& bar = model.bodies[0];
  bar.position = {0.5 * sine, 0, -0.5 * cosine};
  const double turn = std::acos(0.0) - angle;  // from the x axis down
  bar.orientation = {std::cos(turn / 2), 0, std::sin(turn / 2), 0};
  bar.velocity = {0, omega * 0.5 * sine, 0};
  bar.angular_velocity = {-omega * cosine, 0, omega * sine};
  const auto waits = [&](const Results& results) {
    return std::any_of(results.warnings.begin(), results.warnings.end(), [](const auto& warning) {
      return warning.starts_with("the energy was not corrected at ");
    });
  };
  const SimulationOptions options = test::with_tolerance(model.simulation, 1e-8);
  CHECK(waits(test::run(model, holding(options, true, false, true))));
  CHECK_FALSE(waits(test::run(model, holding(options, true, false, false))));
  CHECK_FALSE(waits(test::run(model, holding(options, false, false, true))));
  // where both can be held nothing is said
  const Model swinging = make_spherical_pendulum(5);
  CHECK_FALSE(waits(test::run(swinging, holding(options, true, false, true))));
}

TEST_CASE("linear momentum with a constant force of the world is held") {
  Model model = make_free_chain();
  model.forces = {{"push", PointForce{"a", Frame::world, {1, -2, 0.5}, {0.1, 0, 0.2}}}};
  const Results results =
      test::run(model, holding(test::with_tolerance(model.simulation, 1e-5), false, true, false));
  const Momenta start = calc_momenta(model, state_at(results, 0));
  const Momenta end = calc_momenta(model, results.final);
  const Vec3 force{1, -2, 0.5 - 3 * 9.81};
  for (int k = 0; k < 3; ++k) {
    CHECK(end.linear[k] == doctest::Approx(start.linear[k] + 5 * force[k]).epsilon(1e-13));
  }
}
