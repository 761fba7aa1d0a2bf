// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Free-body balance: what a body does is what applied forces and the recorded reactions make it do,
//
//   m a = m g + F + Σ F_joint,   𝕀Ω̇ + Ω×𝕀Ω = τ + Rᵀ Σ (M_joint + arm × F_joint)
//
// for every body of every model of the repository, at every output point. Models with couplers and
// drivers, whose loads are not those of one joint, have a test of their own (load_balance_test.cpp).
#include <doctest/doctest.h>

#include <filesystem>

#include "dynamics/mechanical_problem.hpp"
#include "support/reference.hpp"
#include "system/forces.hpp"
#include "system/frames.hpp"
#include "system/joint_rows.hpp"

using namespace trammel;

namespace {

double size(const auto& v) { return std::sqrt(dot(v, v)); }

template <class Space>
class FreeBodies {
 public:
  using V = Linear<double, Space>;
  using A = Angular<double, Space>;

  FreeBodies(const SystemIn<Space>& system, const Results& results)
      : system_(system),
        results_(results),
        problem_(system, {}),
        ws_(system.topology),
        z_(system.topology.layout.size()),
        rate_(z_.size()) {}

  // The largest residual of a row of the results, relative to the forces in play.
  double calc_residual(std::size_t row) {
    evaluate(row);
    collect_reactions(row);
    double largest = 0.0;
    for (int b = 0; b < system_.topology.n_bodies; ++b) {
      const BodyParameters<double, Space>& body = system_.parameters.bodies[b];
      const double* u1 = rate_.data() + system_.topology.layout.u(b);
      const V inertial = body.mass * (V::load(u1) - system_.parameters.gravity);
      const V force = (inertial - ws_.force_W[b]) - force_[b];
      const A spin = scaled(body.inertia, A::load(u1 + Space::dimension));
      const A applied =
          Space::calc_effective_torque(ws_.torque_B[b], body.inertia, ws_.pose[b].Omega);
      // compared in the world
      const A moment = ws_.pose[b].R * (spin - applied) - moment_[b];
      const double of_forces = forces_[b] + size(ws_.force_W[b]) +
                               body.mass * (size(V::load(u1)) + size(system_.parameters.gravity));
      const double of_moments =
          moments_[b] + size(spin) + size(applied) + of_forces * system_.length[b];
      largest = std::max(largest, size(force) / (1e-300 + of_forces));
      largest = std::max(largest, size(moment) / (1e-300 + of_moments));
    }
    return largest;
  }

 private:
  void evaluate(std::size_t row) {
    const std::size_t n = system_.body_names.size();
    std::vector<BodyState> states;
    for (std::size_t b = 0; b < n; ++b) {
      const std::size_t at = row * n + b;
      BodyState state;
      std::copy_n(results_.position.data() + 3 * at, 3, state.position.data());
      std::copy_n(results_.orientation.data() + 4 * at, 4, state.orientation.data());
      std::copy_n(results_.velocity.data() + 3 * at, 3, state.velocity.data());
      std::copy_n(results_.angular_velocity.data() + 3 * at, 3, state.angular_velocity.data());
      states.push_back(state);
    }
    std::fill(z_.begin(), z_.end(), 0.0);
    import_state(system_, states, z_.data());
    REQUIRE(problem_.start(z_.data(), rate_.data()));
    calc_positions(system_.topology, z_.data(), ws_);
    calc_velocities(system_.topology, z_.data(), ws_);
    calc_forces(system_.topology, system_.parameters, ws_);
  }

  void collect_reactions(std::size_t row) {
    const std::size_t bodies = system_.body_names.size() + 1;
    force_.assign(bodies, V::zero());
    moment_.assign(bodies, A::zero());
    forces_.assign(bodies, 0.0);
    moments_.assign(bodies, 0.0);
    for (int k = 0; k < system_.topology.n_joints; ++k) {
      const JointTopology& joint = system_.topology.joints[k];
      const std::size_t at = 3 * (row * results_.joint_names.size() + k);
      const V F = Space::import_linear(Vector3<double>::load(results_.reaction_force.data() + at));
      const A M =
          Space::import_angular(Vector3<double>::load(results_.reaction_moment.data() + at));
      // the joint's point on body j
      const V arm_j = problem_.workspace().vectors[k].p_j;
      const V arm_i = (ws_.pose[joint.body_j].r + arm_j) - ws_.pose[joint.body_i].r;
      add(joint.body_j, F, M, arm_j);
      add(joint.body_i, -F, -M, arm_i);
    }
  }

  void add(int body, const V& F, const A& M, const V& arm) {
    force_[body] += F;
    moment_[body] += M + cross(arm, F);
    forces_[body] += size(F);
    moments_[body] += size(M) + size(arm) * size(F);
  }

  const SystemIn<Space>& system_;
  const Results& results_;
  MechanicalProblem<Space> problem_;
  Workspace<double, Space> ws_;
  std::vector<double> z_, rate_;
  std::vector<V> force_;                  // [bodies + 1] Σ of reactions, world
  std::vector<A> moment_;                 // about the centres of mass, world
  std::vector<double> forces_, moments_;  // Σ of their sizes
};

bool has_coupled_coordinates(const Model& model) {
  return !compile(model).data().topology.coordinate_rows.empty();
}

double calc_largest_residual(const Model& model) {
  SimulationOptions options = test::with_tolerance(model.simulation, 1e-8);
  options.t_end = std::min(options.t_end, 1.0);
  options.output_interval = options.t_end / 40;
  options.projection = Projection::mass;
  const System handle = compile(model);
  const Results results = simulate(handle, options);
  REQUIRE(results.status.outcome == Outcome::finished);
  return visit_space(handle.data(), [&]<class Space>(const SystemIn<Space>& system) {
    FreeBodies<Space> bodies(system, results);
    double largest = 0.0;
    for (std::size_t row = 0; row < results.time.size(); ++row) {
      largest = std::max(largest, bodies.calc_residual(row));
    }
    return largest;
  });
}

}  // namespace

TEST_CASE("forces and reactions balance on every body of every model") {
  int count = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(TRAMMEL_MODELS_DIR)) {
    if (entry.path().extension() != ".yaml") continue;
    CAPTURE(entry.path().string());
    const Model model = read_model(entry.path().string());
    if (has_coupled_coordinates(model)) continue;
    CHECK(calc_largest_residual(model) <= 1e-9);
    ++count;
  }
  CHECK(count >= 30);
}

TEST_CASE("a reaction that is wrong by a part in a million is noticed") {
  Model model = test::read_repository_model("examples/joints/generic.yaml");
  const System handle = compile(model);
  model.simulation.t_end = 0.1;
  Results results = simulate(handle, model.simulation);
  const auto residual = [&] {
    FreeBodies<Spatial> bodies(as_spatial(handle.data()), results);
    return bodies.calc_residual(results.time.size() - 1);
  };
  CHECK(residual() <= 1e-9);
  const std::size_t last = results.reaction_moment.size() - 3;
  for (std::size_t k = last; k < last + 3; ++k) results.reaction_moment[k] *= 1 + 1e-6;
  CHECK(residual() > 1e-8);
}
