// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// simulate: System → Results. Wires assembly, problem, integrator and recorder together.
#include "analyses/methods.hpp"
#include "analyses/prepared_run.hpp"
#include "analyses/run_jets.hpp"
#include "evaluate/accelerations.hpp"
#include "math/flushed_subnormals.hpp"
#include "math/thread_pool.hpp"
#include "record/reaction_share.hpp"
#include "system/frames.hpp"
#include "system/state.hpp"
#include "trammel/trammel.hpp"

namespace trammel {

namespace {

template <class Space>
Stop integrate(PreparedRun<Space>& run, const SimulationOptions& options) {
  return with_method(run, options, [&]<class Method>(std::in_place_type_t<Method>) {
    Method method(run, options);
    const Stop stop = Loop(run.make_loop_settings(), method.stepper(), run.recorder())
                          .run(options.t_end, run.z().data(), run.rate().data());
    method.write_counts(run);
    return stop;
  });
}

template <class Space>
Results simulate_in(const SystemIn<Space>& system, const SimulationOptions& options,
                    const ProgressCallback& progress, ResultsSink* sink) {
  const UsedThreads threads(options.threads);
  PreparedRun<Space> run(system, options, progress, sink);
  if (!run.is_started()) return run.finish();
  if (run.is_kinematic()) return run.run_kinematic();
  run.begin_loop();
  if (uses_jets(options.projection)) {
    if constexpr (std::is_same_v<Space, Spatial>) {
      const JetRun jets = run_jets(system, options, run.problem(), run.recorder(), run.z());
      Results results = run.finish(jets.stop, jets.failure);
      jets.write_to(results);
      return results;
    }
  }
  const Stop stop = integrate(run, options);
  return run.finish(stop, run.problem().point().failure);
}

template <class Space>
Accelerations calc_accelerations_in(const SystemIn<Space>& system,
                                    const std::vector<BodyState>& state, double t) {
  if (state.size() != system.body_names.size()) {
    throw std::invalid_argument("calc_accelerations: one state per body is needed");
  }
  const StateLayout& layout = system.topology.layout;
  OwnedState<Space> start(layout, t), rates(layout);
  const State<Space> z = start.view(), rate = rates.view();
  import_state(system, state, z.z());
  SimulationOptions options;
  options.kernel = KernelChoice::loops;  // one evaluation is not worth making code for
  const auto lightened = make_lightened(system, z.z(), z.t());
  MechanicalProblem<Space> problem(lightened ? *lightened : system, options);
  if (!problem.start(z.z(), rate.z(), z.t())) {
    throw std::runtime_error("calc_accelerations: " + explain(system, problem.point().failure));
  }
  refine_distribution(system.topology, problem.point().system.parameters, problem.point().ws);
  write_rate(system.topology, problem.point().ws, z.z(), rate.z());
  Accelerations result;
  for (int b = 0; b < layout.n_bodies; ++b) {
    const Twist<double, Space> u1{rate.velocity(b), rate.angular_velocity(b)};
    const UserAcceleration of_body = export_acceleration(system, u1, z.z(), b);
    result.linear.push_back(of_body.linear);
    result.angular.push_back(of_body.angular);
  }
  if (!problem.point().in_passage) {
    ReactionShare<Space>(problem.point().system)
        .share(problem.point().rows.left_out(), problem.point().ws);
  }
  const auto& lambda = problem.point().ws.lambda;
  result.multipliers.assign(lambda.begin(), lambda.end());
  return result;
}

}  // namespace

LoopSettings make_settings(const SimulationOptions& options) {
  LoopSettings settings;
  settings.pi_control = options.step_control == StepControl::pi;
  settings.initial_step = options.initial_step;
  settings.max_step = options.max_step;
  settings.fixed_step = options.fixed_step;
  settings.max_steps = options.max_steps;
  settings.max_growth = options.max_growth;
  return settings;
}

Results simulate(const System& handle, const SimulationOptions& options,
                 const ProgressCallback& progress, ResultsSink* sink) {
  const FlushedSubnormals flushed;
  return visit_space(handle.data(), [&](const auto& system) {
    return simulate_in(system, options, progress, sink);
  });
}

Accelerations calc_accelerations(const System& handle, const std::vector<BodyState>& state,
                                 double t) {
  return visit_space(handle.data(),
                     [&](const auto& system) { return calc_accelerations_in(system, state, t); });
}

}  // namespace trammel
