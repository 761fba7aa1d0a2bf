// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// simulate_ensemble: four members at a time in the lanes of the vector unit, packs of four on threads.
#include <algorithm>
#include <atomic>
#include <exception>
#include <memory>
#include <optional>

#include "api/prepared_run.hpp"
#include "dynamics/coded_step.hpp"
#include "integrate/lane_runge_kutta.hpp"
#include "math/flushed_subnormals.hpp"
#include "math/thread_pool.hpp"
#include "trammel/trammel.hpp"

namespace trammel {

namespace {

constexpr int lanes = 4;

// Members differ in numbers only.
bool is_alike(const SystemData& a, const SystemData& b) {
  const auto same_joint = [](const JointTopology& x, const JointTopology& y) {
    return x.kind == y.kind && x.body_i == y.body_i && x.body_j == y.body_j && x.n_rows == y.n_rows;
  };
  const auto same_basic = [](const BasicTopology& x, const BasicTopology& y) {
    return x.kind == y.kind && x.joint == y.joint && x.row == y.row;
  };
  return a.planar == b.planar && a.topology.n_bodies == b.topology.n_bodies &&
         a.topology.n_rows == b.topology.n_rows &&
         a.topology.layout.size() == b.topology.layout.size() &&
         std::equal(a.topology.joints.begin(), a.topology.joints.end(), b.topology.joints.begin(),
                    b.topology.joints.end(), same_joint) &&
         std::equal(a.topology.basics.begin(), a.topology.basics.end(), b.topology.basics.begin(),
                    b.topology.basics.end(), same_basic);
}

template <class Space>
bool loads_are_alike(const SystemIn<Space>& a, const SystemIn<Space>& b) {
  const auto one = [](const auto& x, const auto& y) { return x.body == y.body; };
  const auto two = [](const auto& x, const auto& y) {
    return x.body_i == y.body_i && x.body_j == y.body_j;
  };
  const auto equal = [](const auto& x, const auto& y, const auto& same) {
    return std::equal(x.begin(), x.end(), y.begin(), y.end(), same);
  };
  return equal(a.parameters.loads, b.parameters.loads, one) &&
         equal(a.parameters.springs, b.parameters.springs, two) &&
         equal(a.parameters.dampers, b.parameters.dampers, two);
}

// What the code knows nothing of would be left out of a member's motion without a word.
template <class Space>
bool is_known_to_code(const SystemIn<Space>& member) {
  return !member.topology.has_coordinates() && member.topology.n_curves == 0 &&
         member.parameters.elements.empty() && member.parameters.springs.empty() &&
         member.light_candidates.empty();
}

// The members of one kind, and who has taken how many of them.
template <class Space>
struct Ensemble {
  std::vector<const SystemIn<Space>*> members;
  SimulationOptions options;
  std::vector<Results>* results;
  std::atomic<int> next{0};
};

// What the lanes of one thread compute: four members, changing.
template <class Space>
class Lanes {
 public:
  explicit Lanes(Ensemble<Space>& ensemble, std::unique_ptr<CodedStep<Space>> coded)
      : ensemble_(ensemble), coded_(std::move(coded)) {}

  // ---- what LaneRungeKutta calls

  void evaluate(double* z, double* rate, bool* fine) {
    coded_->evaluate(z, rate, fine);
    for (int lane = 0; lane < lanes; ++lane) {
      if (run_[lane] != nullptr) fine[lane] = run_[lane]->problem().take_evaluation(fine[lane]);
    }
  }
  void finish(const bool* wanted, const double* t, const double* h, double* z, double* rate,
              bool* fine) {
    MechanicalProblem<Space>* problems[lanes] = {};
    bool any = false;
    for (int lane = 0; lane < lanes; ++lane) {
      if (wanted[lane]) problems[lane] = &run_[lane]->problem();
      any |= wanted[lane];
    }
    if (any) coded_->finish(problems, t, h, z, rate, fine);
  }
  using Errors = typename CodedStep<Space>::Errors;
  void calc_errors(double* z0, double* z1, double* high, double* low, Errors* errors) {
    const MechanicalProblem<Space>* problems[lanes] = {};
    for (int lane = 0; lane < lanes; ++lane) {
      if (run_[lane] != nullptr) problems[lane] = &run_[lane]->problem();
    }
    coded_->calc_errors(problems, z0, z1, high, low, errors);
  }

  // ---- members

  using Integrator = typename PreparedRun<Space>::Integrator;
  Integrator* take(int lane) {
    while (true) {
      const int k = ensemble_.next.fetch_add(1);
      if (k >= static_cast<int>(ensemble_.members.size())) return nullptr;
      index_[lane] = k;
      const SystemIn<Space>& member = *ensemble_.members[k];
      run_[lane] = std::make_unique<PreparedRun<Space>>(member, ensemble_.options,
                                                        ProgressCallback{}, nullptr);
      if (!run_[lane]->is_started()) {
        give(lane);
        continue;
      }
      if (run_[lane]->is_kinematic()) {
        (*ensemble_.results)[k] = run_[lane]->run_kinematic();
        run_[lane].reset();
        continue;
      }
      coded_->set_member(lane, member);
      Integrator& integrator = run_[lane]->integrator();
      integrator.start(ensemble_.options.t_end, run_[lane]->z().data(), run_[lane]->rate().data());
      return &integrator;
    }
  }
  void give(int lane) {
    (*ensemble_.results)[index_[lane]] = run_[lane]->finish();
    run_[lane].reset();
  }

 private:
  Ensemble<Space>& ensemble_;
  std::unique_ptr<CodedStep<Space>> coded_;
  std::unique_ptr<PreparedRun<Space>> run_[lanes];
  int index_[lanes] = {};
};

// Whether lanes can do it: adaptive steps of dop853, ends of steps by code. Then the rules of that code.
template <class Space>
std::optional<StepRules> find_lane_rules(const std::vector<const SystemIn<Space>*>& members,
                                         const SimulationOptions& options) {
  if (options.method != Method::dop853 || options.fixed_step > 0.0 || options.project_stages ||
      options.kernel != KernelChoice::automatic || uses_jets(options.projection) ||
      members.size() < 2) {
    return std::nullopt;
  }
  for (const SystemIn<Space>* member : members) {
    if (!is_known_to_code(*member) || !is_alike(*members.front(), *member) ||
        !loads_are_alike(*members.front(), *member)) {
      return std::nullopt;
    }
  }
  SimulationOptions by_loops = options;
  by_loops.kernel = KernelChoice::loops;
  const StepRules rules = MechanicalProblem<Space>(*members.front(), by_loops).make_step_rules();
  if (!rules.with_ends) return std::nullopt;
  for (const SystemIn<Space>* member : members) {
    for (std::size_t c = 0; c < rules.holds.size(); ++c) {
      const bool holds = options.hold_energy && can_hold_energy(member->topology.components[c],
                                                                options.hold_dissipative);
      if (holds != (rules.holds[c] != 0)) return std::nullopt;
    }
  }
  return rules;
}

template <class Space>
bool simulate_in_lanes(const std::vector<System>& handles, const SimulationOptions& options,
                       std::vector<Results>& results) {
  Ensemble<Space> ensemble;
  for (const System& handle : handles) {
    ensemble.members.push_back(&static_cast<const SystemIn<Space>&>(handle.data()));
  }
  const std::optional<StepRules> rules = find_lane_rules(ensemble.members, options);
  if (!rules) return false;
  auto code = CodedStep<Space>::make_code(ensemble.members, lanes, *rules);
  if (!code) return false;
  ensemble.options = options;
  ensemble.options.kernel = KernelChoice::loops;  // of a member alone: the same bits
  ensemble.results = &results;
  const int packs = (static_cast<int>(handles.size()) + lanes - 1) / lanes;
  const int workers = std::min(options.threads, packs);
  const UsedThreads threads(workers);
  std::vector<std::exception_ptr> failures(workers);
  parallel_for(workers, [&](int worker) {
    const FlushedSubnormals flushed;
    try {
      Lanes<Space> computes(ensemble, CodedStep<Space>::make(code, handles.front().data().topology,
                                                             lanes));
      LaneRungeKutta<typename Lanes<Space>::Integrator, Lanes<Space>> integrator(
          dop853(), handles.front().data().topology.layout.size(), computes);
      integrator.integrate([&](int lane) { return computes.take(lane); },
                           [&](int lane, auto&) { computes.give(lane); });
    } catch (...) {
      failures[worker] = std::current_exception();
    }
  });
  for (const std::exception_ptr& failure : failures) {
    if (failure) std::rethrow_exception(failure);
  }
  // what a member alone would say
  for (Results& of : results) of.options.kernel = options.kernel;
  return true;
}

}  // namespace

std::vector<Results> simulate_ensemble(const std::vector<System>& members,
                                       const SimulationOptions& options) {
  const FlushedSubnormals flushed;
  std::vector<Results> results(members.size());
  if (members.empty()) return results;
  bool same_space = true;
  for (const System& member : members) {
    same_space &= member.data().planar == members.front().data().planar;
  }
  if (same_space && (members.front().data().planar
                         ? simulate_in_lanes<Planar>(members, options, results)
                         : simulate_in_lanes<Spatial>(members, options, results))) {
    return results;
  }
  const int workers = std::min(options.threads, static_cast<int>(members.size()));
  SimulationOptions alone = options;
  alone.threads = 1;
  const UsedThreads threads(workers);
  std::vector<std::exception_ptr> failures(members.size());
  parallel_for(static_cast<int>(members.size()), [&](int k) {
    try {
      results[k] = simulate(members[k], alone);
      results[k].options.threads = options.threads;
    } catch (...) {
      failures[k] = std::current_exception();
    }
  });
  for (const std::exception_ptr& failure : failures) {
    if (failure) std::rethrow_exception(failure);
  }
  return results;
}

}  // namespace trammel
