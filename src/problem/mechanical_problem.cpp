// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
// Chooses between generated code and loops, point by point, and adapts both to the integrator.
#include "problem/mechanical_problem.hpp"

#include <algorithm>
#include <cmath>

#include "evaluate/step_end.hpp"
#include "math/cpu_clock.hpp"

namespace trammel {

namespace {

// Why evaluations cannot be written down as code, or are not to be, by name; empty where they can.
template <class Space>
std::string find_code_refusal(const SystemIn<Space>& system, const SimulationOptions& options) {
  if (options.kernel != KernelChoice::automatic) return "loops were requested";
  if (options.project_stages) return "stages are projected";
  if (options.schur == SchurSolver::iterative) return "the solver is iterative";
  if (!system.light.empty()) return "bodies with little or no mass";
  return StepCode<Space>::find_refusal(system.topology, 1);
}

}  // namespace

template <class Space>
MechanicalProblem<Space>::MechanicalProblem(const SystemIn<Space>& system,
                                            const SimulationOptions& options,
                                            const ProblemSettings& settings)
    : system_(system),
      is_kinematic_(settings.is_kinematic),
      projector_(system, options),
      end_(projector_),
      step_(wants_relaxation() ? dimension() : 0),
      sample_count_(system.parameters.states.size()) {
  point().code_refusal = find_code_refusal(system, options);
  if (settings.rank != nullptr) projector_.set_rank(*settings.rank);
  if (settings.least_opening > 0.0) point().rows.allow_opening(settings.least_opening);
  if (settings.t_start == 0.0) return;
  for (std::size_t k = 0; k < sample_count_.size(); ++k) {
    const auto& state = system.parameters.states[k];
    if (!state.is_sampled()) continue;
    while (static_cast<double>(sample_count_[k]) * state.period <=
           settings.t_start + 1e-12 * options.t_end) {
      ++sample_count_[k];
    }
  }
}

template <class Space>
bool MechanicalProblem<Space>::start(double* z, double* rate, double t) {
  if (!projector_.start(z, rate, t)) return false;
  find_first_code();
  if (is_kinematic_) projector_.expect_close_guesses();
  return true;
}

template <class Space>
bool MechanicalProblem<Space>::calc_derivative(double t, double* z, double* rate) {
  point().ws.time = t;
  point().use_step_rows();
  code_is_current_ = coded_ != nullptr;
  if (code_is_current_) {
    // by code; where a pivot is too small, once more by loops
    coded_->set_time(0, t, end_.calc_laws_at(t));
    code_is_current_ = coded_->evaluate(z, rate);
  }
  if (!code_is_current_) return projector_.calc_derivative(z, rate);
  end_.count_evaluation();
  return true;
}

template <class Space>
bool MechanicalProblem<Space>::finish_step(double t, double h, double* z, double* rate) {
  if (!coded_ || !code_is_current_) return projector_.finish_step(t, h, z, rate);
  // the end needs more than the code knows: loops, with the factor that the code has left
  if (!coded_->has_ends() || !point().rows.has_all_rows()) {
    return end_.finish_by_loops(*coded_, 0, t, h, z, rate);
  }
  const double begin = wall_seconds();
  CodedEnd<Space>* const run = &end_;
  bool fine;
  coded_->finish(&run, &t, &h, z, rate, &fine);
  point().counts.projection_seconds += wall_seconds() - begin;
  return fine;
}

template <class Space>
void MechanicalProblem<Space>::accept_step(double t, double* z) {
  if (point().rows.accept(t)) {
    point().has_other_rows = true;  // output points have used those of the step so far
    find_other_code();
  }
  if (coded_ == nullptr && point().counts.accelerations >= code_after_) find_code();
  // whole turns are taken out of a large planar angle: z stays precise
  for (int b = 0; b < system_.topology.n_bodies; ++b) {
    point().ws.turned[b] += Space::take_turns(z + system_.topology.layout.y(b));
  }
  Workspace<double, Space>& ws = point().ws;
  if (ws.curves.empty()) return;
  ws.time = t;
  calc_positions(system_.topology, z, ws);
  calc_rows(system_.topology, system_.parameters, ws);
  for (std::size_t k = 0; k < ws.curves.size(); ++k) {
    // the plane that cuts a curve is normal to it at the end of each step, and fixed within the next
    curve::set_reference(*system_.parameters.curves[k], ws.curves[k].sigma, ws.curves[k]);
  }
  if (coded_) coded_->set_curves(ws.curves);
}

// All formulas are evaluated before any state changes.
template <class Space>
bool MechanicalProblem<Space>::sample(double t, double* z) {
  const auto& states = system_.parameters.states;
  const double soon = 1e-12 * point().options.t_end;
  const auto is_due = [&](std::size_t k) {
    return states[k].is_sampled() &&
           static_cast<double>(sample_count_[k]) * states[k].period <= t + soon;
  };
  bool any = false;
  for (std::size_t k = 0; k < states.size(); ++k) any |= is_due(k);
  if (!any || (t > 0.0 && t >= point().options.t_end - soon)) return false;
  Workspace<double, Space>& ws = point().ws;
  ws.time = t;
  calc_positions(system_.topology, z, ws);
  calc_velocities(system_.topology, z, ws);
  prepare_force_site(system_.topology, system_.parameters, ws);
  for (std::size_t k = 0; k < states.size(); ++k) {
    if (!is_due(k)) continue;
    while (is_due(k)) ++sample_count_[k];
    z[system_.topology.layout.state(static_cast<int>(k))] =
        states[k].rate.evaluate(std::span<const double>(ws.slots));
  }
  return true;
}

template <class Space>
bool MechanicalProblem<Space>::finish_output_by_code(double t, double h, double* z) {
  if (coded_ == nullptr || !coded_->has_ends() || is_kinematic_) return false;
  if (point().options.record.accelerations) return false;  // the code does not give them back
  if (!coded_->finish_output(end_, t, h, z)) return false;
  calc_positions(system_.topology, z, point().ws);
  calc_velocities(system_.topology, z, point().ws);
  // coordinates need what drivers ask for and how often followed angles have turned
  const Topology& topology = system_.topology;
  if (!topology.drivers.empty() || !topology.references.empty()) {
    calc_rows(topology, system_.parameters, point().ws);
  }
  point().has_reactions = point().options.record.reactions;
  return true;
}

template <class Space>
bool MechanicalProblem<Space>::finish_output(double t, double h, double* z) {
  point().has_reactions = false;
  return finish_output_by_code(t, h, z) || projector_.finish_output(t, h, z);
}

template <class Space>
double MechanicalProblem<Space>::calc_error_norm(const double* z0, const double* z1,
                                                 const double* e) const {
  const SimulationOptions& options = point().options;
  return trammel::calc_error_norm<Space>(system_.topology, system_.length.data(),
                                         system_.parameters.states, options.rtol, options.atol,
                                         point().step_kinetic.data(), z0, z1, e);
}

template <class Space>
typename MechanicalProblem<Space>::Errors MechanicalProblem<Space>::calc_error_norms(
    double* z0, double* z1, double* high, double* low) const {
  if (!coded_) return {calc_error_norm(z0, z1, high), calc_error_norm(z0, z1, low)};
  Errors errors;
  const CodedEnd<Space>* const run = &end_;
  coded_->calc_errors(&run, z0, z1, high, low, &errors);
  return errors;
}

template <class Space>
double MechanicalProblem<Space>::calc_state_norm(const double* z) const {
  const StateLayout& layout = system_.topology.layout;
  const double rtol = point().options.rtol, atol = point().options.atol;
  double largest = 0.0;
  for (int b = 0; b < layout.n_bodies; ++b) {
    const double length = system_.length[b];
    const double v = calc_length(Linear<double, Space>::load(z + layout.u(b)));
    const double Omega =
        calc_length(Angular<double, Space>::load(z + layout.u(b) + Space::dimension));
    // of a body: its length, a radian, v and Ω, each in units of its tolerance
    const double sum = squared(length / (atol + rtol * length)) + squared(1.0 / (atol + rtol)) +
                       squared(v / (atol + rtol * v)) + squared(Omega / (atol + rtol * Omega));
    largest = std::max(largest, take_mean(sum));
  }
  return std::sqrt(largest);
}

template <class Space>
bool MechanicalProblem<Space>::wants_difference() const {
  const SimulationOptions& options = point().options;
  return options.hold_energy && options.energy_correction == EnergyCorrection::embedded;
}

template <class Space>
bool MechanicalProblem<Space>::wants_relaxation() const {
  const SimulationOptions& options = point().options;
  return options.hold_energy && options.projection == Projection::mass &&
         options.energy_correction == EnergyCorrection::relaxation;
}

template <class Space>
double MechanicalProblem<Space>::find_relaxation(const double* z0, const double* z1,
                                                 const double* rate0, double h, double* scratch) {
  const double begin = wall_seconds();
  const int n = dimension();
  std::copy(z1, z1 + n, scratch);
  ++point().counts.projection;
  // E at z₁ on the manifold
  const bool projected = projector_.move_onto_joints(scratch) && projector_.calc_factor_at_rows();
  double sigma = 1.0;
  if (projected) {
    project_velocity(system_, scratch, point().ws);
    for (int i = 0; i < n; ++i) step_[i] = z1[i] - z0[i];
    sigma = point().energy.find_relaxation(step_.data(), scratch, point().ws);
    // what leaves the solution's path, (σ − 1)(dz − h k₀), stays within the tolerance
    for (int i = 0; i < n; ++i) step_[i] = (sigma - 1.0) * (step_[i] - h * rate0[i]);
    const double size = calc_error_norm(z0, z1, step_.data());
    if (size > 1.0) sigma = 1.0 + (sigma - 1.0) / size;
  }
  point().counts.projection_seconds += wall_seconds() - begin;
  return std::isfinite(sigma) ? sigma : 1.0;
}

template class MechanicalProblem<Spatial>;
template class MechanicalProblem<Planar>;

}  // namespace trammel
