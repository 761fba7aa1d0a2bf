// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// simulate_ensemble: four members at a time in the lanes of the vector unit, packs of four on threads.
#include <algorithm>
#include <atomic>
#include <exception>
#include <memory>
#include <optional>

#include "analyses/ensemble_delivery.hpp"
#include "analyses/method_choice.hpp"
#include "analyses/methods.hpp"
#include "analyses/prepared_run.hpp"
#include "integrate/steppers/lanes.hpp"
#include "math/flushed_subnormals.hpp"
#include "math/thread_pool.hpp"
#include "problem/coded_step.hpp"
#include "trammel/ensemble.hpp"

namespace trammel {

namespace {

constexpr int lanes = n_lanes;

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
         std::equal(a.topology.basic_constraints.begin(), a.topology.basic_constraints.end(),
                    b.topology.basic_constraints.begin(), b.topology.basic_constraints.end(),
                    same_basic);
}

// The members that run in lanes, and the next one to be started.
template <class Space>
struct Ensemble {
  std::vector<const SystemIn<Space>*> members;
  SimulationOptions options;        // of a member in its lane
  const SimulationOptions* wanted;  // as given: what a member alone would say
  EnsembleDelivery* delivery;
  std::atomic<int> next{0};

  void deliver(int k, Results&& results) {
    results.options.kernel = wanted->kernel;
    results.options.threads = wanted->threads;
    delivery->deliver(static_cast<std::size_t>(k), std::move(results));
  }
};

// Computes the problems of the four members that are in the lanes of one thread.
template <class Space>
class LaneProblems {
 public:
  explicit LaneProblems(std::unique_ptr<CodedStep<Space>> coded) : coded_(std::move(coded)) {}

  void set_member(int lane, const SystemIn<Space>& member, MechanicalProblem<Space>& problem) {
    end_[lane].emplace(problem.projector(), true);
    problem.point().code_refusal.clear();
    coded_->set_member(lane, member);
  }
  void remove_member(int lane) { end_[lane].reset(); }
  double projecting() const { return projecting_; }  // s, wall time of ends of steps

  // ---- what LanePack calls

  void evaluate(const double* t, double* z, double* rate, bool* fine) {
    for (int lane = 0; lane < lanes; ++lane) {
      if (end_[lane]) coded_->set_time(lane, t[lane], end_[lane]->calc_laws_at(t[lane]));
    }
    coded_->evaluate(z, rate, fine);
    for (int lane = 0; lane < lanes; ++lane) {
      if (end_[lane]) fine[lane] = end_[lane]->take_evaluation(fine[lane]);
    }
  }
  void finish(const bool* wanted, const double* t, const double* h, double* z, double* rate,
              bool* fine) {
    CodedEnd<Space>* ends[lanes] = {};
    bool any = false;
    for (int lane = 0; lane < lanes; ++lane) {
      if (wanted[lane]) ends[lane] = &*end_[lane];
      any |= wanted[lane];
    }
    if (!any) return;
    const double begin = wall_seconds();
    coded_->finish(ends, t, h, z, rate, fine);
    projecting_ += wall_seconds() - begin;
  }
  using Errors = typename CodedStep<Space>::Errors;
  void calc_errors(double* z0, double* z1, double* high, double* low, Errors* errors) {
    const CodedEnd<Space>* ends[lanes] = {};
    for (int lane = 0; lane < lanes; ++lane) ends[lane] = end_[lane] ? &*end_[lane] : nullptr;
    coded_->calc_errors(ends, z0, z1, high, low, errors);
  }

 private:
  std::unique_ptr<CodedStep<Space>> coded_;
  std::optional<CodedEnd<Space>> end_[lanes];
  double projecting_ = 0.0;
};

// A member in its lane.
template <class Space>
struct LaneRun {
  using Pack = LanePack<LaneProblems<Space>>;
  using RunStepper = LaneStepper<MechanicalProblem<Space>, LaneProblems<Space>>;
  using RunLoop = Loop<RunStepper, Recorder<Space>>;

  LaneRun(int k, std::unique_ptr<PreparedRun<Space>> prepared, Pack& pack, int lane)
      : index(k),
        run(std::move(prepared)),
        stepper(pack, lane, run->problem()),
        loop(run->make_loop_settings(), stepper, run->recorder()) {}

  int index;  // of the member
  std::unique_ptr<PreparedRun<Space>> run;
  RunStepper stepper;
  RunLoop loop;
  LoopTime time;
};

// Puts members into the lanes of one thread and takes their results.
template <class Space>
class LaneMembers {
 public:
  LaneMembers(Ensemble<Space>& ensemble, LaneProblems<Space>& problems,
              typename LaneRun<Space>::Pack& pack)
      : ensemble_(ensemble), problems_(problems), pack_(pack) {}

  // The loop of the next member that has steps to make, started, or null.
  typename LaneRun<Space>::RunLoop* take(int lane) {
    charge();
    take_next(lane);
    restart_clock();
    return run_[lane] != nullptr ? &run_[lane]->loop : nullptr;
  }
  void give(int lane) {
    charge();
    LaneRun<Space>& run = *run_[lane];
    const int k = run.index;
    Results results = run.run->finish(run.loop.stop(), run.time);
    problems_.remove_member(lane);
    run_[lane].reset();
    ensemble_.deliver(k, std::move(results));
    restart_clock();
  }

 private:
  void take_next(int lane) {
    while (ensemble_.delivery->goes_on()) {
      const int k = ensemble_.next.fetch_add(1);
      if (k >= static_cast<int>(ensemble_.members.size())) return;
      const SystemIn<Space>& member = *ensemble_.members[k];
      auto run = std::make_unique<PreparedRun<Space>>(
          member, ensemble_.options, ensemble_.delivery->make_member_progress(), nullptr);
      if (!run->is_started()) {
        ensemble_.deliver(k, run->finish());
        continue;
      }
      if (run->is_kinematic()) {
        ensemble_.deliver(k, run->run_kinematic());
        continue;
      }
      if (run->competes()) run->explain_explicit_steps("an ensemble in lanes");
      problems_.set_member(lane, member, run->problem());
      double* const z = run->z().data();
      const double* const rate = run->rate().data();
      run_[lane] = std::make_unique<LaneRun<Space>>(k, std::move(run), pack_, lane);
      run_[lane]->loop.start(ensemble_.options.t_end, z, rate);
      return;
    }
  }

  // ---- CPU time: what the lanes do together is charged to the members in them in equal parts; set-up and
  // end of a member are its own

  void charge() {
    const int n = static_cast<int>(
        std::count_if(run_, run_ + lanes, [](const auto& run) { return run != nullptr; }));
    if (n == 0) return;
    const double cpu = (thread_cpu_seconds() - cpu_begin_) / n, wall = wall_seconds() - wall_begin_;
    const double projecting = calc_projecting() - projecting_begin_;
    for (const auto& run : run_) {
      if (run != nullptr) run->time.add(cpu, wall, projecting);
    }
  }
  void restart_clock() {
    cpu_begin_ = thread_cpu_seconds();
    wall_begin_ = wall_seconds();
    projecting_begin_ = calc_projecting();
  }
  // s, wall time of ends of steps, together, and of what members projected alone: output points
  double calc_projecting() const {
    double sum = problems_.projecting();
    for (const auto& run : run_) {
      if (run != nullptr) sum += run->run->problem().point().counts.projection_seconds;
    }
    return sum;
  }

  Ensemble<Space>& ensemble_;
  LaneProblems<Space>& problems_;
  typename LaneRun<Space>::Pack& pack_;
  std::unique_ptr<LaneRun<Space>> run_[lanes];
  double cpu_begin_ = 0.0, wall_begin_ = 0.0;
  double projecting_begin_ = 0.0;
};

// With `auto`, whether implicit steps win their first trial on this member.
template <class Space>
bool prefers_implicit(const SystemIn<Space>& member, SimulationOptions options) {
  if (!explain_explicit(member, make_effective(member, options)).empty()) return false;
  options.kernel = KernelChoice::loops;  // code takes longer to make than such a run
  options.threads = 1;
  options.output_interval = options.t_end;
  options.output_at_steps = false;
  options.record = {};
  PreparedRun<Space> run(member, options, {}, nullptr);
  if (!run.is_started() || run.is_kinematic() || !run.competes()) return false;
  CompetingMethods<Space> methods(run, options);
  auto& steppers = methods.stepper();
  Loop loop(run.make_loop_settings(), steppers, run.recorder());
  loop.start(options.t_end, run.z().data(), run.rate().data());
  while (!steppers.is_decided() && loop.choose_step()) loop.make_step();
  return steppers.is_implicit();
}

// With `auto`, lanes are for members whose steps are explicit. Trying each would take as long as the lanes
// save: the first and the last, the ends of most series of parameters, speak for all.
template <class Space>
bool are_steps_explicit(const std::vector<const SystemIn<Space>*>& members,
                        const SimulationOptions& options) {
  return options.method == Method::dop853 ||
         (options.method == Method::automatic && !prefers_implicit(*members.front(), options) &&
          !prefers_implicit(*members.back(), options));
}

// Whether lanes can do it: adaptive steps of dop853, ends of steps by code. Then the rules of that code.
template <class Space>
std::optional<StepRules<Space>> find_lane_rules(const std::vector<const SystemIn<Space>*>& members,
                                                const SimulationOptions& options) {
  if (!(options.method == Method::dop853 || options.method == Method::automatic) ||
      options.fixed_step > 0.0 || options.project_stages ||
      options.kernel != KernelChoice::automatic || uses_jets(options.projection) ||
      members.size() < 2) {
    return std::nullopt;
  }
  for (const SystemIn<Space>* member : members) {
    // a curve is searched with the state of one run; bodies without mass are corrected by loops
    if (member->topology.n_curves > 0 || !member->light_candidates.empty() ||
        !is_alike(*members.front(), *member) ||
        !has_same_structure(members.front()->parameters, member->parameters)) {
      return std::nullopt;
    }
  }
  SimulationOptions by_loops = options;
  by_loops.kernel = KernelChoice::loops;
  const StepRules<Space> rules =
      make_step_rules(MechanicalProblem<Space>(*members.front(), by_loops).point());
  if (!rules.with_ends) return std::nullopt;
  for (const SystemIn<Space>* member : members) {
    for (std::size_t c = 0; c < rules.holds.size(); ++c) {
      const bool holds = options.hold_energy &&
                         can_hold_energy(member->topology.components[c], options.hold_dissipative);
      if (holds != (rules.holds[c] != 0)) return std::nullopt;
    }
  }
  return rules;
}

template <class Space>
bool simulate_in_lanes(const std::vector<System>& handles, const SimulationOptions& options,
                       EnsembleDelivery& delivery) {
  Ensemble<Space> ensemble;
  for (const System& handle : handles) {
    ensemble.members.push_back(&static_cast<const SystemIn<Space>&>(handle.data()));
  }
  const std::optional<StepRules<Space>> rules = find_lane_rules(ensemble.members, options);
  if (!rules || !are_steps_explicit(ensemble.members, options)) return false;
  auto code = CodedStep<Space>::make_code(ensemble.members, lanes, *rules);
  if (!code) return false;
  ensemble.options = options;
  ensemble.options.kernel = KernelChoice::loops;  // of a member alone: the same bits
  ensemble.options.threads = 1;                   // a member stays in one thread
  ensemble.wanted = &options;
  ensemble.delivery = &delivery;
  const int packs = (static_cast<int>(handles.size()) + lanes - 1) / lanes;
  const int workers = std::min(options.threads, packs);
  const UsedThreads threads(workers);
  std::vector<std::exception_ptr> failures(workers);
  parallel_for(workers, [&](int worker) {
    const FlushedSubnormals flushed;
    try {
      const Topology& topology = handles.front().data().topology;
      LaneProblems<Space> problems(CodedStep<Space>::make(code, topology, lanes));
      LanePack pack(dop853(), topology.layout.size(), problems);
      LaneMembers<Space> members(ensemble, problems, pack);
      run_in_lanes(
          pack, [&](int lane) { return members.take(lane); },
          [&](int lane) { members.give(lane); });
    } catch (...) {
      failures[worker] = std::current_exception();
    }
  });
  for (const std::exception_ptr& failure : failures) {
    if (failure) std::rethrow_exception(failure);
  }
  return true;
}

}  // namespace

std::vector<Results> simulate_ensemble(const std::vector<System>& members,
                                       const SimulationOptions& options) {
  return simulate_ensemble(members, options, EnsembleCallbacks{});
}

std::vector<Results> simulate_ensemble(const std::vector<System>& members,
                                       const SimulationOptions& options,
                                       const EnsembleCallbacks& callbacks) {
  const FlushedSubnormals flushed;
  if (members.empty()) return {};
  EnsembleDelivery delivery(members.size(), callbacks);
  bool same_space = true;
  for (const System& member : members) {
    same_space &= member.data().planar == members.front().data().planar;
  }
  if (same_space &&
      (members.front().data().planar ? simulate_in_lanes<Planar>(members, options, delivery)
                                     : simulate_in_lanes<Spatial>(members, options, delivery))) {
    return delivery.finish();
  }
  const int workers = std::min(options.threads, static_cast<int>(members.size()));
  SimulationOptions alone = options;
  alone.threads = 1;
  const UsedThreads threads(workers);
  std::vector<std::exception_ptr> failures(members.size());
  parallel_for(static_cast<int>(members.size()), [&](int k) {
    if (!delivery.goes_on()) return;
    try {
      Results results = simulate(members[k], alone, delivery.make_member_progress());
      results.options.threads = options.threads;
      delivery.deliver(static_cast<std::size_t>(k), std::move(results));
    } catch (...) {
      failures[k] = std::current_exception();
    }
  });
  for (const std::exception_ptr& failure : failures) {
    if (failure) std::rethrow_exception(failure);
  }
  return delivery.finish();
}

}  // namespace trammel
