// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// An embedded pair of explicit Runge–Kutta methods (tableau.hpp) as a stepper: stages, end of the step by
// the problem, error. The slope at the end of an accepted step is the first stage of the next.
#pragma once

#include <algorithm>
#include <cassert>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "integrate/concepts.hpp"
#include "integrate/first_step.hpp"
#include "integrate/steppers/interpolant.hpp"
#include "integrate/tableau.hpp"
#include "math/combination.hpp"
#include "math/large_vector.hpp"

namespace trammel {

// The error: a sum of the stages, or the difference of z₁ and ẑ₁, both finished by the problem (the paper).
enum class ErrorSource { stages, finished_results };

template <Problem P>
class ExplicitRungeKutta {
 public:
  ExplicitRungeKutta(const Tableau& tableau, P& problem, ErrorSource source = ErrorSource::stages)
      : tableau_(tableau),
        problem_(problem),
        source_(source),
        dense_(tableau, problem.dimension()),
        n_(problem.dimension()),
        slope_storage_(count_slopes() * n_),
        z_end_(n_),
        z_stage_(n_),
        difference_(std::make_unique_for_overwrite<double[]>(n_)) {
    assert(source == ErrorSource::stages || ComparesFinished<P>);
    for (std::size_t s = 0; s < count_slopes(); ++s) {
      k_.push_back(slope_storage_.data() + s * n_);
    }
  }
  ~ExplicitRungeKutta() {
    if constexpr (HoldsAlongDifference<P>) problem_.set_difference(nullptr);
  }
  ExplicitRungeKutta(const ExplicitRungeKutta&) = delete;
  ExplicitRungeKutta& operator=(const ExplicitRungeKutta&) = delete;

  int dimension() const { return n_; }
  const StepLaw& law() const { return tableau_.law; }
  // ż where the last accepted step ended
  const double* rate() const { return k_[0]; }
  const double* end_rate() const { return k_[tableau_.n_stages]; }

  void start(const double* /*z*/, const double* rate) { std::copy(rate, rate + n_, k_[0]); }

  bool restart(double t, double* z) {
    if constexpr (StartsAnew<P>) {
      return problem_.start(z, k_[0], t);
    } else {
      return problem_.calc_derivative(t, z, k_[0]);
    }
  }

  bool renew(double t, double* z) { return problem_.calc_derivative(t, z, k_[0]); }

  double estimate_step(double t, double t_end, const double* z) {
    return estimate_first_step(problem_, tableau_.order, t, t_end, z, k_[0], k_[1],
                               z_stage_.data());
  }

  Attempt attempt(const Step& step, double* z) {
    Attempt made{false, 0.0, step.t_end, step.h, z_end_.data()};
    made.evaluated = try_step(step, z, made);
    return made;
  }

  // The further stages of dense output. One that cannot be evaluated falls back on the slope at the end.
  void prepare_dense(double t, const Attempt& made, const double* z) {
    const double h = made.h;
    double* const end = k_[tableau_.n_stages];
    if constexpr (BeginsSteps<P>) problem_.begin_step(made.t_end, z_end_.data(), end);
    for (std::size_t s = 0; s < tableau_.extra_a.size(); ++s) {
      add_up(tableau_.extra_a[s], h, z, z_stage_.data());
      double* const rate = k_[tableau_.n_stages + 1 + s];
      if (!problem_.calc_derivative(t + tableau_.extra_c[s] * h, z_stage_.data(), rate)) {
        std::copy(end, end + n_, rate);
      }
    }
    dense_.prepare(h, z, z_end_.data(), k_);
  }
  const Interpolant& dense() const { return dense_; }

  void accept(const Attempt& made, double* z) {
    if constexpr (AcceptsSteps<P>) problem_.accept_step(made.t_end, z_end_.data());
    std::copy(z_end_.begin(), z_end_.end(), z);
    std::swap(k_[0], k_[tableau_.n_stages]);
  }
  // k₀ is still the slope at z.
  void reject(const Attempt& /*made*/) {}

 protected:
  double* z_end() { return z_end_.data(); }
  double* slope(int s) { return k_[s]; }

 private:
  std::size_t count_slopes() const { return tableau_.n_stages + 1 + tableau_.extra_a.size(); }

  // z_end_ and k_[s] from z and k_[0]; false when it cannot be evaluated. A step whose error is
  // known from the stages alone is not finished when that error is too large.
  bool try_step(const Step& step, double* z, Attempt& made) {
    const double t = step.t, h = step.h;
    if constexpr (BeginsSteps<P>) {
      if (!problem_.begin_step(t, z, k_[0])) return false;
    }
    // k_s = f(t + c_s h, z + h Σ a_sj k_j); k₀ is known
    for (int s = 1; s < tableau_.n_stages; ++s) {
      add_up(tableau_.a[s], h, z, z_stage_.data());
      if (!problem_.calc_derivative(t + tableau_.c[s] * h, z_stage_.data(), k_[s])) return false;
    }
    // z₁ = z + h Σ b_s k_s
    add_up(tableau_.b, h, z, z_end_.data());
    if (!tableau_.error_uses_end && source_ == ErrorSource::stages) {
      made.error = calc_error(h, z);
      if (!std::isfinite(made.error)) return false;
      if (made.error > 1.0 && !step.is_fixed) return true;
    }
    if (!step.is_exact) relax(step, z, made);
    if (!hand_over_difference(t, h)) return false;
    // z₁ onto the manifold, and f there: k₀ of the next step
    if (!problem_.finish_step(made.t_end, made.h, z_end_.data(), k_[tableau_.n_stages])) {
      return false;
    }
    if (source_ == ErrorSource::finished_results) return compare_finished(t, h, z, made.error);
    if (tableau_.error_uses_end) made.error = calc_error(h, z);
    return std::isfinite(made.error);
  }

  // z₁ ← z + σ(z₁ − z), h ← σh, where the problem asks for it.
  void relax(const Step& step, const double* z, Attempt& made) {
    if constexpr (Relaxes<P>) {
      if (!problem_.wants_relaxation()) return;
      // h goes with it: the step ends where the solution has that energy
      const double sigma =
          problem_.find_relaxation(z, z_end_.data(), k_[0], made.h, z_stage_.data());
      for (int i = 0; i < n_; ++i) z_end_[i] = z[i] + sigma * (z_end_[i] - z[i]);
      made.h *= sigma;
      made.t_end = step.t + made.h;
    }
  }

  // Where the difference has a weight for kₛ, which is known only after finish_step, the derivative is
  // evaluated once more, at z₁ as the stages leave it.
  bool hand_over_difference(double t, double h) {
    if constexpr (HoldsAlongDifference<P>) {
      if (!problem_.wants_difference()) return true;
      if (tableau_.error_uses_end) {
        std::copy(z_end_.begin(), z_end_.end(), z_stage_.begin());
        if (!problem_.calc_derivative(t + h, z_stage_.data(), k_[tableau_.n_stages])) return false;
      }
      // z₁ − ẑ₁ = h Σ e_s k_s
      add_up(tableau_.error, h, nullptr, difference_.get());
      problem_.set_difference(difference_.get());
    }
    return true;
  }

  bool compare_finished(double t, double h, const double* z, double& error) {
    if constexpr (ComparesFinished<P>) {
      double* const other = z_stage_.data();
      // ẑ₁ = z + h Σ b̂_s k_s, finished as z₁ is
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
    // kₛ is not there yet where the error does not need it: its memory is free
    double* const high = tableau_.error_uses_end ? z_stage_.data() : k_[tableau_.n_stages];
    add_up(tableau_.error, h, nullptr, high);
    if (tableau_.error_low.stage.empty()) return problem_.calc_error_norm(z, z_end_.data(), high);
    double* const low = z_stage_.data();
    add_up(tableau_.error_low, h, nullptr, low);
    if constexpr (CalcsBothErrors<P>) {
      const auto errors = problem_.calc_error_norms(z, z_end_.data(), high, low);
      return combine_errors(errors.high, errors.low);
    } else {
      return combine_errors(problem_.calc_error_norm(z, z_end_.data(), high),
                            problem_.calc_error_norm(z, z_end_.data(), low));
    }
  }

  const Tableau& tableau_;
  P& problem_;
  ErrorSource source_;
  Interpolant dense_;
  int n_;
  // [slopes][n], not initialised: the further stages of dense output are touched only where it is used
  LargeArray<double> slope_storage_;
  std::vector<double*> k_;       // [slopes] k₀ … kₛ, then the further ones of dense output
  LargeVector<double> z_end_;    // z₁
  LargeVector<double> z_stage_;  // scratch
  std::unique_ptr<double[]> difference_;  // z₁ − ẑ₁, for a problem that wants it; else not touched
};

}  // namespace trammel
