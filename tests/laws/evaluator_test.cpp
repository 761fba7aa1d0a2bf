// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The public Evaluator by its equations: J against differences of g, M u̇ + Jᵀλ = f, power and energy,
// momenta against their rates, reactions against those of a run.
#include <doctest/doctest.h>

#include <cmath>
#include <stdexcept>
#include <string>

#include "math/euler_parameters.hpp"
#include "math/vector3.hpp"
#include "trammel/evaluator.hpp"
#include "trammel/trammel.hpp"

using namespace trammel;

namespace {

std::string path_of(const std::string& model) {
  return std::string(TRAMMEL_MODELS_DIR) + "/" + model + ".yaml";
}

SimulationOptions make_options(double t_end) {
  SimulationOptions options;
  options.t_end = t_end;
  return options;
}

// The state moved along velocity component k by s: r + s v, θ turned by s about an axis of the body.
BodyState move(BodyState state, int k, double s) {
  if (k < 3) {
    state.position[k] += s;
    return state;
  }
  const double half = 0.5 * s, c = std::cos(half), n = std::sin(half);
  EulerParameters q{c, 0, 0, 0};
  q[k - 2] = n;
  const EulerParameters p = state.orientation;
  state.orientation = {p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3],
                       p[0] * q[1] + p[1] * q[0] + p[2] * q[3] - p[3] * q[2],
                       p[0] * q[2] - p[1] * q[3] + p[2] * q[0] + p[3] * q[1],
                       p[0] * q[3] + p[1] * q[2] - p[2] * q[1] + p[3] * q[0]};
  return state;
}

std::vector<BodyState> make_states(Evaluator& at) {
  std::vector<BodyState> states;
  for (const std::string& name : at.body_names()) states.push_back(at.body(name));
  return states;
}

}  // namespace

TEST_CASE("the Jacobian is the derivative of the constraints, on and off the manifold") {
  for (const char* model : {"paper/crank", "paper/quadrangle", "gallery/double_wishbone",
                            "gallery/robot_arm", "planar/andrews", "gallery/n_four_bar"}) {
    CAPTURE(model);
    const Model of = read_model(path_of(model));
    const bool planar = of.dimension == 2;
    Evaluator at(compile(of));
    std::vector<BodyState> states = make_states(at);
    for (std::size_t b = 0; b < states.size(); ++b) {  // some way off
      states[b] = move(move(states[b], 0, 0.01 * (1.0 + static_cast<double>(b))), 5, 0.02);
    }
    at.set_state(states);
    const Matrix J = at.jacobian();
    REQUIRE(J.columns == static_cast<int>(6 * states.size()));
    constexpr double s = 1e-5;
    double largest = 0.0;
    for (std::size_t b = 0; b < states.size(); ++b) {
      for (int k = 0; k < 6; ++k) {
        if (planar && (k == 2 || k == 3 || k == 4)) continue;
        std::vector<BodyState> moved = states;
        moved[b] = move(states[b], k, s);
        at.set_state(moved);
        const std::vector<double> up = at.constraints();
        moved[b] = move(states[b], k, -s);
        at.set_state(moved);
        const std::vector<double> down = at.constraints();
        for (int r = 0; r < J.rows; ++r) {
          const double slope = (up[r] - down[r]) / (2.0 * s);
          largest = std::max(largest, std::abs(slope - J(r, static_cast<int>(6 * b) + k)));
        }
      }
    }
    CHECK(largest < 1e-8);
  }
}

TEST_CASE("accelerations and multipliers satisfy the equations of motion") {
  Evaluator at(compile(read_model(path_of("paper/crank"))));
  const Results run = simulate(compile(read_model(path_of("paper/crank"))), make_options(0.7));
  at.set_state(run.final, 0.7);
  const Matrix J = at.jacobian(), M = at.mass();
  const std::vector<double>& lambda = at.multipliers();
  for (const double g : at.constraints()) CHECK(std::abs(g) < 1e-12);
  for (const double rate : at.constraint_velocities()) CHECK(std::abs(rate) < 1e-12);
  for (std::size_t b = 0; b < at.body_names().size(); ++b) {
    const BodyAcceleration a = at.acceleration(at.body_names()[b]);
    const Vec3& w = run.final[b].angular_velocity;
    const int first = static_cast<int>(6 * b);
    // f: the weight, the gyroscopic torque −Ω×𝕀Ω and the motor's torque
    double spin[3], f[6] = {0, -9.81 * M(first, first), 0, 0, 0, b == 0 ? -50.0 : 0.0};
    for (int k = 0; k < 3; ++k) spin[k] = M(first + 3 + k, first + 3 + k) * w[k];
    f[3] -= w[1] * spin[2] - w[2] * spin[1];
    f[4] -= w[2] * spin[0] - w[0] * spin[2];
    f[5] -= w[0] * spin[1] - w[1] * spin[0];
    for (int k = 0; k < 6; ++k) {
      double sum = M(first + k, first + k) * (k < 3 ? a.linear[k] : a.angular[k - 3]) - f[k];
      for (int r = 0; r < J.rows; ++r) sum += J(r, first + k) * lambda[r];
      CHECK(std::abs(sum) < 1e-9);
    }
  }
}

TEST_CASE("energies and momenta are those of the bodies") {
  Evaluator at(compile(read_model(path_of("gallery/free_body"))));
  const std::string name = at.body_names().front();
  BodyState state = at.body(name);
  state.position = {1, 2, 3};
  state.velocity = {0.5, -1, 2};
  state.orientation = {1, 0, 0, 0};
  state.angular_velocity = {3, 1, -2};
  at.set_body(name, state);
  const Matrix M = at.mass();
  double twice = 0.0, spin[3] = {};
  for (int r = 0; r < 3; ++r) {
    twice += M(r, r) * state.velocity[r] * state.velocity[r];
    for (int c = 0; c < 3; ++c) spin[r] += M(3 + r, 3 + c) * state.angular_velocity[c];
    twice += spin[r] * state.angular_velocity[r];
  }
  CHECK(at.energy().kinetic == doctest::Approx(0.5 * twice).epsilon(1e-14));
  const double m = M(0, 0);
  const Momentum momentum = at.momentum();
  const Vec3 &r = state.position, &v = state.velocity;
  for (int k = 0; k < 3; ++k) {
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    CHECK(momentum.linear[k] == doctest::Approx(m * v[k]).epsilon(1e-14));
    CHECK(momentum.angular[k] ==
          doctest::Approx(m * (r[i] * v[j] - r[j] * v[i]) + spin[k]).epsilon(1e-14));
  }
}

TEST_CASE("reactions are those that a run records, also of redundant joints") {
  for (const char* model : {"paper/quadrangle", "gallery/n_four_bar", "planar/quadrangle"}) {
    CAPTURE(model);
    const System system = compile(read_model(path_of(model)));
    Evaluator at(system);
    const Results run = simulate(system, make_options(0.01));
    for (std::size_t k = 0; k < at.joint_names().size(); ++k) {
      const Reaction reaction = at.reaction(at.joint_names()[k]);
      for (int c = 0; c < 3; ++c) {
        CHECK(reaction.force[c] == doctest::Approx(run.reaction_force[3 * k + c]).epsilon(1e-9));
        CHECK(reaction.moment[c] == doctest::Approx(run.reaction_moment[3 * k + c]).epsilon(1e-9));
      }
    }
  }
}

TEST_CASE("the evaluator follows its state and refuses names that do not exist") {
  Evaluator at(compile(read_model(path_of("paper/pendulum"))));
  const std::string name = at.body_names().front();
  const double before = at.energy().kinetic;
  BodyState state = at.body(name);
  state.velocity[1] += 1.0;
  at.set_body(name, state);
  CHECK(at.energy().kinetic > before + 1.0);
  CHECK_THROWS_AS(at.acceleration("nobody"), std::invalid_argument);
  CHECK_THROWS_AS(at.reaction("no joint"), std::invalid_argument);
  CHECK_THROWS_AS(at.set_state({}), std::invalid_argument);
}

TEST_CASE("derivatives of the accelerations in a direction against differences") {
  for (const char* model : {"paper/crank", "paper/quadrangle", "gallery/double_wishbone",
                            "planar/andrews", "gallery/n_four_bar"}) {
    CAPTURE(model);
    const Model of = read_model(path_of(model));
    const bool planar = of.dimension == 2;
    Evaluator at(compile(of));
    const std::vector<BodyState> states = make_states(at);
    const std::string name = at.body_names().back();
    const auto calc_all = [&](const BodyState& state) {
      at.set_state(states);
      at.set_body(name, state);
      std::vector<BodyAcceleration> all;
      for (const std::string& body : at.body_names()) all.push_back(at.acceleration(body));
      return all;
    };
    for (int k = 0; k < 12; ++k) {
      if (planar && (k % 6 == 2 || k % 6 == 3 || k % 6 == 4)) continue;
      CAPTURE(k);
      BodyVariation direction;
      Vec3* const parts[] = {&direction.position, &direction.rotation, &direction.velocity,
                             &direction.angular_velocity};
      (*parts[k / 3])[k % 3] = 1.0;
      at.set_state(states);
      const std::vector<BodyAcceleration> exact = at.acceleration_derivative(name, direction);
      const auto step = [&](double s) {
        BodyState state = states.back();
        if (k < 6) return move(state, k, s);
        (k < 9 ? state.velocity[k - 6] : state.angular_velocity[k - 9]) += s;
        return state;
      };
      constexpr double s = 1e-4;
      const auto up = calc_all(step(s)), down = calc_all(step(-s));
      const auto far_up = calc_all(step(2 * s)), far_down = calc_all(step(-2 * s));
      double largest = 1.0, error = 0.0;
      for (std::size_t b = 0; b < states.size(); ++b) {
        for (int i = 0; i < 6; ++i) {
          const auto get = [&](const std::vector<BodyAcceleration>& all) {
            return i < 3 ? all[b].linear[i] : all[b].angular[i - 3];
          };
          const double slope =
              (8.0 * (get(up) - get(down)) - (get(far_up) - get(far_down))) / (12.0 * s);
          largest = std::max(largest, std::abs(slope));
          error = std::max(error, std::abs(slope - get(exact)));
        }
      }
      CHECK(error < 1e-6 * largest);
    }
  }
}
