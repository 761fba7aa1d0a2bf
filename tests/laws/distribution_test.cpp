// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The distribution against a dense solution of the whole KKT system by another library, on random
// trees with loops; the balance of forces on every body; refusal of dependent rows.
#include <doctest/doctest.h>

#include <Eigen/Dense>
#include <cmath>

#include "evaluate/accelerations.hpp"
#include "evaluate/forces.hpp"
#include "evaluate/joint_rows.hpp"
#include "evaluate/reactions.hpp"
#include "problem/mechanical_problem.hpp"
#include "support/random_model.hpp"

using namespace trammel;
using test::Random;

namespace {

// A random tree of n bodies from the ground, and loops closed by sphericals between far bodies.
Model make_tree(Random& random, int n, int loops) {
  Model model;
  model.gravity = random.vector(9.81);
  const auto name = [](int b) { return b < 0 ? std::string(ground) : "body" + std::to_string(b); };
  for (int b = 0; b < n; ++b) {
    model.bodies.push_back(test::make_random_body(random, name(b)));
    const int parent = static_cast<int>(std::floor(random.uniform(-1, b)));
    const JointKind kind = test::all_joint_kinds[static_cast<int>(random.uniform(0, 5))];
    model.joints.push_back(
        test::make_fitting_joint(random, "joint" + std::to_string(b), kind, name(parent), name(b)));
  }
  for (int k = 0; k < loops; ++k) {
    const int a = static_cast<int>(random.uniform(0, n / 3));
    const int b = static_cast<int>(random.uniform(2 * n / 3, n));
    model.joints.push_back(test::make_fitting_joint(random, "loop" + std::to_string(k),
                                                    JointKind::spherical, name(a), name(b)));
  }
  model.forces.push_back(
      {"push", PointForce{name(0), Frame::world, random.vector(), random.vector()}});
  model.forces.push_back({"twist", Torque{name(n - 1), Frame::body, random.vector()}});
  model.forces.push_back({"spring", SpringDamper{name(0), name(n - 1), random.vector(),
                                                 random.vector(), 3.0, 0.5, 0.1}});
  return model;
}

struct Dense {
  Eigen::MatrixXd J;
  Eigen::MatrixXd M;
};

Dense make_dense(const SystemIn<Spatial>& system, const Workspace<double>& ws) {
  const Topology& t = system.topology;
  Dense dense{Eigen::MatrixXd::Zero(t.n_rows, 6 * t.n_bodies),
              Eigen::MatrixXd::Zero(6 * t.n_bodies, 6 * t.n_bodies)};
  for (int k = 0; k < t.n_joints; ++k) {
    const JointTopology& joint = t.joints[k];
    for (int r = 0; r < joint.n_rows; ++r) {
      const Row<double> row = get_row(t, ws, k, r);
      const auto put = [&](int body, double sign, const Vector3<double>& alpha) {
        if (body == t.ground()) return;
        const Vector3<double> l = sign * row.linear;
        const Vector3<double> a = sign * transposed_times(ws.pose[body].R, alpha);
        dense.J.block<1, 6>(joint.row + r, 6 * body) << l.x, l.y, l.z, a.x, a.y, a.z;
      };
      put(joint.body_i, -1.0, row.alpha_i);
      put(joint.body_j, 1.0, row.alpha_j);
    }
  }
  for (int b = 0; b < t.n_bodies; ++b) {
    const BodyParameters<double>& p = system.parameters.bodies[b];
    dense.M.diagonal().segment<6>(6 * b) << p.mass, p.mass, p.mass, p.inertia.x, p.inertia.y,
        p.inertia.z;
  }
  return dense;
}

// f = (F + m g, τ − Ω×𝕀Ω) of all bodies, without the solver.
Eigen::VectorXd make_applied_forces(const SystemIn<Spatial>& system, const std::vector<double>& z) {
  const Topology& t = system.topology;
  Workspace<double> ws(t);
  calc_positions(t, z.data(), ws);
  calc_velocities(t, z.data(), ws);
  calc_forces(t, system.parameters, ws);
  Eigen::VectorXd f(6 * t.n_bodies);
  for (int b = 0; b < t.n_bodies; ++b) {
    const BodyParameters<double>& p = system.parameters.bodies[b];
    const Vector3<double>& Omega = ws.pose[b].Omega;
    (ws.force_W[b] + p.mass * system.parameters.gravity).store(f.data() + 6 * b);
    (ws.torque_B[b] - cross(Omega, scaled(p.inertia, Omega))).store(f.data() + 6 * b + 3);
  }
  return f;
}

}  // namespace

TEST_CASE("accelerations and multipliers equal a dense solution of the KKT system") {
  Random random(2);
  int checked = 0;
  for (int trial = 0; trial < 40; ++trial) {
    const int n = 3 + trial % 20;
    const System handle = compile(make_tree(random, n, trial % 3));
    const SystemIn<Spatial>& system = as_spatial(handle.data());
    const Topology& t = system.topology;
    const CheckReport report = check(handle);
    if (!report.ok() || !report.dependent.empty()) continue;  // a random loop may be redundant
    ++checked;
    std::vector<double> z = system.initial, rate(z.size());
    MechanicalProblem problem(system, {});
    REQUIRE(problem.start(z.data(), rate.data()));
    const Workspace<double>& ws = problem.point().ws;
    const Dense dense = make_dense(system, ws);

    Eigen::VectorXd u_dot(6 * t.n_bodies), lambda(t.n_rows), gamma(t.n_rows);
    for (int i = 0; i < 6 * t.n_bodies; ++i) u_dot[i] = rate[t.layout.u(0) + i];
    for (int r = 0; r < t.n_rows; ++r) {
      lambda[r] = ws.lambda[r];
      gamma[r] = ws.gamma[r];
    }
    const Eigen::VectorXd f = make_applied_forces(system, z);
    Eigen::MatrixXd kkt(6 * t.n_bodies + t.n_rows, 6 * t.n_bodies + t.n_rows);
    kkt << dense.M, dense.J.transpose(), dense.J, Eigen::MatrixXd::Zero(t.n_rows, t.n_rows);
    Eigen::VectorXd right(6 * t.n_bodies + t.n_rows);
    right << f, -gamma;
    const Eigen::VectorXd solution = kkt.fullPivLu().solve(right);
    const double scale = 1.0 + u_dot.norm() + lambda.norm();
    CHECK((solution.head(6 * t.n_bodies) - u_dot).norm() / scale < 1e-9);
    CHECK((solution.tail(t.n_rows) - lambda).norm() / scale < 1e-9);
    CHECK((dense.J * u_dot + gamma).norm() / scale < 1e-10);
  }
  CHECK(checked >= 20);
}

TEST_CASE("on every body applied forces, reactions and inertia are in balance") {
  Random random(3);
  int checked = 0;
  for (int trial = 0; trial < 20; ++trial) {
    Model model = make_tree(random, 4 + trial, 1);
    model.forces.clear();
    const System handle = compile(model);
    const SystemIn<Spatial>& system = as_spatial(handle.data());
    const Topology& t = system.topology;
    if (!check(handle).ok()) continue;
    ++checked;
    std::vector<double> z = system.initial, rate(z.size());
    MechanicalProblem problem(system, {});
    REQUIRE(problem.start(z.data(), rate.data()));
    const Workspace<double>& ws = problem.point().ws;
    std::vector<Vector3<double>> force(t.n_bodies + 1, Vector3<double>::zero()), moment = force;
    for (int k = 0; k < t.n_joints; ++k) {
      const JointTopology& joint = t.joints[k];
      const Wrench<double, Spatial> w =
          calc_reaction(system.topology, system.parameters, ws, ws.lambda.data(), k);
      const Pose<double>& j = ws.pose[joint.body_j];
      const Vector3<double> at = j.r + j.R * system.parameters.joints[k].point_j;
      const auto add = [&](int body, double sign) {
        force[body] += sign * w.force;
        moment[body] += sign * (w.moment + cross(at - ws.pose[body].r, w.force));
      };
      add(joint.body_j, 1.0);
      add(joint.body_i, -1.0);
    }
    for (int b = 0; b < t.n_bodies; ++b) {
      const BodyParameters<double>& p = system.parameters.bodies[b];
      const double* a = rate.data() + t.layout.u(b);
      const Vector3<double> Omega = ws.pose[b].Omega;
      // m a = m g + ΣF and 𝕀Ω̇ + Ω×𝕀Ω = Rᵀ ΣM
      const Vector3<double> linear =
          p.mass * (Vector3<double>::load(a) - system.parameters.gravity) - force[b];
      const Vector3<double> angular = scaled(p.inertia, Vector3<double>::load(a + 3)) +
                                      cross(Omega, scaled(p.inertia, Omega)) -
                                      transposed_times(ws.pose[b].R, moment[b]);
      const double scale = 1.0 + dot(force[b], force[b]) + dot(moment[b], moment[b]);
      CHECK(dot(linear, linear) / scale < 1e-18);
      CHECK(dot(angular, angular) / scale < 1e-18);
    }
  }
  CHECK(checked >= 10);
}
