// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// project∘project = project; points of M stay; the move is normal to M in the mass metric.
#include <doctest/doctest.h>

#include <Eigen/Dense>
#include <algorithm>

#include "evaluate/accelerations.hpp"
#include "evaluate/joint_rows.hpp"
#include "manifold/assembly.hpp"
#include "manifold/projection.hpp"
#include "support/random_model.hpp"
#include "support/reference.hpp"

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

namespace {

// J of the whole system at the rows in ws, [rows × 6 bodies].
Eigen::MatrixXd make_jacobian(const Topology& t, const Workspace<double>& ws) {
  Eigen::MatrixXd J = Eigen::MatrixXd::Zero(t.n_rows, 6 * t.n_bodies);
  for (int k = 0; k < t.n_joints; ++k) {
    for (int r = 0; r < t.joints[k].n_rows; ++r) {
      const Row<double> row = get_row(t, ws, k, r);
      const auto put = [&](int b, double sign, const Vector3<double>& alpha) {
        if (b == t.n_bodies) return;
        const Vector3<double> l = sign * row.linear;
        const Vector3<double> a = sign * transposed_times(ws.pose[b].R, alpha);
        J.block<1, 6>(t.joints[k].row + r, 6 * b) << l.x, l.y, l.z, a.x, a.y, a.z;
      };
      put(t.joints[k].body_i, -1, row.alpha_i);
      put(t.joints[k].body_j, 1, row.alpha_j);
    }
  }
  return J;
}

// How far M w is from range Jᵀ at the point z, as a part of |M w|.
double calc_tangential_part(const SystemIn<Spatial>& system, const std::vector<double>& z,
                            const Eigen::VectorXd& w) {
  const Topology& t = system.topology;
  Workspace<double> ws(t);
  prepare(system, z, ws);
  const Eigen::MatrixXd J = make_jacobian(t, ws);
  Eigen::VectorXd momentum(6 * t.n_bodies);
  for (int b = 0; b < t.n_bodies; ++b) {
    const BodyParameters<double>& p = system.parameters.bodies[b];
    const double metric[6] = {p.mass, p.mass, p.mass, p.inertia.x, p.inertia.y, p.inertia.z};
    for (int k = 0; k < 6; ++k) momentum[6 * b + k] = metric[k] * w[6 * b + k];
  }
  const Eigen::VectorXd mu = J.transpose().colPivHouseholderQr().solve(momentum);
  return (J.transpose() * mu - momentum).norm() / momentum.norm();
}

// The displacement (dr, φ) from `on` to `off`, φ in the frames of `on`: the tangent there.
Eigen::VectorXd calc_displacement(const Topology& t, const std::vector<double>& on,
                                  const std::vector<double>& off) {
  Eigen::VectorXd w(6 * t.n_bodies);
  for (int b = 0; b < t.n_bodies; ++b) {
    const double *y = on.data() + t.layout.y(b), *x = off.data() + t.layout.y(b);
    for (int k = 0; k < 3; ++k) w[6 * b + k] = x[k] - y[k];
    const Vector3<double> turn = Spatial::calc_turn(y, x);
    w.segment<3>(6 * b + 3) << turn.x, turn.y, turn.z;
  }
  return w;
}

// Newton's iteration in full: S of every iterate.
std::vector<double> projected_by_newton(const SystemIn<Spatial>& system, std::vector<double> z) {
  const Topology& t = system.topology;
  Workspace<double> ws(t);
  for (int k = 0; k < 8; ++k) {
    prepare(system, z, ws);
    ws.mu = ws.g;
    solve(t.program, ws.factor(), ws.mu.data());
    calc_mass_step(t, system.parameters, ws, ws.mu.data());
    for (int b = 0; b < t.n_bodies; ++b) {
      Spatial::retract(z.data() + t.layout.y(b), -ws.twist[b].linear, -ws.twist[b].angular);
    }
  }
  return z;
}

}  // namespace

TEST_CASE("the mass projection moves along M^-1 J^T: normal to M in the mass metric") {
  test::Random random(5);
  for (const char* name : {"paper/crank.yaml", "paper/quadrangle.yaml"}) {
    const System handle = compile(test::read_repository_model(name));
    const SystemIn<Spatial>& system = as_spatial(handle.data());
    const Topology& t = system.topology;
    const std::vector<double> start = assemble(system).z;
    CAPTURE(name);

    // velocities: M Δu ∈ range Jᵀ
    std::vector<double> off = start;
    for (double& x : off) x += random.uniform(-1e-6, 1e-6);
    const std::vector<double> on = projected(system, off);
    Eigen::VectorXd change(6 * t.n_bodies);
    for (int b = 0; b < t.n_bodies; ++b) {
      for (int k = 0; k < 6; ++k) {
        change[6 * b + k] = off[t.layout.u(b) + k] - on[t.layout.u(b) + k];
      }
    }
    CHECK(calc_tangential_part(system, on, change) < 1e-8);

    // positions: J turns on the way, so that a point ε off M is moved along the normal up to a part
    // of order ε. A frozen S takes other steps along the same J, and changes nothing in that.
    Workspace<double> far(t);
    std::vector<double> elsewhere = start;
    for (double& x : elsewhere) x += random.uniform(-1e-2, 1e-2);
    prepare(system, elsewhere, far);
    for (double size : {1e-3, 1e-5, 1e-7}) {
      off = start;
      for (int b = 0; b < t.n_bodies; ++b) {
        for (int k = 0; k < 7; ++k) off[t.layout.y(b) + k] += random.uniform(-size, size);
        Spatial::normalise(off.data() + t.layout.y(b));
      }
      std::vector<double> frozen = off;
      Workspace<double> ws(t);
      ws.values = far.values;
      ws.inverse = far.inverse;
      ws.stages.provide(Stage::factor);
      REQUIRE(project_position(system, frozen.data(), ws, 1e-12).outcome ==
              PositionProjection::Outcome::converged);
      const auto part = [&](const std::vector<double>& reached) {
        return calc_tangential_part(system, reached, calc_displacement(t, reached, off));
      };
      const double newton = part(projected_by_newton(system, off));
      const double chord = part(projected(system, off)), old = part(frozen);
      MESSAGE("off by ", size, ": Newton ", newton, ", chord ", chord, ", old factor ", old);
      // the displacement is size, and its digits are those of coordinates near 1
      const double limit = 10.0 * size + 1e-13 / size;
      CHECK(newton <= limit);
      CHECK(chord <= limit);
      CHECK(old <= limit);
      // and along no other direction: the tangential part of a step not along the normal is of
      // order 1
      CHECK(calc_tangential_part(system, start, Eigen::VectorXd::Ones(6 * t.n_bodies)) > 0.01);
    }
  }
}

TEST_CASE("every projection is reported: what it met, what it left, and where") {
  Model model = test::read_repository_model("paper/quadrangle.yaml");
  model.simulation.t_end = 1.0;
  for (Projection projection :
       {Projection::mass, Projection::quasi_orthogonal, Projection::orthogonal}) {
    SimulationOptions options = test::with_tolerance(model.simulation, 1e-7);
    options.projection = projection;
    options.hold_energy = false;
    const Results results = test::run(model, options);
    REQUIRE(results.status.outcome == Outcome::finished);
    const double limit = projection == Projection::mass ? 1e-14 : 1e-9;  // newton_tolerance
    double worst = 0.0;
    for (const StepRecord& step : results.steps) {
      if (!step.accepted) {
        CHECK(step.worst_row == -1);
        continue;
      }
      REQUIRE(step.worst_row >= 0);
      CHECK(step.worst_row < 17);
      CHECK(step.residual_in > 0.0);
      CHECK(step.residual_in < 1e-4);
      CHECK(step.residual_out <= std::max(limit, 1e-3 * step.residual_in));
      if (step.residual_in > limit) CHECK(step.iterations >= 1);
      worst = std::max(worst, step.residual_in);
    }
    CHECK(results.worst_projection.residual_in == worst);
    CHECK(std::find(results.row_names.begin(), results.row_names.end(),
                    results.worst_projection.row) != results.row_names.end());
    CHECK(full_report(results).find(results.worst_projection.row) != std::string::npos);
    CHECK(to_json(results).find("\"worst_projection\": {") != std::string::npos);
  }
  // nothing to project: no row
  const Results free = test::run(test::read_repository_model("gallery/free_body.yaml"), {});
  CHECK(free.worst_projection.row.empty());
  CHECK(full_report(free).find("Largest correction") == std::string::npos);
}
