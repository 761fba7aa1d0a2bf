// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// dg, d²g, d³g, df_inv, d²f_inv in the ambient space against central differences, at random points on
// and off S³ and the joints' manifold.
#include <doctest/doctest.h>

#include "paper/jet_constraints.hpp"
#include "paper/jet_energy.hpp"
#include "support/random_model.hpp"

using namespace trammel;
using namespace trammel::paper;
using test::Random;

namespace {

VectorX random_vector(Random& random, int n) {
  VectorX v(n);
  for (int k = 0; k < n; ++k) v[k] = random.uniform(-1, 1);
  return v;
}

// Two bodies, every kind of joint between them and to the ground: all basic constraints.
Model make_model(Random& random) {
  Model model;
  model.gravity = {1, -9, 2};
  model.bodies = {test::make_random_body(random, "a"), test::make_random_body(random, "b")};
  int k = 0;
  for (JointKind kind : test::all_joint_kinds) {
    const std::string name = "joint" + std::to_string(k++);
    model.joints.push_back(test::make_random_joint(random, name, kind, "a", "b"));
    model.joints.push_back(test::make_random_joint(random, name + "g", kind, "ground", "b"));
    model.joints.push_back(test::make_random_joint(random, name + "h", kind, "a", "ground"));
  }
  model.forces = {{"push", PointForce{"a", Frame::world, random.vector(), {}}},
                  {"twist", Torque{"b", Frame::body, random.vector()}}};
  return model;
}

double relative(double a, double b, double scale) { return std::abs(a - b) / (1.0 + scale); }

}  // namespace

TEST_CASE("differentials of the constraints agree with differences") {
  Random random(11);
  const System handle = compile(make_model(random));
  JetConstraints c(as_spatial(handle.data()));
  const double e = 1e-5;
  for (int trial = 0; trial < 100; ++trial) {
    // off S³ for most trials
    VectorX y = random_vector(random, c.n());
    if (trial % 4 == 0) {
      for (int k = 3; k < y.size(); k += 7) y.segment<4>(k).normalize();
    }
    const VectorX v = random_vector(random, c.n()), w = random_vector(random, c.n());
    const VectorX alpha = random_vector(random, c.rows()), beta = random_vector(random, c.rows());
    const VectorX dg = (c.calc_g(y + e * v) - c.calc_g(y - e * v)) / (2 * e);
    CHECK((dg - c.calc_dg(y) * v).norm() / (1 + dg.norm()) < 1e-8);
    const VectorX d2g = (c.calc_dg(y + e * v) * v - c.calc_dg(y - e * v) * v) / (2 * e);
    CHECK((d2g - c.calc_d2g(y, v)).norm() / (1 + d2g.norm()) < 1e-8);
    // Σ μ d²g(v, w)
    const VectorX mixed = (c.calc_dg(y + e * w) * v - c.calc_dg(y - e * w) * v) / (2 * e);
    CHECK(relative(v.dot(c.calc_d2g_sum(y, beta) * w), beta.dot(mixed), mixed.norm()) < 1e-7);
    const VectorX zero = VectorX::Zero(c.rows());
    const JetConstraints::Second s = c.calc_second(y, v, alpha, zero);
    CHECK((s.d2g_v * w - mixed).norm() / (1 + mixed.norm()) < 1e-8);
    CHECK((s.alpha_sum - c.calc_d2g_sum(y, alpha)).norm() < 1e-10);
    // Σ α d³g(v, ·, ·): the change of Σ α d²g along v
    const MatrixX third =
        (c.calc_d2g_sum(y + e * v, alpha) - c.calc_d2g_sum(y - e * v, alpha)) / (2 * e);
    CHECK((s.beta_sum - third).norm() / (1 + third.norm()) < 1e-7);
  }
}

TEST_CASE("differentials of the energy agree with differences") {
  Random random(12);
  const System handle = compile(make_model(random));
  REQUIRE(why_not_held(as_spatial(handle.data())).empty());
  const JetEnergy energy(as_spatial(handle.data()));
  JetCounts counts;
  const int n = 14;
  const double e = 1e-5, s = 0.3;
  const auto value = [&](const VectorX& y, const VectorX& y1) {
    return energy.calc_kinetic(y, y1) + energy.calc_potential(y) - s * energy.calc_power(y, y1);
  };
  for (int trial = 0; trial < 50; ++trial) {
    const VectorX y = random_vector(random, n), y1 = random_vector(random, n);
    const VectorX v = random_vector(random, n), w = random_vector(random, n);
    const auto g = energy.calc_gradient(y, y1, s, counts);
    CHECK((value(y + e * v, y1) - value(y - e * v, y1)) / (2 * e) ==
          doctest::Approx(g.by_y.dot(v)).epsilon(1e-6));
    CHECK((value(y, y1 + e * v) - value(y, y1 - e * v)) / (2 * e) ==
          doctest::Approx(g.by_y1.dot(v)).epsilon(1e-6));
    const auto h = energy.calc_hessian(y, y1, s, counts);
    const auto along_y = [&](double t) { return energy.calc_gradient(y + t * w, y1, s, counts); };
    const auto along_y1 = [&](double t) { return energy.calc_gradient(y, y1 + t * w, s, counts); };
    const VectorX yy = (along_y(e).by_y - along_y(-e).by_y) / (2 * e);
    const VectorX yy1 = (along_y1(e).by_y - along_y1(-e).by_y) / (2 * e);
    const VectorX y1y1 = (along_y1(e).by_y1 - along_y1(-e).by_y1) / (2 * e);
    CHECK((h.yy * w - yy).norm() / (1 + yy.norm()) < 1e-7);
    CHECK((h.yy1 * w - yy1).norm() / (1 + yy1.norm()) < 1e-7);
    CHECK((h.y1y1 * w - y1y1).norm() / (1 + y1y1.norm()) < 1e-7);
  }
}
