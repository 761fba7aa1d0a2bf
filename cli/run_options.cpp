// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// What `trammel run` was asked.
#include "run_options.hpp"

#include <algorithm>

#include "arguments.hpp"

namespace trammel::cli {
namespace {

constexpr const char* record_words = "all|positions|velocities|reactions|energies|violations|steps";
constexpr const char* invariant_words = "energy|none|linear_momentum|angular_momentum";

// The flag of a word; nothing for `none` and for words that are not known.
bool* find_flag(const std::string& word, SimulationOptions& simulation) {
  if (word == "energy") return &simulation.hold_energy;
  if (word == "linear_momentum") return &simulation.hold_linear_momentum;
  if (word == "angular_momentum") return &simulation.hold_angular_momentum;
  return nullptr;
}

// Comma separated, repeatable.
void add_invariants(CLI::App& app, RunOptions& options) {
  app.add_option_function<std::vector<std::string>>(
         "--invariants",
         [&options](const std::vector<std::string>& words) {
           SimulationOptions known;
           for (const std::string& word : words) {
             if (word == "none" && words.size() > 1) {
               throw UsageError("--invariants: none stands alone");
             }
             if (word != "none" && find_flag(word, known) == nullptr) {
               throw UsageError(
                   fmt::format("--invariants: '{}' is not one of {}", word, invariant_words));
             }
           }
           options.invariants = words;
         },
         "What to hold besides the constraints; comma separated, repeatable")
      ->type_name(invariant_words)
      ->delimiter(',')
      ->allow_extra_args(false);
}

// Comma separated, repeatable; what is not named is not kept.
void add_record(CLI::App& app, RunOptions& options) {
  app.add_option_function<std::vector<std::string>>(
         "--record",
         [&options](const std::vector<std::string>& given) {
           Recorded record{false, false, false, false, false, false};
           for (const std::string& word : given) {
             bool* const flag = word == "positions"    ? &record.positions
                                : word == "velocities" ? &record.velocities
                                : word == "reactions"  ? &record.reactions
                                : word == "energies"   ? &record.energies
                                : word == "violations" ? &record.violations
                                : word == "steps"      ? &record.steps
                                                       : nullptr;
             if (word == "all" && given.size() > 1) throw UsageError("--record: all stands alone");
             if (word == "all") record = {};
             if (word != "all" && flag == nullptr) {
               throw UsageError(fmt::format("--record: '{}' is not one of {}", word, record_words));
             }
             if (flag != nullptr) *flag = true;
           }
           options.record = record;
         },
         "What to keep over time; comma separated, repeatable (default: all)")
      ->type_name(record_words)
      ->delimiter(',')
      ->allow_extra_args(false);
}

void add_integration_options(CLI::App& app, RunOptions& options) {
  app.option_defaults()->group("Integration");
  add_positive(app, "--t-end", options.t_end, "End time, s");
  add_positive(app, "--rtol", options.rtol, "Relative tolerance of a step");
  add_positive(app, "--atol", options.atol, "Absolute tolerance of a step, SI units");
  add_choice<Method>(app, "--method", options.method,
                     {{"dopri5", Method::dopri5}, {"dop853", Method::dop853}},
                     "Runge-Kutta method, order 5 or 8");
  add_choice<Projection>(app, "--projection", options.projection,
                         {{"mass", Projection::mass},
                          {"quasi_orthogonal", Projection::quasi_orthogonal},
                          {"orthogonal", Projection::orthogonal},
                          {"none", Projection::none}},
                         "How states are brought back onto the constraints");
  app.add_flag("--project-stages", options.project_stages,
               "Project inside the steps too, not only at their ends");
  add_choice<Kinematics>(app, "--kinematics", options.kinematics,
                         {{"auto", Kinematics::automatic}, {"off", Kinematics::off}},
                         "Evaluate the laws where drivers determine the motion, or integrate (off)");
  add_invariants(app, options);
  add_choice<EnergyCorrection>(app, "--energy-correction", options.energy_correction,
                               {{"scaling", EnergyCorrection::scaling},
                                {"combined", EnergyCorrection::combined},
                                {"embedded", EnergyCorrection::embedded},
                                {"relaxation", EnergyCorrection::relaxation}},
                               "How the energy is held");
  add_choice<SchurSolver>(app, "--schur", options.schur,
                          {{"direct", SchurSolver::direct}, {"iterative", SchurSolver::iterative}},
                          "How the linear systems are solved");
  add_choice<KernelChoice>(app, "--kernel", options.kernel,
                           {{"auto", KernelChoice::automatic}, {"loops", KernelChoice::loops}},
                           "Machine code made for the mechanism where that pays, or loops");
  add_count(app, "--threads", options.threads, "Threads for one run; numbers are the same for any");
}

void add_step_options(CLI::App& app, RunOptions& options) {
  app.option_defaults()->group("Steps");
  add_choice<StepControl>(app, "--step-control", options.step_control,
                          {{"pi", StepControl::pi}, {"classical", StepControl::classical}},
                          "How the step size follows the error");
  add_positive(app, "--initial-step", options.initial_step, "First step, s (default: estimated)");
  add_positive(app, "--max-step", options.max_step, "Largest step, s");
  add_positive(app, "--fixed-step", options.fixed_step, "All steps of this size, s");
  add_count(app, "--max-steps", options.max_steps, "Give up after so many steps");
  add_positive(app, "--max-growth", options.max_growth, "Largest factor from a step to the next");
}

void add_jet_options(CLI::App& app, RunOptions& options) {
  app.option_defaults()->group("Jet coordinates (--projection quasi_orthogonal or orthogonal)");
  add_choice<WorkQuadrature>(
      app, "--work-quadrature", options.work_quadrature,
      {{"runge_kutta", WorkQuadrature::runge_kutta}, {"trapezoidal", WorkQuadrature::trapezoidal}},
      "How the work of external forces is integrated");
  add_positive(app, "--newton-tolerance", options.newton_tolerance,
               "Residual a projection may leave (default: atol/100)");
  add_positive(app, "--energy-scale", options.energy_scale,
               "Unit of the energy in that residual, J (default: the mechanism's)");
  add_positive(app, "--newton-forcing", options.newton_forcing,
               "Relative residual of the inexact Newton method (default: exact)");
  app.add_flag("--raw-error", options.raw_error,
               "Error from the embedded difference before projection");
}

void add_output_options(CLI::App& app, RunOptions& options) {
  app.option_defaults()->group("Output");
  add_positive(app, "--output-interval", options.output_interval,
               "Time between output points, s (default: a thousandth of the run)");
  app.add_flag("--output-at-steps", options.output_at_steps, "Output points are the steps");
  add_record(app, options);
  add_choice<ReactionFrame>(app, "--reaction-frame", options.reaction_frame,
                            {{"world", ReactionFrame::world}, {"body", ReactionFrame::body}},
                            "Axes of reactions: the world's, or those of the body they act on");
  app.add_option(
         "-o,--output", options.output_paths,
         "Write a file; its ending, .html, .h5, .csv or .json, chooses the form; repeatable")
      ->type_name("FILE")
      ->allow_extra_args(false);
  add_positive(app, "--flush-interval", options.flush_interval,
               "Clock time between updates of an .h5 file, s (default: about 1)");
  app.add_flag("--json", options.json, "Print one JSON object instead of the report");
  app.add_flag("--full", options.full, "Print the full report");
  app.add_flag("-q,--quiet", options.quiet, "No report and no progress bar");
}

}  // namespace

void add_run_options(CLI::App& app, RunOptions& options) {
  app.add_option("MODEL", options.model_path, "Model file (YAML or JSON)")
      ->type_name("")
      ->required();
  add_overrides(app, options.overrides);
  add_read_options(app, options.read);
  add_integration_options(app, options);
  add_step_options(app, options);
  add_jet_options(app, options);
  add_output_options(app, options);
}

void apply(const RunOptions& options, SimulationOptions& simulation) {
  const auto replace = [](auto& target, const auto& given) {
    if (given) target = *given;
  };
  replace(simulation.t_end, options.t_end);
  replace(simulation.rtol, options.rtol);
  replace(simulation.atol, options.atol);
  replace(simulation.method, options.method);
  replace(simulation.projection, options.projection);
  if (options.invariants) {
    simulation.hold_energy = false;
    simulation.hold_linear_momentum = simulation.hold_angular_momentum = false;
    for (const std::string& word : *options.invariants) {
      if (bool* flag = find_flag(word, simulation)) *flag = true;
    }
  }
  replace(simulation.energy_correction, options.energy_correction);
  replace(simulation.step_control, options.step_control);
  replace(simulation.kinematics, options.kinematics);
  replace(simulation.initial_step, options.initial_step);
  replace(simulation.max_step, options.max_step);
  replace(simulation.fixed_step, options.fixed_step);
  replace(simulation.max_steps, options.max_steps);
  if (options.threads) {
    constexpr std::int64_t many = 1'000'000'000;  // refused by the check of the options
    simulation.threads = static_cast<int>(std::min(*options.threads, many));
  }
  replace(simulation.max_growth, options.max_growth);
  replace(simulation.work_quadrature, options.work_quadrature);
  replace(simulation.schur, options.schur);
  replace(simulation.kernel, options.kernel);
  replace(simulation.reaction_frame, options.reaction_frame);
  replace(simulation.newton_tolerance, options.newton_tolerance);
  replace(simulation.energy_scale, options.energy_scale);
  replace(simulation.newton_forcing, options.newton_forcing);
  if (options.raw_error) simulation.raw_error = true;
  replace(simulation.output_interval, options.output_interval);
  replace(simulation.record, options.record);
  if (options.project_stages) simulation.project_stages = true;
  if (options.output_at_steps) simulation.output_at_steps = true;
  // An interval on the command line asks for an even grid, whatever the model says.
  if (options.output_interval && !options.output_at_steps) simulation.output_at_steps = false;
}

}  // namespace trammel::cli
