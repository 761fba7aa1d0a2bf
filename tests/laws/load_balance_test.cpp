// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Free-body balance: what a body does is what applied forces, the recorded reactions of joints and
// the recorded loads of couplers and drivers make it do,
//
//   m a = m g + F + Σ F_joint + Σ F_load,   𝕀Ω̇ + Ω×𝕀Ω = τ + Rᵀ Σ (M + arm × F)
//
// for every body of every model of the repository, at output points all along the run. A load τ on
// the coordinate q of two bodies is the wrench τ ∂q̇/∂u: it does no work where q does not move.
#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>
#include <set>

#include "model/joint_rules.hpp"

#include "elements/coordinate.hpp"
#include "evaluate/forces.hpp"
#include "evaluate/joint_rows.hpp"
#include "support/reference.hpp"
#include "system/frames.hpp"
#include "system/state.hpp"
#include "system/system.hpp"
#include "trammel/channels.hpp"

using namespace trammel;

namespace {

double size(const auto& v) { return std::sqrt(dot(v, v)); }

template <class Space>
class Balance {
 public:
  using V = Linear<double, Space>;
  using A = Angular<double, Space>;

  Balance(const SystemIn<Space>& system, const Results& results)
      : system_(system), results_(results), ws_(system.topology) {}

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
    std::vector<double> z(system_.topology.layout.size(), 0.0);
    import_state(system_, states, z.data());
    // a load may depend on whole revolutions, which the pose of a body does not have
    const State<Space> state(system_.topology.layout, z.data());
    for (std::size_t k = 0; k < system_.topology.references.size(); ++k) {
      const int c = system_.topology.references[k].coordinate;
      if (c >= 0) {
        state.reference(static_cast<int>(k)) =
            results_.coordinate[row * results_.coordinate_names.size() + c];
      }
    }
    for (std::size_t k = 0; k < system_.states.size(); ++k) {
      state.own(static_cast<int>(k)) = column(results_, system_.states[k].name)[row];
    }
    ws_.time = results_.time[row];
    calc_positions(system_.topology, z.data(), ws_);
    calc_velocities(system_.topology, z.data(), ws_);
    calc_forces(system_.topology, system_.parameters, ws_);
    sum_.assign(n + 1, {V::zero(), A::zero()});
    sizes_.assign(n + 1, 1e-300);
    for (std::size_t b = 0; b < n; ++b) {
      const BodyParameters<double, Space>& body = system_.parameters.bodies[b];
      const V linear = Space::import_linear(calc_acceleration_of_com(row, b));
      const Matrix3<double> Q = calc_rotation(system_.principal[b].data());
      const A angular = Space::import_angular(transposed_times(
          Q, Vector3<double>::load(&results_.angular_acceleration[3 * (row * n + b)])));
      const A torque =
          Space::calc_effective_torque(ws_.torque_B[b], body.inertia, ws_.pose[b].Omega);
      add(b, body.mass * system_.parameters.gravity, A::zero());
      add(b, ws_.force_W[b], ws_.pose[b].R * torque);
      add(b, -body.mass * linear, -1.0 * (ws_.pose[b].R * scaled(body.inertia, angular)));
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
  // a + ω̇×c + ω×(ω×c), with a of the origin of the body's frame
  Vector3<double> calc_acceleration_of_com(std::size_t row, std::size_t b) const {
    using V3 = Vector3<double>;
    const std::size_t at = row * system_.body_names.size() + b;
    const V3 a = V3::load(&results_.acceleration[3 * at]);
    if (system_.com.empty()) return a;
    const Matrix3<double> R = calc_rotation(&results_.orientation[4 * at]);
    const V3 c = V3::load(system_.com[b].data());
    const V3 Omega = V3::load(&results_.angular_velocity[3 * at]);
    const V3 rate = V3::load(&results_.angular_acceleration[3 * at]);
    return a + R * (cross(rate, c) + cross(Omega, cross(Omega, c)));
  }

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
        while (system_.loads[k].kind != LoadChannel::Kind::load) ++k;  // powers and coordinates
        const double load = results_.load[row * results_.load_names.size() + k];
        const int c = topology.terms[t].coordinate;
        const CoordinateTopology& of = topology.coordinates[c];
        const Pose<double, Space>&i = ws_.pose[of.body_i], &j = ws_.pose[of.body_j];
        const auto q = calc_coordinate(of.kind, system_.parameters.coordinates[c], i, j);
        add(of.body_j, load * q.row.linear, load * q.row.alpha_j);
        add(of.body_i, -load * q.row.linear, -load * q.row.alpha_i);
        ++used_;
      }
    }
  }

 public:
  int used() const { return used_; }

 private:
  const SystemIn<Space>& system_;
  const Results& results_;
  Workspace<double, Space> ws_;
  std::vector<Twist<double, Space>> sum_;  // [bodies + 1]
  std::vector<double> sizes_;
  int used_ = 0;
};

}  // namespace

namespace {

Results run_shortly(const Model& model, const System& handle) {
  SimulationOptions options = test::with_tolerance(model.simulation, 1e-9);
  options.t_end = std::min(options.t_end, 1.0);
  options.output_interval = options.t_end / 20;
  options.projection = Projection::mass;
  options.record.accelerations = true;
  return simulate(handle, options);
}

// The largest residual, and how many loads took part.
std::pair<double, int> calc_largest_residual(const System& handle, const Results& results) {
  return visit_space(handle.data(), [&]<class Space>(const SystemIn<Space>& system) {
    Balance<Space> balance(system, results);
    double largest = 0.0;
    for (std::size_t row = 0; row < results.time.size(); ++row) {
      largest = std::max(largest, balance.calc_residual(row));
    }
    return std::pair(largest, balance.used());
  });
}

// The words of all that a model is made of.
void add_words(const Model& model, std::set<std::string>& words) {
  for (const Joint& joint : model.joints) words.insert(std::string(to_word(joint.kind)));
  const char* couplers[] = {"gear", "rack_and_pinion", "belt", "coupler", "thread"};
  for (const Coupler& coupler : model.couplers) words.insert(couplers[coupler.law.index()]);
  const char* drivers[] = {"joint driver", "distance driver", "point driver", "frame driver"};
  for (const Driver& driver : model.drivers) {
    words.insert(drivers[driver.law.index()]);
    const auto* of_joint = std::get_if<JointDriver>(&driver.law);
    if (of_joint != nullptr) words.insert(of_joint->is_rate ? "driven rate" : "driven value");
  }
  for (const Force& force : model.forces) {
    words.insert("force " + std::to_string(force.law.index()));
  }
}

}  // namespace

TEST_CASE("forces, reactions and loads balance on every body of every model") {
  std::set<std::string> words;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(TRAMMEL_MODELS_DIR)) {
    if (entry.path().extension() != ".yaml") continue;
    CAPTURE(entry.path().string());
    const Model model = read_model(entry.path().string());
    const System handle = compile(model);
    const Results results = run_shortly(model, handle);
    REQUIRE(results.status.outcome == Outcome::finished);
    const auto rows_of_events =
        std::count_if(results.events.begin(), results.events.end(),
                      [&](const EventRecord& at) { return model.events[at.event].record; });
    CHECK(results.time.size() == 21 + static_cast<std::size_t>(rows_of_events));
    const auto [residual, loads] = calc_largest_residual(handle, results);
    CHECK(residual <= 1e-9);
    const bool has_armature =
        std::any_of(model.joints.begin(), model.joints.end(),
                    [](const Joint& joint) { return !joint.armature.empty(); });
    CHECK((loads > 0) == (!model.couplers.empty() || !model.drivers.empty() || has_armature));
    add_words(model, words);
  }
  // everything there is takes part
  for (const JointWord& entry : joint_rules::joints) {
    CHECK_MESSAGE(words.contains(std::string(entry.word)), std::string(entry.word));
  }
  for (const char* word : {"gear", "rack_and_pinion", "belt", "coupler", "joint driver",
                           "distance driver", "point driver", "driven rate", "driven value"}) {
    CHECK_MESSAGE(words.contains(word), std::string(word));
  }
  for (std::size_t k = 0; k < std::variant_size_v<decltype(Force::law)>; ++k) {
    CHECK_MESSAGE(words.contains("force " + std::to_string(k)), k);
  }
}

TEST_CASE("a reaction or a load that is wrong by a part in a million is noticed") {
  for (const char* name : {"examples/joints/generic.yaml", "examples/joints/gear.yaml"}) {
    const Model model = test::read_repository_model(name);
    const System handle = compile(model);
    Results results = run_shortly(model, handle);
    CHECK(calc_largest_residual(handle, results).first <= 1e-9);
    std::vector<double>& column = results.load.empty() ? results.reaction_moment : results.load;
    for (double& x : column) x *= 1 + 1e-6;
    CHECK(calc_largest_residual(handle, results).first > 1e-8);
  }
}
