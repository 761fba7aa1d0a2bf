// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
#include "analyses/run_jets.hpp"

#include <cmath>

#include "integrate/steppers/explicit_rk.hpp"
#include "system/breaks.hpp"

namespace trammel {

namespace {

// Between the integrator, which works in jet coordinates, and the recorder, which works in body rates.
class JetObserver {
 public:
  JetObserver(paper::JetProblem& problem, MechanicalProblem<Spatial>& watcher,
              Recorder<Spatial>& recorder, std::size_t size)
      : problem_(problem), watcher_(watcher), recorder_(recorder), z_(size) {}

  bool on_step(const StepReport& step) {
    StepReport translated = step;
    if (step.accepted) {
      step_end_ = step.t_end;
      problem_.export_state(step.z_end, z_.data());
      watcher_.finish_output(step.t_end, step.h, z_.data());
      translated.z_end = z_.data();
    }
    // a rejected step may have made no projection: do not report the previous one again
    if (!step.accepted) return recorder_.record_step(translated, {});
    const paper::ProjectionReport& report = problem_.step_projection();
    return recorder_.record_step(
        translated, {report.newton, report.residual_in, watcher_.point().quality.position.value,
                     report.worst_row});
  }
  double next_output() const { return recorder_.next_output(); }
  void on_output(double t, double h, double* z) {
    // the end of a step is on M already
    if (t != step_end_ && !problem_.finish_output(h, z)) return recorder_.skip_output(t);
    problem_.export_state(z, z_.data());
    recorder_.on_output(t, h, z_.data());
  }
  bool is_stopped() const { return recorder_.is_stopped(); }

 private:
  paper::JetProblem& problem_;
  MechanicalProblem<Spatial>& watcher_;
  Recorder<Spatial>& recorder_;
  std::vector<double> z_;
  double step_end_ = 0.0;
};

static_assert(BeginsSteps<paper::JetProblem> && ComparesFinished<paper::JetProblem> &&
              StopsAtOutput<JetObserver>);

// Σ m|g|L + T: the energies that a mechanism trades; 1 J where there are none.
double calc_energy_scale(const SystemIn<Spatial>& system, double kinetic) {
  const Vector3<double>& gravity = system.parameters.gravity;
  const double g = std::sqrt(dot(gravity, gravity));
  double scale = kinetic;
  for (int b = 0; b < system.topology.n_bodies; ++b) {
    scale += system.parameters.bodies[b].mass * g * system.length[b];
  }
  return scale > 0.0 ? scale : 1.0;
}

paper::JetOptions make_jet_options(const SystemIn<Spatial>& system,
                                   const SimulationOptions& options, double kinetic) {
  paper::JetOptions jets;
  jets.projection = options.projection;
  jets.hold_energy = options.hold_energy;
  jets.work = options.work_quadrature;
  jets.project_stages = options.project_stages;
  jets.newton_tolerance =
      options.newton_tolerance > 0.0 ? options.newton_tolerance : 1e-2 * options.atol;
  jets.energy_scale =
      options.energy_scale > 0.0 ? options.energy_scale : calc_energy_scale(system, kinetic);
  jets.forcing = options.newton_forcing;
  jets.iterative_schur = options.schur == SchurSolver::iterative;
  jets.rtol = options.rtol;
  jets.atol = options.atol;
  return jets;
}

PointFailure make_failure(const paper::ProjectionReport& report) {
  if (report.converged) return {};
  return {PointFailure::Kind::not_projected, report.worst_row, report.residual_in};
}

}  // namespace

void JetRun::write_to(Results& results) const {
  results.counts.accelerations = counts.dist;
  results.counts.projection = counts.proj;
  results.counts.iterations = counts.newton;
  results.counts.iterations_max = counts.newton_max;
  results.counts.dg = counts.dg;
  results.counts.d2g = counts.d2g;
  results.counts.d3g = counts.d3g;
  results.counts.df_inv = counts.df_inv;
  results.counts.d2f_inv = counts.d2f_inv;
  results.cpu_seconds.stages = counts.dist_seconds;
  results.cpu_seconds.projection = counts.proj_seconds;
}

JetRun run_jets(const SystemIn<Spatial>& system, const SimulationOptions& options,
                MechanicalProblem<Spatial>& watcher, Recorder<Spatial>& recorder,
                std::vector<double>& z) {
  paper::JetProblem problem(system,
                            make_jet_options(system, options, watcher.point().energy.kinetic()));
  std::vector<double> jet(problem.dimension()), rate(problem.dimension(), 0.0);
  problem.import_state(z.data(), jet.data());
  problem.start(jet.data());
  JetObserver observer(problem, watcher, recorder, z.size());
  LoopSettings settings = make_settings(options);
  settings.breaks = find_breaks(system.parameters, options.t_end);
  const bool dopri = options.method == Method::dopri5;
  if (settings.initial_step == 0.0 && settings.fixed_step == 0.0) {
    problem.begin_step(0.0, jet.data(), rate.data());  // the slope that estimates the first step
  }
  ExplicitRungeKutta stepper(
      dopri ? dopri5_unshared() : dop853(), problem,
      dopri && !options.raw_error ? ErrorSource::finished_results : ErrorSource::stages);
  JetRun run;
  run.stop = Loop(settings, stepper, observer).run(options.t_end, jet.data(), rate.data());
  run.failure = make_failure(problem.last_projection());
  run.counts = problem.counts();
  problem.export_state(jet.data(), z.data());
  return run;
}

}  // namespace trammel
