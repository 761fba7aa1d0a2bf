// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Runs the paper's models in its variants, with one set of settings for all of them.
#include <cmath>

#include "analyses/paper_models.hpp"
#include "trammel/paper.hpp"
#include "trammel/trammel.hpp"

namespace trammel {

namespace {

// Printed in the paper: h⁰, fac_max, tol_abs, W_ext by the trapezoidal rule, every stage projected.
// Not printed, chosen once: safety factor 0.9, smallest factor 0.2, root-mean-square norm of Hairer,
// exact Newton steps, f_inv in joules.
SimulationOptions make_paper_options(const SimulationOptions& of_model, Projection projection) {
  SimulationOptions options = of_model;
  options.method = Method::dopri5;
  options.projection = projection;
  options.project_stages = true;
  options.work_quadrature = WorkQuadrature::trapezoidal;
  options.newton_tolerance = 1e-5;
  options.energy_scale = 1.0;
  options.step_control = StepControl::classical;
  options.initial_step = 0.25;
  options.max_growth = 3.0;
  options.max_steps = 20000;
  options.output_at_steps = true;
  return options;
}

class Study {
 public:
  explicit Study(const std::function<bool(int, int)>& progress) : progress_(progress) {}

  PaperStudy run() {
    plan();
    PaperStudy study;
    for (std::size_t k = 0; k < plan_.size(); ++k) {
      study.runs.push_back(execute(plan_[k]));
      const int done = static_cast<int>(k) + 1, all = static_cast<int>(plan_.size());
      if (progress_ && !progress_(done, all)) break;
    }
    return study;
  }

 private:
  struct Planned {
    PaperRun run;
    Model model;
    SimulationOptions options;
  };

  void add(const PaperRun& run, const Model& model) {
    Projection projection = Projection::mass;
    if (run.variant == "quasi_orthogonal") projection = Projection::quasi_orthogonal;
    if (run.variant == "orthogonal") projection = Projection::orthogonal;
    SimulationOptions options = model.simulation;
    options.output_at_steps = true;
    if (projection != Projection::mass) {
      options = make_paper_options(model.simulation, projection);
      if (run.work == "runge_kutta") options.work_quadrature = WorkQuadrature::runge_kutta;
    }
    options.hold_energy = run.energy;
    plan_.push_back({run, model, options});
  }

  void plan() {
    for (const char* name : {"pendulum", "quadrangle", "crank"}) {
      const Model model = read_model_text(paper_model_text(name), std::string(name) + ".yaml");
      const bool torque = std::string(name) != "pendulum";
      for (const char* variant : {"quasi_orthogonal", "orthogonal"}) {
        PaperRun run;
        run.model = name;
        run.variant = variant;
        run.work = "trapezoidal";
        for (bool energy : {true, false}) {
          run.energy = energy;
          add(run, model);
        }
        run.energy = true;
        run.work = "runge_kutta";
        if (torque) add(run, model);
      }
      PaperRun own;
      own.model = name;
      own.variant = "trammel";
      own.work = "runge_kutta";
      for (bool energy : {true, false}) {
        own.energy = energy;
        add(own, model);
      }
    }
    plan_torques();
  }

  // "When |τ| ≈ 10 …, when |τ| ≈ 50 …": the axis is not given.
  void plan_torques() {
    const Model pendulum = read_model_text(paper_model_text("pendulum"), "pendulum.yaml");
    for (double torque : {10.0, 50.0}) {
      for (const char* axis : {"e3", "(1,1,1)"}) {
        const double part = torque / std::sqrt(3.0);
        const bool diagonal = axis[0] == '(';
        Model model = pendulum;
        const Vec3 value = diagonal ? Vec3{part, part, part} : Vec3{0, 0, torque};
        model.forces = {{"torque", Torque{model.bodies[0].name, Frame::body, value}}};
        for (const char* variant : {"quasi_orthogonal", "orthogonal"}) {
          for (bool energy : {true, false}) {
            PaperRun run;
            run.model = "pendulum";
            run.variant = variant;
            run.energy = energy;
            run.work = "trapezoidal";
            run.torque = torque;
            run.axis = axis;
            add(run, model);
          }
        }
      }
    }
  }

  PaperRun execute(const Planned& planned) {
    PaperRun run = planned.run;
    const System system = compile(planned.model);
    run.results = simulate(system, planned.options);
    // a run of milliseconds is disturbed by whatever else the machine does: the fastest of a few
    for (int repeat = 0; repeat < 6 && run.results.cpu_seconds.total < 0.05; ++repeat) {
      Results again = simulate(system, planned.options);
      if (again.cpu_seconds.total < run.results.cpu_seconds.total) run.results = std::move(again);
    }
    run.energy_error = run.results.energy.balance_error_max;
    const std::vector<BodyState>& exact = find_exact(run, system, planned.model);
    for (std::size_t b = 0; b < exact.size(); ++b) {
      double sum = 0.0;
      for (int k = 0; k < 3; ++k) {
        sum += std::pow(run.results.final[b].position[k] - exact[b].position[k], 2);
      }
      run.position_error = std::max(run.position_error, std::sqrt(sum));
    }
    return run;
  }

  // The state at t = 10 of the same mechanism at tolerance 1e-13, computed once for each.
  const std::vector<BodyState>& find_exact(const PaperRun& run, const System& system,
                                           const Model& model) {
    const std::string key = run.model + run.axis + std::to_string(run.torque);
    for (const auto& [known, state] : exact_) {
      if (known == key) return state;
    }
    SimulationOptions options = model.simulation;
    options.rtol = options.atol = 1e-13;
    exact_.emplace_back(key, simulate(system, options).final);
    return exact_.back().second;
  }

  const std::function<bool(int, int)>& progress_;
  std::vector<Planned> plan_;
  std::vector<std::pair<std::string, std::vector<BodyState>>> exact_;
};

}  // namespace

PaperStudy run_paper_study(const std::function<bool(int, int)>& progress) {
  return Study(progress).run();
}

}  // namespace trammel
