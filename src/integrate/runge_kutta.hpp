// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The integration loop: an embedded Runge–Kutta pair with error control on a problem that knows how
// to come back to its manifold. Knows no mechanics.
//
// Problem:   dimension() · calc_derivative(t, z, rate) · finish_step(t, h, z, rate) ·
//            calc_error_norm(z0, z1, e) · calc_state_norm(z)
//            optional: accept_step(t, z), the step that ended at t with z is taken (after its
//            output); z may become another name of the same state, with the same rate;
//            begin_step(t, z, rate), the first stage anew at each attempt (then finish_step
//            leaves rate alone); calc_error_norms(z0, z1, e_high, e_low) → both norms;
//            finish_embedded(t, h, z), for errors between projected results;
//            wants_difference() and set_difference(e), e = z₁ − ẑ₁ before finish_step; and
//            wants_relaxation(), find_relaxation(z0, z1, rate0, h, scratch) → σ: the step is
//            z₀ + σ(z₁ − z₀) and the time advances by σh
// Observer:  on_step(attempt) → go on? · next_output() · on_output(t, h, z)
//            optional: is_stopped(), asked after each output point; the run then ends there
//
// calc_derivative and finish_step return false where the problem cannot be evaluated (not finite,
// not projected): the step is tried again, shorter. Inside a step nothing is allocated or thrown.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "integrate/dense_output.hpp"
#include "integrate/step_control.hpp"
#include "integrate/tableau.hpp"
#include "math/combination.hpp"
#include "math/large_vector.hpp"
#include "math/power.hpp"

namespace trammel {

struct IntegratorSettings {
  bool pi_control = true;
  double initial_step = 0.0;   // 0: estimated
  double max_step = 0.0;       // 0: none
  double fixed_step = 0.0;     // 0: error control
  std::int64_t max_steps = 0;  // 0: none
  double max_growth = 0.0;     // of a step to the next; 0: the tableau's
  std::vector<double>
      breaks;  // times, in order, where the derivative is not smooth: steps end there
  bool compare_finished = false;  // error: difference of z₁ and ẑ₁, both finished by the problem
};

enum class Stop { finished, by_observer, step_too_small, too_many_steps, no_progress };

// So many attempts that advance the time by less than this part of t_end are no progress: a run at
// that pace would not end within a lifetime.
inline constexpr std::int64_t attempts_without_progress = 100'000;
inline constexpr double least_progress = 1e-6;

// An attempted step, as the observer sees it.
struct StepAttempt {
  double t;      // start
  double t_end;  // end
  double h;
  double error;  // in units of the tolerance; 0: not estimated
  bool accepted;
  const double* z_end;  // state at the end, when accepted
};

template <class Problem, class Observer>
class RungeKutta {
 public:
  RungeKutta(const Tableau& tableau, const IntegratorSettings& settings, Problem& problem,
             Observer& observer)
      : tableau_(tableau),
        settings_(settings),
        problem_(problem),
        observer_(observer),
        control_(tableau, settings.pi_control, settings.max_growth),
        dense_(tableau, problem.dimension()),
        n_(problem.dimension()),
        stage_storage_(count_stages() * n_),
        z_end_(n_),
        z_stage_(n_),
        difference_(std::make_unique_for_overwrite<double[]>(n_)) {
    for (std::size_t s = 0; s < count_stages(); ++s) {
      k_.push_back(stage_storage_.data() + s * n_);
    }
  }

  // Integrates z from t = 0 to t_end. rate: ż at the start. Both are left at the last accepted step.
  Stop integrate(double t_end, double* z, const double* rate) {
    start(t_end, z, rate);
    while (next_attempt()) conclude(try_step());
    return stop_;
  }

  // ---- the same in turns, for who makes the steps of several runs at once (lane_runge_kutta.hpp)

  void start(double t_end, double* z, const double* rate) {
    std::copy(rate, rate + n_, k_[0]);
    z_ = z;
    t_end_ = t_end;
    h_ = choose_first_step(t_end, z);
  }

  // Chooses the next step; false: the run is over, stop() says why.
  bool next_attempt() {
    if (!going_ || !(t_ < t_end_)) return false;
    if (settings_.max_steps > 0 && n_attempts_ >= settings_.max_steps) {
      return halt(Stop::too_many_steps);
    }
    if (is_too_small(t_, t_end_, h_)) return halt(Stop::step_too_small);
    if (n_attempts_ == next_look_ && !has_progressed()) return halt(Stop::no_progress);
    ++n_attempts_;
    wanted_ = h_;
    const double goal = find_goal(t_, t_end_, next_break_);
    last_ = t_ + 1.01 * h_ >= goal;
    if (last_) h_ = goal - t_;
    attempt_ = {t_, last_ ? goal : t_ + h_, h_, 0.0, false, z_end_.data()};
    return true;
  }

  // Makes the step that next_attempt has chosen: z_end, and the slopes of all stages.
  bool try_step() { return try_step(t_, h_, z_, attempt_, last_); }

  // The step is made, or could not be evaluated: accepts it or not, and chooses the size of the next.
  void conclude(bool evaluated) {
    attempt_.accepted = evaluated && (attempt_.error <= 1.0 || settings_.fixed_step > 0.0);
    const bool go_on = observer_.on_step(attempt_);
    if (attempt_.accepted) {
      if (!write_outputs(t_, attempt_.t_end, attempt_.h, z_)) {
        halt(Stop::by_observer);
        return;
      }
      if constexpr (requires(Problem & p) { p.accept_step(0.0, z_end_.data()); }) {
        problem_.accept_step(attempt_.t_end, z_end_.data());
      }
      std::copy(z_end_.begin(), z_end_.end(), z_);
      std::swap(k_[0], k_[tableau_.n_stages]);
      t_ = attempt_.t_end;
    }
    if (!go_on) {
      halt(Stop::by_observer);
    } else if (settings_.fixed_step > 0.0) {
      if (!evaluated) halt(Stop::step_too_small);
      h_ = settings_.fixed_step;
    } else {
      h_ = attempt_.accepted ? control_.after_accepted(h_, attempt_.error)
           : evaluated       ? control_.after_rejected(h_, attempt_.error)
                             : control_.after_failure(h_);
      // behind a break the steps go on as they were before it
      if (attempt_.accepted && last_) h_ = std::max(h_, wanted_);
      if (settings_.max_step > 0.0) h_ = std::min(h_, settings_.max_step);
    }
  }

  Stop stop() const { return stop_; }
  StepAttempt& attempt() { return attempt_; }
  double* z() { return z_; }
  double* z_end() { return z_end_.data(); }
  double* stage(int s) { return k_[s]; }
  bool wants_output() const { return observer_.next_output() <= attempt_.t_end; }
  // The error from those of two orders: high weighs, low guards (0: there is none).
  static double combine_errors(double high, double low) {
    const double denominator = high * high + 0.01 * low * low;
    return denominator > 0.0 ? high * high / std::sqrt(denominator) : denominator;
  }

 private:
  bool halt(Stop why) {
    stop_ = why;
    return going_ = false;
  }

  bool has_progressed() {
    const bool progressed = settings_.fixed_step > 0.0 || t_ - t_looked_ >= least_progress * t_end_;
    next_look_ = n_attempts_ + attempts_without_progress;
    t_looked_ = t_;
    return progressed;
  }

  std::size_t count_stages() const { return tableau_.n_stages + 1 + tableau_.extra_a.size(); }

  // Where the step from t has to end at the latest. Steps of a fixed size know no breaks.
  double find_goal(double t, double t_end, std::size_t& next_break) const {
    if (settings_.fixed_step > 0.0) return t_end;
    while (next_break < settings_.breaks.size() && settings_.breaks[next_break] <= t) ++next_break;
    return next_break < settings_.breaks.size() ? settings_.breaks[next_break] : t_end;
  }

  static bool is_too_small(double t, double t_end, double h) {
    return !(h > 1e-14 * std::max(t, 1e-3 * t_end));
  }

  static constexpr bool has_begin_step = requires(Problem & p, double* z) {
    p.begin_step(0.0, z, z);
  };

  // ---- one step: stages, end, error

  // z_end_ and k_[s] from z and k_[0]; false when it cannot be evaluated. A step whose error is
  // known from the stages alone is not finished when that error is too large.
  bool try_step(double t, double h, double* z, StepAttempt& attempt, bool last) {
    double& error = attempt.error;
    if constexpr (has_begin_step) {
      if (!problem_.begin_step(t, z, k_[0])) return false;
    }
    for (int s = 1; s < tableau_.n_stages; ++s) {
      add_up(tableau_.a[s], h, z, z_stage_.data());
      if (!problem_.calc_derivative(t + tableau_.c[s] * h, z_stage_.data(), k_[s])) return false;
    }
    add_up(tableau_.b, h, z, z_end_.data());
    if (!tableau_.error_uses_end && !settings_.compare_finished) {
      error = calc_error(h, z);
      if (!std::isfinite(error)) return false;
      if (error > 1.0 && settings_.fixed_step == 0.0) return true;
    }
    if (!relax(z, last, attempt) || !hand_over_difference(t, h)) return false;
    if (!problem_.finish_step(attempt.t_end, attempt.h, z_end_.data(), k_[tableau_.n_stages])) {
      return false;
    }
    if (settings_.compare_finished) return compare_finished(t, h, z, error);
    if (tableau_.error_uses_end) error = calc_error(h, z);
    return std::isfinite(error);
  }

  // z₁ ← z + σ(z₁ − z), h ← σh, where the problem asks for it. A step to t_end or
  // to a break ends there: σ = 1.
  bool relax(const double* z, bool last, StepAttempt& attempt) {
    if constexpr (requires(Problem & p) { p.wants_relaxation(); }) {
      if (last || settings_.fixed_step > 0.0 || !problem_.wants_relaxation()) return true;
      const double sigma =
          problem_.find_relaxation(z, z_end_.data(), k_[0], attempt.h, z_stage_.data());
      for (int i = 0; i < n_; ++i) z_end_[i] = z[i] + sigma * (z_end_[i] - z[i]);
      attempt.h *= sigma;
      attempt.t_end = attempt.t + attempt.h;
    }
    return true;
  }

  // Where the difference has a weight for kₛ, which is known only after finish_step, the derivative is
  // evaluated once more, at z₁ as the stages leave it.
  bool hand_over_difference(double t, double h) {
    if constexpr (requires(Problem & p) { p.wants_difference(); }) {
      if (!problem_.wants_difference()) return true;
      if (tableau_.error_uses_end) {
        std::copy(z_end_.begin(), z_end_.end(), z_stage_.begin());
        if (!problem_.calc_derivative(t + h, z_stage_.data(), k_[tableau_.n_stages])) return false;
      }
      add_up(tableau_.error, h, nullptr, difference_.get());
      problem_.set_difference(difference_.get());
    }
    return true;
  }

  bool compare_finished(double t, double h, const double* z, double& error) {
    if constexpr (requires(Problem & p, double* e) { p.finish_embedded(0.0, 0.0, e); }) {
      double* const other = z_stage_.data();
      add_up(tableau_.embedded, h, z, other);
      if (!problem_.finish_embedded(t + h, h, other)) return false;
      for (int i = 0; i < n_; ++i) other[i] = z_end_[i] - other[i];
      error = problem_.calc_error_norm(z, z_end_.data(), other);
    }
    return std::isfinite(error);
  }

  void add_up(const StageSum& sum, double h, const double* base, double* out) {
    combine(n_, base, h, static_cast<int>(sum.stage.size()), sum.stage.data(), sum.weight.data(),
            k_.data(), out);
  }

  double calc_error(double h, double* z) {
    // the slope at the end is not there yet, where the error does not need it
    double* const high = tableau_.error_uses_end ? z_stage_.data() : k_[tableau_.n_stages];
    add_up(tableau_.error, h, nullptr, high);
    if (tableau_.error_low.stage.empty()) return problem_.calc_error_norm(z, z_end_.data(), high);
    double* const low = z_stage_.data();
    add_up(tableau_.error_low, h, nullptr, low);
    if constexpr (requires(Problem & p) { p.calc_error_norms(z, z, z, z); }) {
      const auto errors = problem_.calc_error_norms(z, z_end_.data(), high, low);
      return combine_errors(errors.high, errors.low);
    } else {
      return combine_errors(problem_.calc_error_norm(z, z_end_.data(), high),
                            problem_.calc_error_norm(z, z_end_.data(), low));
    }
  }

  // ---- output between the ends of an accepted step

  // False: the observer stops the run at an output point, whose state is then in z_.
  bool write_outputs(double t, double t_new, double h, const double* z) {
    if (observer_.next_output() > t_new) return true;
    if (observer_.next_output() < t_new) {
      if constexpr (has_begin_step)
        problem_.begin_step(t_new, z_end_.data(), k_[tableau_.n_stages]);
      for (std::size_t s = 0; s < tableau_.extra_a.size(); ++s) {
        add_up(tableau_.extra_a[s], h, z, z_stage_.data());
        // a further stage that cannot be evaluated falls back on the slope at the step's end
        double* rate = k_[tableau_.n_stages + 1 + s];
        if (!problem_.calc_derivative(t + tableau_.extra_c[s] * h, z_stage_.data(), rate)) {
          std::copy(k_[tableau_.n_stages], k_[tableau_.n_stages] + n_, rate);
        }
      }
      dense_.prepare(h, z, z_end_.data(), k_);
    }
    for (double at = observer_.next_output(); at <= t_new; at = observer_.next_output()) {
      if (at == t_new) {
        std::copy(z_end_.begin(), z_end_.end(), z_stage_.begin());
      } else {
        dense_.calc((at - t) / h, z_stage_.data());
      }
      observer_.on_output(at, h, z_stage_.data());
      if constexpr (requires(const Observer& o) { o.is_stopped(); }) {
        if (!observer_.is_stopped()) continue;
        std::copy(z_stage_.begin(), z_stage_.end(), z_);
        t_ = at;
        return false;
      }
    }
    return true;
  }

  // ---- the first step (Hairer, Nørsett, Wanner I, II.4)

  double choose_first_step(double t_end, double* z) {
    double h = settings_.fixed_step;
    if (h == 0.0)
      h = settings_.initial_step > 0.0 ? settings_.initial_step : estimate_step(t_end, z);
    if (settings_.max_step > 0.0) h = std::min(h, settings_.max_step);
    return std::min(h, t_end);
  }

  // A step that changes the state by a hundredth of its size, then one whose error term of order q,
  // estimated by an Euler step, is a hundredth of the tolerance.
  double estimate_step(double t_end, const double* z) {
    const double d0 = problem_.calc_state_norm(z);
    const double d1 = problem_.calc_error_norm(z, z, k_[0]);
    double h0 = d1 > 0.0 ? std::min(0.01 * d0 / d1, t_end) : 1e-3 * t_end;
    for (int attempt = 0; attempt < 20; ++attempt, h0 *= 0.1) {
      for (int i = 0; i < n_; ++i) z_stage_[i] = z[i] + h0 * k_[0][i];
      if (!problem_.calc_derivative(h0, z_stage_.data(), k_[1])) continue;
      for (int i = 0; i < n_; ++i) z_stage_[i] = (k_[1][i] - k_[0][i]) / h0;
      const double d2 = problem_.calc_error_norm(z, z, z_stage_.data());
      const double steepest = std::max(d1, d2);
      const double h1 = steepest > 0.0 ? power(0.01 / steepest, 1.0 / tableau_.order) : t_end;
      return std::min({100.0 * h0, h1, t_end});
    }
    return h0;
  }

  const Tableau& tableau_;
  IntegratorSettings settings_;
  Problem& problem_;
  Observer& observer_;
  StepController control_;
  // ---- the run: where it is, and the step in hand
  double* z_ = nullptr;
  double t_ = 0.0, t_end_ = 0.0;
  double h_ = 0.0, wanted_ = 0.0;
  bool last_ = false;  // ends at t_end or at a break
  bool going_ = true;
  Stop stop_ = Stop::finished;
  std::int64_t n_attempts_ = 0;
  std::int64_t next_look_ = attempts_without_progress;  // attempts: then progress is looked at
  double t_looked_ = 0.0;
  std::size_t next_break_ = 0;
  StepAttempt attempt_{};
  DenseOutput dense_;
  int n_;
  // [stages][n], not initialised: the further stages of dense output are touched only where it is used
  LargeArray<double> stage_storage_;
  std::vector<double*> k_;       // [stages] k₀ … kₛ, then the further ones of dense output
  LargeVector<double> z_end_;    // z₁
  LargeVector<double> z_stage_;  // scratch of try_step, calc_error, write_outputs
  std::unique_ptr<double[]> difference_;  // z₁ − ẑ₁, for a problem that wants it; else not touched
};

}  // namespace trammel
