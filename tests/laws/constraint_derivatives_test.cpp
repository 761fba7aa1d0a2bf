// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// J and γ of every joint against central differences of g, at random states off the manifold.
#include <doctest/doctest.h>

#include "support/random_model.hpp"
#include "system/joint_rows.hpp"
#include "system/system.hpp"

using namespace trammel;
using test::Random;

namespace {

template <class Space>
struct Rig {
  using V = Linear<double, Space>;
  using A = Angular<double, Space>;

  explicit Rig(const SystemIn<Space>& of) : system(of), ws(system.topology), z(system.initial) {}
  void evaluate(const std::vector<double>& state) {
    calc_positions(system.topology, state.data(), ws);
    calc_velocities(system.topology, state.data(), ws);
    calc_rows(system.topology, system.parameters, ws);
    calc_gamma(system.topology, system.parameters, ws);
  }
  // J u of the rows in ws for the velocities of `state`.
  std::vector<double> rates(const std::vector<double>& state) const {
    std::vector<double> result;
    for (const JointTopology& joint : system.topology.joints) {
      const auto u = [&](int body) { return state.data() + system.topology.layout.u(body); };
      const auto is_ground = [&](int body) { return body == system.topology.ground(); };
      const auto linear = [&](int body) { return is_ground(body) ? V::zero() : V::load(u(body)); };
      const auto angular = [&](int body) {
        return is_ground(body) ? A::zero() : A::load(u(body) + Space::dimension);
      };
      const V dv = linear(joint.body_j) - linear(joint.body_i);
      for (int r = joint.row; r < joint.row + joint.n_rows; ++r) {
        result.push_back(dot(ws.linear[r], dv) + dot(ws.angular_i[r], angular(joint.body_i)) +
                         dot(ws.angular_j[r], angular(joint.body_j)));
      }
    }
    return result;
  }
  // z moved along its own velocities for the time e, velocities kept.
  std::vector<double> moved(double e) const {
    std::vector<double> state = z;
    for (int b = 0; b < system.topology.n_bodies; ++b) {
      const double* u = z.data() + system.topology.layout.u(b);
      Space::retract(state.data() + system.topology.layout.y(b), e * V::load(u),
                     e * A::load(u + Space::dimension));
    }
    return state;
  }

  const SystemIn<Space>& system;
  Workspace<double, Space> ws;
  std::vector<double> z;
};

Model make_pair(Random& random, JointKind kind, bool ground_i, bool ground_j) {
  Model model;
  model.bodies = {test::make_random_body(random, "a"), test::make_random_body(random, "b")};
  model.joints = {test::make_random_joint(random, "joint", kind, ground_i ? "ground" : "a",
                                          ground_j ? "ground" : "b")};
  return model;
}

Model make_planar_pair(Random& random, JointKind kind, bool ground_i, bool ground_j) {
  Model model;
  model.dimension = 2;
  model.bodies = {test::make_random_planar_body(random, "a"),
                  test::make_random_planar_body(random, "b")};
  model.joints = {test::make_random_planar_joint(random, "joint", kind, ground_i ? "ground" : "a",
                                                 ground_j ? "ground" : "b")};
  return model;
}

template <class Space>
void check_derivatives(const SystemIn<Space>& system) {
  const double e = 1e-5;
  Rig<Space> rig(system);
  rig.evaluate(rig.z);
  const std::vector<double> rate = rig.rates(rig.z);
  const std::vector<double> gamma = rig.ws.gamma;

  const std::vector<double> ahead = rig.moved(e), behind = rig.moved(-e);
  rig.evaluate(ahead);
  const std::vector<double> g_ahead = rig.ws.g, rate_ahead = rig.rates(ahead);
  rig.evaluate(behind);
  const std::vector<double> g_behind = rig.ws.g, rate_behind = rig.rates(behind);
  REQUIRE(rate.size() == g_ahead.size());
  for (std::size_t r = 0; r < rate.size(); ++r) {
    // ġ = J u and, for constant u, g̈ = γ; error terms e² u³ and rounding/e
    CHECK((g_ahead[r] - g_behind[r]) / (2 * e) == doctest::Approx(rate[r]).epsilon(1e-7));
    CHECK((rate_ahead[r] - rate_behind[r]) / (2 * e) == doctest::Approx(gamma[r]).epsilon(1e-7));
  }
}

}  // namespace

TEST_CASE("J and gamma of every joint agree with differences at 1,000 random states") {
  Random random(1);
  for (int trial = 0; trial < 1000; ++trial) {
    const JointKind kind = test::all_joint_kinds[trial % 6];
    const Model model = make_pair(random, kind, trial % 5 == 3, trial % 5 == 4);
    const System handle = compile(model);
    check_derivatives(as_spatial(handle.data()));
  }
}

TEST_CASE("J and gamma of every planar joint agree with differences at 1,000 random states") {
  Random random(8);
  for (int trial = 0; trial < 1000; ++trial) {
    const JointKind kind = test::all_planar_joint_kinds[trial % 5];
    const Model model = make_planar_pair(random, kind, trial % 7 == 3, trial % 7 == 4);
    const System handle = compile(model);
    check_derivatives(as_planar(handle.data()));
  }
}
