// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The Jacobian of the accelerations against differences of the accelerations in long double, at random
// states on and off the joints; and where it is refused.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "evaluate/accelerations.hpp"
#include "generate/acceleration_jacobian.hpp"
#include "generate/evaluation_tape.hpp"
#include "generate/traced_system.hpp"
#include "manifold/rank.hpp"
#include "math/tape_values.hpp"
#include "support/central_difference.hpp"
#include "support/random_model.hpp"
#include "system/workspace.hpp"
#include "trammel/trammel.hpp"

using namespace trammel;

namespace {

constexpr double drop_tolerance = 1e-13;

template <class Space>
class Reference {
 public:
  Reference(const SystemIn<Space>& system, const std::vector<char>& left_out)
      : layout_(system.topology.layout),
        tape_(record_evaluation(system, drop_tolerance, left_out).tape),
        node_(layout_.size(), 0),
        given_(count_given(system)) {
    calc_given(system, 0.0, given_.data());
    for (const Tape::Output& output : tape_.outputs) {
      if (output.array == EvaluationTape::rate) node_[output.offset] = output.node;
    }
  }

  // du̇ in a local direction of body b: (δr, φ), or (δv, δΩ); length: on which u̇ bends, of δr
  std::vector<double> differentiate(const std::vector<double>& z, int b, int k, bool of_position,
                                    double length) {
    std::vector<long double> direction(z.size(), 0.0L);
    if (of_position) {  // ẏ of a unit velocity
      long double y[Space::n_y], u[Space::n_u] = {};
      for (int j = 0; j < Space::n_y; ++j) y[j] = z[layout_.y(b) + j];
      u[k] = 1.0L;
      Space::calc_rate(y, u, &direction[layout_.y(b)]);
    } else {
      direction[layout_.u(b) + k] = 1.0L;
    }
    const long double h = of_position && k < Space::dimension ? 3e-4L * length : 3e-4L;
    const int n = layout_.work(0) - layout_.u(0);
    std::vector<long double> sum(n, 0.0L);
    for (int step = 1; step <= 4; ++step) {
      for (const int sign : {1, -1}) {
        const auto values = calc_values<long double>(tape_, [&](int array, int offset) {
          if (array == EvaluationTape::given) return static_cast<long double>(given_[offset]);
          return z[offset] + sign * step * h * direction[offset];
        });
        for (int j = 0; j < n; ++j) {
          sum[j] += sign * test::central_weights[step - 1] * values[node_[layout_.u(0) + j]];
        }
      }
    }
    std::vector<double> result;
    for (const long double x : sum) result.push_back(static_cast<double>(x / h));
    return result;
  }

 private:
  const StateLayout& layout_;
  Tape tape_;
  std::vector<int> node_;  // of ż
  std::vector<double> given_;
};

template <class Space>
void compare(const SystemIn<Space>& system, double tolerance,
             const std::vector<char>& left_out = {}) {
  const auto jacobian = AccelerationJacobian<Space>::make(system, drop_tolerance, left_out);
  REQUIRE(jacobian != nullptr);
  Reference<Space> reference(system, left_out);
  const StateLayout& layout = system.topology.layout;
  const int n = system.topology.n_bodies;
  REQUIRE(jacobian->n_rows() == Space::n_u * n);
  const double least_length = *std::min_element(system.size.begin(), system.size.end());
  test::Random random(7);
  for (int state = 0; state < 4; ++state) {
    std::vector<double> z = system.initial;
    for (int k = 0; k < layout.work(0); ++k) {
      const double size = k < layout.u(0) ? 0.02 * least_length : 2.0;
      if (state > 0) z[k] += random.uniform(-1, 1) * size;
    }
    REQUIRE(jacobian->calc(z.data()) == JacobianOutcome::done);
    double largest = 0.0, error = 0.0;
    for (int d = 0; d < jacobian->n_directions(); ++d) {
      const bool of_position = d < Space::n_u * n;
      const int within = of_position ? d : d - Space::n_u * n;
      const std::vector<double> exact = reference.differentiate(
          z, within / Space::n_u, within % Space::n_u, of_position, least_length);
      for (int k = 0; k < jacobian->n_rows(); ++k) {
        largest = std::max(largest, std::abs(exact[k]));
        error = std::max(error, std::abs((*jacobian)(k, d) - exact[k]));
      }
    }
    CAPTURE(state);
    CHECK(largest > 0.0);
    CHECK(error < tolerance * std::max(largest, 1e-3));  // driven at rest: all entries are 0
  }
}

void compare(const std::string& file, const ParameterOverrides& overrides = {},
             double tolerance = 1e-11) {
  CAPTURE(file);
  const System system =
      compile(read_model(std::string(TRAMMEL_MODELS_DIR) + "/" + file, overrides));
  visit_space(system.data(), [&](const auto& of) { compare(of, tolerance); });
}

}  // namespace

TEST_CASE("the Jacobian of the accelerations is that of differences in more digits") {
  if (!MachineCode::is_possible()) return;
  for (const char* file :
       {"paper/pendulum.yaml", "paper/quadrangle.yaml", "paper/crank.yaml",
        "planar/quadrangle.yaml", "planar/andrews.yaml", "gallery/andrews.yaml"}) {
    compare(file);
  }
  compare("gallery/chain.yaml", {{"links", 10.0}});
  // rows that are nearly dependent off the joints
  compare("gallery/flyball_governor.yaml", {}, 1e-9);
  // functions are called and have the digits of a double: bushings, drivers, couplers
  for (const char* file : {"gallery/double_wishbone.yaml", "gallery/quick_return.yaml",
                           "gallery/differential.yaml", "examples/forces/torsional_spring.yaml"}) {
    compare(file, {}, 1e-7);
  }
}

TEST_CASE("with the rows that are kept a mechanism with dependent rows has a Jacobian") {
  if (!MachineCode::is_possible()) return;
  for (const char* file : {"gallery/n_four_bar.yaml", "redundant/two_four_bars_free.yaml"}) {
    CAPTURE(file);
    const System handle = compile(read_model(std::string(TRAMMEL_MODELS_DIR) + "/" + file));
    const SystemIn<Spatial>& system = as_spatial(handle.data());
    const RankReport rank = find_rank(system, system.initial.data());
    std::vector<char> left_out;
    for (const double mask : rank.mask) left_out.push_back(mask != 1.0);
    REQUIRE(rank.rank < system.topology.n_rows);
    compare(system, 1e-9, left_out);
  }
}

TEST_CASE("the Jacobian comes with the accelerations and multipliers of the loops, to the bit") {
  if (!MachineCode::is_possible()) return;
  const System handle = compile(read_model(std::string(TRAMMEL_MODELS_DIR) + "/paper/crank.yaml"));
  const SystemIn<Spatial>& system = as_spatial(handle.data());
  const auto jacobian = AccelerationJacobian<Spatial>::make(system, drop_tolerance);
  REQUIRE(jacobian->calc(system.initial.data()) == JacobianOutcome::done);
  Workspace<double, Spatial> ws(system.topology);
  std::vector<double> rate(system.initial.size());
  evaluate(system.topology, system.parameters, ws, drop_tolerance, system.initial.data(),
           rate.data());
  for (std::size_t k = 0; k < rate.size(); ++k) CHECK(jacobian->rate()[k] == rate[k]);
  for (int r = 0; r < system.topology.n_rows; ++r)
    CHECK(jacobian->multipliers()[r] == ws.lambda[r]);
}

TEST_CASE("no Jacobian where rows are dependent or a spring has no length") {
  if (!MachineCode::is_possible()) return;
  // 35 rows, 29 of them independent
  const System redundant =
      compile(read_model(std::string(TRAMMEL_MODELS_DIR) + "/gallery/n_four_bar.yaml"));
  const auto refused =
      AccelerationJacobian<Spatial>::make(as_spatial(redundant.data()), drop_tolerance);
  REQUIRE(refused != nullptr);
  CHECK(refused->calc(as_spatial(redundant.data()).initial.data()) ==
        JacobianOutcome::dependent_rows);
  // the end of the bar is where the spring hangs
  const System stretched = compile(read_model_text(R"(
trammel: 1
bodies:
  bar: {mass: 2, inertia: [0.1, 0.2, 0.3], position: [1, 0, 0]}
joints:
  pivot: {kind: spherical, bodies: [ground, bar], points: [[0, 0, 0], [-1, 0, 0]]}
forces:
  spring: {kind: spring_damper, bodies: [ground, bar], points: [[2, 0, 0], [1, 0, 0]], stiffness: 10, free_length: 0.5}
)",
                                                   "spring"));
  const SystemIn<Spatial>& system = as_spatial(stretched.data());
  const auto jacobian = AccelerationJacobian<Spatial>::make(system, drop_tolerance);
  REQUIRE(jacobian != nullptr);
  std::vector<double> z = system.initial;
  CHECK(jacobian->calc(z.data()) == JacobianOutcome::not_smooth);
  z[0] += 0.01;
  CHECK(jacobian->calc(z.data()) == JacobianOutcome::done);
}
