// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Free-body balance with couplers, drivers and force elements: what a body does is what applied
// forces, the recorded reactions of joints and the recorded loads make it do. A load τ on the
// coordinate q of two bodies is the wrench τ ∂q̇/∂u: it does no work where q does not move.
#include <doctest/doctest.h>

#include <cmath>

#include "support/reference.hpp"
#include "system/coordinate.hpp"
#include "system/forces.hpp"
#include "system/frames.hpp"
#include "system/joint_rows.hpp"
#include "system/system.hpp"

using namespace trammel;

namespace {

double size(const auto& v) { return std::sqrt(dot(v, v)); }

template <class Space>
class Balance {
 public:
  using V = Linear<double, Space>;
  using A = Angular<double, Space>;

  Balance(const System& handle, const SystemIn<Space>& system, const Results& results)
      : handle_(handle), system_(system), results_(results), ws_(system.topology) {}

  // The largest residual of Newton's and Euler's equations, by the sizes of what adds up in them.
  double calc_residual(std::size_t row) {
    const std::size_t n = system_.body_names.size();
    std::vector<BodyState> states(n);
    for (std::size_t b = 0; b < n; ++b) {
      const std::size_t at = row * n + b;
      std::copy_n(&results_.position[3 * at], 3, states[b].position.begin());
      std::copy_n(&results_.orientation[4 * at], 4, states[b].orientation.begin());
      std::copy_n(&results_.velocity[3 * at], 3, states[b].velocity.begin());
      std::copy_n(&results_.angular_velocity[3 * at], 3, states[b].angular_velocity.begin());
    }
    const Accelerations a = calc_accelerations(handle_, states, results_.time[row]);
    std::vector<double> z(system_.topology.layout.size(), 0.0);
    import_state(system_, states, z.data());
    ws_.time = results_.time[row];
    calc_positions(system_.topology, z.data(), ws_);
    calc_velocities(system_.topology, z.data(), ws_);
    calc_forces(system_.topology, system_.parameters, ws_);
    sum_.assign(n + 1, {V::zero(), A::zero()});
    sizes_.assign(n + 1, 1e-300);
    for (std::size_t b = 0; b < n; ++b) {
      const BodyParameters<double, Space>& body = system_.parameters.bodies[b];
      const V linear = Space::import_linear(Vector3<double>::load(a.linear[b].data()));
      const Matrix3<double> Q = calc_rotation(system_.principal[b].data());
      const A angular =
          Space::import_angular(transposed_times(Q, Vector3<double>::load(a.angular[b].data())));
      const A torque =
          Space::calc_effective_torque(ws_.torque_B[b], body.inertia, ws_.pose[b].Omega);
      add(b, ws_.force_W[b] + body.mass * (system_.parameters.gravity - linear),
          ws_.pose[b].R * (torque - scaled(body.inertia, angular)));
    }
    add_reactions(row);
    add_loads(row);
    double largest = 0.0;
    for (std::size_t b = 0; b < n; ++b) {
      largest = std::max(
          largest, (size(sum_[b].linear) * system_.length[b] + size(sum_[b].angular)) / sizes_[b]);
    }
    return largest;
  }

 private:
  // A force and a moment about the centre of mass, both in the world.
  void add(std::size_t body, const V& force, const A& moment) {
    sum_[body].linear += force;
    sum_[body].angular += moment;
    const double length = body < system_.length.size() ? system_.length[body] : 1.0;
    sizes_[body] += size(force) * length + size(moment);
  }

  void add_reactions(std::size_t row) {
    for (int k = 0; k < system_.topology.n_joints; ++k) {
      const JointTopology& joint = system_.topology.joints[k];
      const std::size_t at = 3 * (row * results_.joint_names.size() + k);
      const V F = Space::import_linear(Vector3<double>::load(&results_.reaction_force[at]));
      const A M = Space::import_angular(Vector3<double>::load(&results_.reaction_moment[at]));
      const Pose<double, Space>&i = ws_.pose[joint.body_i], &j = ws_.pose[joint.body_j];
      const V arm = j.R * system_.parameters.joints[k].point_j;
      add(joint.body_j, F, M + cross(arm, F));
      add(joint.body_i, -F, -M - cross((j.r + arm) - i.r, F));
    }
  }

  // Loads stand in the order of the coordinate rows (without threads) and of their terms.
  void add_loads(std::size_t row) {
    const Topology& topology = system_.topology;
    std::size_t k = 0;
    for (const CoordinateRow& at : topology.coordinate_rows) {
      if (at.joint >= 0) continue;
      for (int t = at.term_begin; t < at.term_end; ++t, ++k) {
        while (system_.loads[k].driver >= 0) ++k;  // powers
        const double load = results_.load[row * results_.load_names.size() + k];
        const int c = topology.terms[t].coordinate;
        const CoordinateTopology& of = topology.coordinates[c];
        const Pose<double, Space>&i = ws_.pose[of.body_i], &j = ws_.pose[of.body_j];
        const auto q = calc_coordinate(of.kind, system_.parameters.coordinates[c], i, j);
        add(of.body_j, load * q.linear, j.R * (load * q.angular_j));
        add(of.body_i, -load * q.linear, i.R * (load * q.angular_i));
        ++used_;
      }
    }
  }

 public:
  int used() const { return used_; }

 private:
  const System& handle_;
  const SystemIn<Space>& system_;
  const Results& results_;
  Workspace<double, Space> ws_;
  std::vector<Twist<double, Space>> sum_;  // [bodies + 1]
  std::vector<double> sizes_;
  int used_ = 0;
};

}  // namespace

TEST_CASE("forces, reactions and loads balance on every body") {
  for (const char* name :
       {"examples/joints/gear", "examples/joints/belt", "examples/joints/rack_and_pinion",
        "examples/joints/coupler", "examples/joints/screw", "examples/drivers/angle",
        "examples/drivers/travel_table", "examples/drivers/distance", "examples/drivers/position",
        "gallery/quick_return", "gallery/differential", "gallery/double_wishbone",
        "examples/forces/variable_force"}) {
    CAPTURE(name);
    const Model model = test::read_repository_model(std::string(name) + ".yaml");
    SimulationOptions options = test::with_tolerance(model.simulation, 1e-9);
    options.t_end = std::min(options.t_end, 1.0);
    options.output_interval = options.t_end / 20;
    const System handle = compile(model);
    const Results results = simulate(handle, options);
    REQUIRE(results.status.outcome == Outcome::finished);
    visit_space(handle.data(), [&]<class Space>(const SystemIn<Space>& system) {
      Balance<Space> balance(handle, system, results);
      for (std::size_t row = 0; row < results.time.size(); ++row) {
        CHECK(balance.calc_residual(row) <= 1e-9);
      }
      const bool loaded = !model.couplers.empty() || !model.drivers.empty();
      CHECK((balance.used() > 0) == loaded);
    });
  }
}
