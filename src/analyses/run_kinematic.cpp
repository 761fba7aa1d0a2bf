// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
#include "analyses/run_kinematic.hpp"

#include <algorithm>
#include <cmath>

#include "manifold/blocked_row.hpp"
#include "manifold/branch_sign.hpp"
#include "problem/kinematic_panel.hpp"
#include "system/breaks.hpp"

namespace trammel {

namespace {

// A panel is given up below this part of the time reached, or of a thousandth of the run.
constexpr double smallest_panel = 1e-13;
// The first one, of the run.
constexpr double first_panel = 1e-2;
// Where two branches seem to meet, panels are shortened until no body rotates by more than this (rad) in one:
// there branches that come close without meeting can be distinguished.
constexpr double crossing_panel = 0.3;
// The error of a polynomial of degree 16 grows with this power of the panel's length.
constexpr double error_power = 16.0;

template <class Space>
class KinematicRun {
 public:
  KinematicRun(const SimulationOptions& options, MechanicalProblem<Space>& problem,
               Recorder<Space>& recorder, std::vector<double>& z)
      : options_(options),
        problem_(problem),
        recorder_(recorder),
        panel_(problem),
        branch_(problem.point().system),
        z_(z),
        output_(z.size()),
        breaks_(find_breaks(problem.point().system.parameters, options.t_end)),
        wanted_(limit(options.initial_step > 0.0 ? options.initial_step
                                                 : first_panel * options.t_end)) {}

  KinematicEnd run() {
    if (!panel_.start(z_.data())) return end(Stop::step_too_small, problem_.point().failure);
    branch_.changes(problem_.point().ws);
    branch_.accept();
    std::int64_t attempts = 0;
    while (panel_.start_time() < options_.t_end) {
      if (options_.max_steps > 0 && attempts++ >= options_.max_steps) {
        return end(Stop::too_many_steps, {});
      }
      if (is_too_small()) return end(Stop::step_too_small, find_cause());
      begin_panel();
      bool made = reach_all();
      double error = made ? panel_.calc_work(options_.rtol, options_.atol) : 0.0;
      if (!std::isfinite(error)) error = largest_error;
      if (made && error <= 1.0) made = keeps_branch();
      const bool accepted = made && error <= 1.0;
      const double t = panel_.start_time(), goal = panel_.time(panel_.n());
      const bool go_on =
          recorder_.on_step({t, goal, goal - t, error, accepted, panel_.state(panel_.n())});
      if (accepted) take(goal);
      choose_length(made, accepted, error, goal - t);
      if (!go_on) return end(Stop::by_observer, {});
    }
    return end(Stop::finished, {});
  }

 private:
  static constexpr double largest_error = 1e30;
  static constexpr std::size_t most_crossings = 100;

  KinematicEnd end(Stop stop, const PointFailure& failure) {
    return {stop, failure, std::move(crossings_)};
  }

  double limit(double length) const {
    return options_.max_step > 0.0 ? std::min(length, options_.max_step) : length;
  }
  bool is_too_small() const {
    return !(wanted_ > smallest_panel * std::max(panel_.start_time(), 1e-3 * options_.t_end));
  }

  // To the next break at the latest. A short panel needs fewer points.
  void begin_panel() {
    const double t = panel_.start_time();
    while (next_break_ < breaks_.size() && breaks_[next_break_] <= t) ++next_break_;
    const double goal = next_break_ < breaks_.size() ? breaks_[next_break_] : options_.t_end;
    // two equal ones rather than one and a rest
    const double left = goal - t;
    const double end = left <= 1.01 * wanted_ ? goal
                       : left < 2.0 * wanted_ ? t + 0.5 * left
                                              : t + wanted_;
    const double part = (end - t) / wanted_;
    panel_.begin(end, part < 0.05 ? 4 : part < 0.3 ? 8 : 16);
  }

  bool reach_all() {
    recorder_.forget_points();
    for (int k = 1; k <= panel_.n(); ++k) {
      if (!panel_.reach(k)) return false;
      recorder_.note_point(panel_.time(k), panel_.state(k));
    }
    return true;
  }

  // At the end of the panel. false: it is too long to tell whether two branches meet in it.
  bool keeps_branch() {
    crosses_ = branch_.changes(problem_.point().ws);
    if (!crosses_) return true;
    const bool is_short =
        panel_.calc_turn() * (panel_.time(panel_.n()) - panel_.start_time()) <= crossing_panel;
    return is_short;
  }

  void take(double end) {
    if (crosses_ && crossings_.size() < most_crossings) crossings_.push_back(end);
    branch_.accept();
    const double* const last = panel_.state(panel_.n());
    for (double t = recorder_.next_output(); t <= end; t = recorder_.next_output()) {
      if (t == end) {
        std::copy(last, last + output_.size(), output_.begin());
      } else {
        panel_.interpolate(t, output_.data());
      }
      recorder_.on_output(t, end - panel_.start_time(), output_.data());
    }
    std::copy(last, last + z_.size(), z_.begin());
    problem_.accept_step(end, z_.data());
    panel_.accept(z_.data());
  }

  // From the error of the work and from how far guesses were off; a panel that ended at a break early
  // says little.
  void choose_length(bool made, bool accepted, double error, double length) {
    if (!made) {
      failure_ = problem_.point().failure;
      wanted_ = panel_.suggestion() * length;
      return;
    }
    const double factor = 0.85 * std::pow(std::max(error, 1e-30), -1.0 / error_power);
    if (!accepted) {
      failure_ = {};
      wanted_ = length * std::clamp(factor, 0.1, 0.7);
      return;
    }
    const double room = 0.5 * KinematicPanel<Space>::most_deviation / panel_.largest_deviation();
    const double further = std::min(factor, std::pow(room, 1.0 / 6.0));
    const double next = length * std::clamp(further, 0.3, 2.0);
    wanted_ = limit(further >= 1.0 ? std::max(next, wanted_) : next);
  }

  // Why the motion cannot continue: a driver or a constraint that has become dependent, or the failure of
  // the last attempt where none is nearly dependent.
  PointFailure find_cause() {
    using Kind = PointFailure::Kind;
    if (failure_.kind == Kind::not_finite || failure_.kind == Kind::off_curve ||
        failure_.kind == Kind::open_joint || failure_.kind == Kind::parting_joint) {
      return failure_;
    }
    std::copy(z_.begin(), z_.end(), output_.begin());
    if (!problem_.finish_output(panel_.start_time(), 0.0, output_.data())) return failure_;
    return {Kind::not_followed, find_blocked_row(problem_.point().system, problem_.point().ws),
            0.0};
  }

  SimulationOptions options_;
  MechanicalProblem<Space>& problem_;
  Recorder<Space>& recorder_;
  KinematicPanel<Space> panel_;
  BranchSign<Space> branch_;
  bool crosses_ = false;  // in the current panel
  std::vector<double> crossings_;
  std::vector<double>& z_;
  std::vector<double> output_;
  std::vector<double> breaks_;
  std::size_t next_break_ = 0;
  double wanted_;
  PointFailure failure_;  // of the last attempt
};

}  // namespace

bool allows_kinematics(const SimulationOptions& options) {
  return options.kinematics == Kinematics::automatic && options.projection == Projection::mass &&
         options.schur == SchurSolver::direct && options.fixed_step == 0.0;
}

template <class Space>
KinematicEnd run_kinematic(const SimulationOptions& options, MechanicalProblem<Space>& problem,
                           Recorder<Space>& recorder, std::vector<double>& z) {
  return KinematicRun<Space>(options, problem, recorder, z).run();
}

template KinematicEnd run_kinematic(const SimulationOptions&, MechanicalProblem<Spatial>&,
                                    Recorder<Spatial>&, std::vector<double>&);
template KinematicEnd run_kinematic(const SimulationOptions&, MechanicalProblem<Planar>&,
                                    Recorder<Planar>&, std::vector<double>&);

}  // namespace trammel
