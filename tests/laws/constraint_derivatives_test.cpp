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

struct Rig {
  explicit Rig(const System& handle)
      : system(handle.data()), ws(system.topology), z(system.initial) {}
  void evaluate(const std::vector<double>& state) {
    calc_positions(system.topology, state.data(), ws);
    calc_velocities(system.topology, state.data(), ws);
    calc_rows(system.topology, system.parameters, ws);
    calc_gamma(system.topology, ws);
  }
  // J u of the rows in ws for the velocities of `state`.
  std::vector<double> rates(const std::vector<double>& state) const {
    std::vector<double> result;
    for (const JointTopology& joint : system.topology.joints) {
      const auto part = [&](int body, int at) {
        if (body == system.topology.ground()) return Vector3<double>::zero();
        return Vector3<double>::load(state.data() + system.topology.layout.u(body) + at);
      };
      const Vector3<double> dv = part(joint.body_j, 0) - part(joint.body_i, 0);
      for (int r = joint.row; r < joint.row + system.topology.program.size[0]; ++r) {
        result.push_back(dot(ws.linear[r], dv) + dot(ws.angular_i[r], part(joint.body_i, 3)) +
                         dot(ws.angular_j[r], part(joint.body_j, 3)));
      }
    }
    return result;
  }
  // z moved along its own velocities for the time e, velocities kept.
  std::vector<double> moved(double e) const {
    std::vector<double> state = z;
    for (int b = 0; b < system.topology.n_bodies; ++b) {
      const double* u = z.data() + system.topology.layout.u(b);
      Space::retract(state.data() + system.topology.layout.y(b), e * Vector3<double>::load(u),
                     e * Vector3<double>::load(u + 3));
    }
    return state;
  }

  const SystemData& system;
  Workspace<double> ws;
  std::vector<double> z;
};

Model make_pair(Random& random, JointKind kind, bool ground_i, bool ground_j) {
  Model model;
  model.bodies = {test::make_random_body(random, "a"), test::make_random_body(random, "b")};
  model.joints = {test::make_random_joint(random, "joint", kind, ground_i ? "ground" : "a",
                                          ground_j ? "ground" : "b")};
  return model;
}

}  // namespace

TEST_CASE("J and gamma of every joint agree with differences at 1,000 random states") {
  Random random(1);
  const double e = 1e-5;
  for (int trial = 0; trial < 1000; ++trial) {
    const JointKind kind = test::all_joint_kinds[trial % 6];
    const Model model = make_pair(random, kind, trial % 5 == 3, trial % 5 == 4);
    const System handle = compile(model);
    Rig rig(handle);
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
}
