// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// project∘project = project; points of M stay; the move is normal to M in the mass metric.
#include <doctest/doctest.h>

#include <Eigen/Dense>

#include "dynamics/assembly.hpp"
#include "dynamics/distribution.hpp"
#include "dynamics/projection.hpp"
#include "support/random_model.hpp"
#include "support/reference.hpp"
#include "system/joint_rows.hpp"

using namespace trammel;

namespace {

void prepare(const SystemIn<Spatial>& system, const std::vector<double>& z, Workspace<double>& ws) {
  calc_positions(system.topology, z.data(), ws);
  calc_rows(system.topology, system.parameters, ws);
  REQUIRE(calc_factor(system.topology, system.parameters, ws, run_drop_tolerance) < 0);
}

std::vector<double> projected(const SystemIn<Spatial>& system, std::vector<double> z) {
  Workspace<double> ws(system.topology);
  prepare(system, z, ws);
  const PositionProjection report = project_position(system, z.data(), ws, 1e-12);
  REQUIRE(report.outcome == PositionProjection::Outcome::converged);
  prepare(system, z, ws);
  const LargestRow residual = project_velocity(system, z.data(), ws);
  CHECK(report.residual < 1e-14);
  CHECK(residual.value < 1e-13);
  return z;
}

double difference(const std::vector<double>& a, const std::vector<double>& b) {
  double largest = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
  return largest;
}

}  // namespace

TEST_CASE("projecting twice is projecting once, and M stays where it is") {
  test::Random random(4);
  for (const char* name : {"paper/pendulum.yaml", "paper/quadrangle.yaml", "paper/crank.yaml"}) {
    const System handle = compile(test::read_repository_model(name));
    const SystemIn<Spatial>& system = as_spatial(handle.data());
    const std::vector<double> on = assemble(system).z;
    CHECK(difference(projected(system, on), on) < 1e-14);
    for (int trial = 0; trial < 20; ++trial) {
      std::vector<double> off = on;
      for (double& x : off) x += random.uniform(-1e-3, 1e-3);
      const std::vector<double> once = projected(system, off);
      CHECK(difference(once, off) > 1e-5);
      CHECK(difference(projected(system, once), once) < 1e-13);
    }
  }
}

TEST_CASE("the mass projection moves along M^-1 J^T: normal to M in the mass metric") {
  test::Random random(5);
  const System handle = compile(test::read_repository_model("paper/crank.yaml"));
  const SystemIn<Spatial>& system = as_spatial(handle.data());
  const Topology& t = system.topology;
  std::vector<double> off = assemble(system).z;
  for (double& x : off) x += random.uniform(-1e-6, 1e-6);
  Workspace<double> ws(t);
  prepare(system, off, ws);
  const std::vector<double> on = projected(system, off);
  prepare(system, on, ws);
  // the velocity part Δu must satisfy M Δu ∈ range Jᵀ: its least-squares residual vanishes
  Eigen::MatrixXd J = Eigen::MatrixXd::Zero(t.n_rows, 6 * t.n_bodies);
  Eigen::VectorXd momentum(6 * t.n_bodies);
  for (int k = 0; k < t.n_joints; ++k) {
    for (int r = t.joints[k].row; r < t.joints[k].row + t.program.size[k]; ++r) {
      const auto put = [&](int b, double sign, const Vector3<double>& a) {
        const Vector3<double>& l = ws.linear[r];
        if (b < t.n_bodies) J.block<1, 6>(r, 6 * b) << sign * l.x, sign * l.y, sign * l.z, a.x, a.y, a.z;
      };
      put(t.joints[k].body_i, -1, ws.angular_i[r]);
      put(t.joints[k].body_j, 1, ws.angular_j[r]);
    }
  }
  for (int b = 0; b < t.n_bodies; ++b) {
    const BodyParameters<double>& p = system.parameters.bodies[b];
    const double metric[6] = {p.mass, p.mass, p.mass, p.inertia.x, p.inertia.y, p.inertia.z};
    for (int k = 0; k < 6; ++k) {
      const int i = t.layout.u(b) + k;
      momentum[6 * b + k] = metric[k] * (on[i] - off[i]);
    }
  }
  const Eigen::VectorXd mu = J.transpose().colPivHouseholderQr().solve(momentum);
  CHECK((J.transpose() * mu - momentum).norm() < 1e-8 * momentum.norm());
}
