// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Radau IIA of orders 5, 9 and 13 (radau_tables.hpp) as a stepper, with the order chosen as the run goes: for
// stiff problems, whose explicit steps are bounded by the stiffest element instead of by the motion.
//
// The increments Zᵢ of the stages solve f(t + cᵢh, z₀ + Zᵢ) − (1/h) Σⱼ (A⁻¹)ᵢⱼ Zⱼ = 0. One iteration of Newton's
// method with one matrix ∂f/∂z for all stages:
//
//   Rᵢ      the residuals: s evaluations, independent of each other
//   R → T⁻¹R, solve (I − (h/μ) ∂f/∂z) X = (h/μ) R for each eigenvalue μ, X → T X,   Zᵢ += Xᵢ
//
// with each residual turned from its stage to the coordinates of the linearisation and each correction back
// (Linearises in concepts.hpp): directions in which a problem is stiff may turn by a radian in one step. What
// only integrates, ẇ = p(t, z), is no unknown: W = h A p.
//
//   start         the collocation polynomial of the last step, continued
//   convergence   θ/(1 − θ) |ΔZ| ≤ κ, θ the ratio of successive corrections, in the norm of the error
//   linearised    at the predicted middle of the step, kept while Newton's method converges fast
//   error         filtered by the real factor, O(h^{s+1}); no evaluation but after a rejection
//   order         up where Newton's method converges fast, down where slowly, after ten steps of one order
//
// Literature: E. Hairer, G. Wanner, Stiff differential equations solved by Radau methods, J. Comput. Appl. Math.
// 111 (1999) 93. What is done otherwise here, and the trials behind the constants: docs/explanation/method.md.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

#include "integrate/concepts.hpp"
#include "integrate/first_step.hpp"
#include "integrate/radau_tables.hpp"
#include "math/large_vector.hpp"
#include "math/power.hpp"

namespace trammel {

struct RadauCounts {
  std::int64_t iterations = 0;                   // of Newton's method
  std::int64_t failures = 0;                     // it did not converge
  std::array<std::int64_t, 3> steps_of_order{};  // accepted, of orders 5, 9, 13
};

// Stages of the first step, and between how many they are chosen.
struct RadauOrders {
  int first = 3, least = 3, most = 7;
};

// The collocation polynomial z₀ + Σ Zᵢ Lᵢ(θ) through (0, z₀) and (cᵢ, z₀ + Zᵢ).
class CollocationPolynomial {
 public:
  CollocationPolynomial(const RadauTable& table, int n, const double* z0, const double* Z)
      : table_(table), n_(n), z0_(z0), Z_(Z) {}

  void calc(double theta, double* z) const {
    std::copy(z0_, z0_ + n_, z);
    add(theta, z);
  }
  // z += Σ Zᵢ Lᵢ(θ)
  void add(double theta, double* z) const {
    const std::vector<double>& c = table_.c;
    for (int i = 0; i < table_.n_stages; ++i) {
      double weight = theta / c[i];
      for (int j = 0; j < table_.n_stages; ++j) {
        if (j != i) weight *= (theta - c[j]) / (c[i] - c[j]);
      }
      const double* const Z = Z_ + static_cast<std::size_t>(i) * n_;
      for (int k = 0; k < n_; ++k) z[k] += weight * Z[k];
    }
  }

 private:
  const RadauTable& table_;
  int n_;
  const double *z0_, *Z_;
};

template <Problem P>
requires Linearises<P>
class Radau {
 public:
  explicit Radau(P& problem, const RadauOrders& orders = {})
      : problem_(problem),
        orders_(orders),
        n_(problem.dimension()),
        n_unknowns_(problem.n_unknowns()),
        n_stages_(orders.first),
        done_(orders.first),
        Z_(count(orders.most)),
        last_Z_(count(orders.most)),
        R_(count(orders.most)),
        X_(count(orders.most)),
        z_end_(n_),
        z_stage_(n_),
        error_(n_),
        rate_(n_),
        end_rate_(n_) {
    problem_.prepare_factors((orders.most - 1) / 2);
  }
  Radau(const Radau&) = delete;
  Radau& operator=(const Radau&) = delete;

  int dimension() const { return n_; }
  const RadauCounts& counts() const { return counts_; }
  // ż where the last accepted step ended
  const double* rate() const { return rate_.data(); }
  const double* end_rate() const { return end_rate_.data(); }

  // Of the step attempted last: accept may have chosen another order for the next.
  StepLaw law() const {
    const double most = most_iterations(done_);
    StepLaw law{1.0 / (done_ + 1), 0.2, n_careful_ > 0 ? careful_growth : 8.0, 0.0};
    law.safety = safety / pi_safety_of_loop * (2.0 * most + 1.0) / (2.0 * most + n_iterations_);
    law.keep = is_stale_ ? 1.0 : largest_kept_growth;
    return law;
  }

  void start(const double* /*z*/, const double* rate) {
    std::copy(rate, rate + n_, rate_.begin());
    forget_history();
    set_order(orders_.first);
  }
  bool restart(double t, double* z) {
    forget_history();
    if constexpr (StartsAnew<P>) {
      return problem_.start(z, rate_.data(), t);
    } else {
      return problem_.calc_derivative(t, z, rate_.data());
    }
  }
  bool renew(double t, double* z) { return problem_.calc_derivative(t, z, rate_.data()); }
  double estimate_step(double t, double t_end, const double* z) {
    return estimate_first_step(problem_, n_stages_ + 1, t, t_end, z, rate_.data(), error_.data(),
                               z_stage_.data());
  }

  Attempt attempt(const Step& step, double* z) {
    Step used = step;
    if constexpr (BoundsSteps<P>) {
      const double longest = problem_.calc_longest_step(z);
      if (step.h > longest && !step.is_fixed) {
        // an end that is asked for is approached by shorter steps
        if (step.is_exact) return {false, 0.0, step.t_end, step.h, z_end_.data()};
        used.h = longest;
        used.t_end = step.t + longest;
      }
    }
    Attempt made{false, 0.0, used.t_end, used.h, z_end_.data()};
    made.evaluated = try_step(used, z, made);
    return made;
  }

  void prepare_dense(double, const Attempt&, const double* z) { z0_ = z; }
  CollocationPolynomial dense() const { return {radau_table(done_), n_, z0_, Z_.data()}; }

  void accept(const Attempt& made, double* z) {
    if constexpr (AcceptsSteps<P>) problem_.accept_step(made.t_end, z_end_.data());
    std::copy(z_end_.begin(), z_end_.end(), z);
    std::swap(rate_, end_rate_);
    std::swap(Z_, last_Z_);
    last_stages_ = done_;
    last_h_ = made.h;
    is_fresh_ = false;
    is_first_ = false;
    is_stale_ = !(theta_ < theta_of_kept_matrix);
    if (n_careful_ > 0) --n_careful_;
    ++counts_.steps_of_order[(done_ - 3) / 2];
    choose_order();
  }
  // Z, the matrix and the factors are those of the step that failed: the matrix still fits.
  void reject(const Attempt& /*made*/) {}

  // What earlier steps say is worth nothing: predictor, matrix.
  void forget_history() {
    last_stages_ = 0;
    is_first_ = true;
    is_stale_ = true;
    is_fresh_ = false;
    last_convergence_ = 1.0;
  }

 private:
  // ---- constants, from trials on seven mechanisms
  static constexpr double kappa = 0.003;  // of the tolerance, left by Newton's method
  static constexpr double theta_of_kept_matrix = 0.02;
  static constexpr double theta_up = 0.02, theta_down = 0.8;
  static constexpr int iterations_up = 4, steps_of_one_order = 10;
  static constexpr double largest_kept_growth = 1.2;
  static constexpr double careful_growth = 1.5;  // for so many steps after a failure
  static constexpr int careful_steps = 5;
  static constexpr double safety = 0.9, pi_safety_of_loop = 0.85;
  static constexpr int most_iterations(int s) { return 7 + (s - 3) * 5 / 2; }

  std::size_t count(int stages) const { return static_cast<std::size_t>(stages) * n_; }
  double* stage(LargeVector<double>& of, int i) { return of.data() + count(i); }
  const RadauTable& table() const { return radau_table(n_stages_); }

  bool try_step(const Step& step, double* z, Attempt& made) {
    done_ = n_stages_;
    n_iterations_ = most_iterations(n_stages_);
    if (is_stale_ || !problem_.is_linearised()) {
      if (!is_fresh_ && !linearise(step, z)) return fail();
    }
    while (!has_factors(step.h) || !iterate(step, z)) {
      // with a matrix of the step itself a shorter step has to do
      ++counts_.failures;
      last_convergence_ = 1.0;
      if (is_fresh_ || !linearise(step, z)) return fail();
    }
    made.error = calc_error(step, z);
    if (!std::isfinite(made.error)) return fail();
    was_rejected_ = made.error > 1.0;
    if (made.error > 1.0 && !step.is_fixed) return true;
    const double* const last = stage(Z_, n_stages_ - 1);
    for (int k = 0; k < n_; ++k) z_end_[k] = z[k] + last[k];
    return problem_.finish_step(made.t_end, made.h, z_end_.data(), end_rate_.data());
  }

  bool fail() {
    is_stale_ = true;
    is_fresh_ = false;
    shift_h_ = 0.0;
    last_convergence_ = 1.0;
    n_careful_ = careful_steps;
    set_order(std::max(n_stages_ - 2, orders_.least));
    return false;
  }

  void set_order(int n_stages) {
    if (n_stages == n_stages_) return;
    n_stages_ = n_stages;
    n_steps_of_order_ = 0;
    last_convergence_ = 1.0;
  }

  void choose_order() {
    if (++n_steps_of_order_ < steps_of_one_order) return;
    if (theta_ <= theta_up && n_iterations_ <= iterations_up) {
      set_order(std::min(n_stages_ + 2, orders_.most));
    } else if (theta_ >= theta_down) {
      set_order(std::max(n_stages_ - 2, orders_.least));
    }
  }

  // into ← the predicted increment at t + xh, from the last step: its polynomial relative to its end, which
  // the projection has moved.
  void predict(double x, double h, double* into) const {
    std::fill(into, into + n_, 0.0);
    if (last_stages_ == 0) return;
    const double* const end = last_Z_.data() + count(last_stages_ - 1);
    CollocationPolynomial(radau_table(last_stages_), n_, nullptr, last_Z_.data())
        .add(1.0 + x * h / last_h_, into);
    for (int k = 0; k < n_; ++k) into[k] -= end[k];
  }

  // At the predicted middle of the step: its start would be up to a radian away from its end.
  bool linearise(const Step& step, const double* z) {
    predict(0.5, step.h, z_stage_.data());
    for (int k = 0; k < n_; ++k) z_stage_[k] += z[k];
    is_fresh_ = true;
    is_stale_ = false;
    shift_h_ = 0.0;
    return problem_.linearise(step.t + 0.5 * step.h, z_stage_.data());
  }

  // I − (h/μ) ∂f/∂z for all eigenvalues.
  bool has_factors(double h) {
    if (shift_h_ == h && shift_stages_ == n_stages_) return true;
    const RadauTable& of = table();
    if (!problem_.factor(0, h / of.real_eigenvalue)) return false;
    for (int k = 0; k < of.n_pairs(); ++k) {
      if (!problem_.factor(k + 1, h * calc_shift(k))) return false;
    }
    shift_h_ = h;
    shift_stages_ = n_stages_;
    return true;
  }
  // 1/(α − iβ): with X = x₁ + i x₂ both equations of a pair are one with the conjugate eigenvalue.
  Complex calc_shift(int pair) const {
    const auto& [re, im] = table().eigenvalue[pair];
    return calc_inverse(Complex(re, -im));
  }

  // Z ← the increments of the stages; false: Newton's method does not converge.
  bool iterate(const Step& step, const double* z) {
    const int s = n_stages_;
    // a fixed step cannot be shortened: it takes as many iterations as it needs
    const int most = (step.is_fixed ? 10 : 1) * most_iterations(s);
    for (int i = 0; i < s; ++i) predict(table().c[i], step.h, stage(Z_, i));
    // a correction of the size of rounding is the last, however tight the tolerance
    const double rounding =
        16.0 * std::numeric_limits<double>::epsilon() * problem_.calc_state_norm(z);
    double last_size = 0.0, last_ratio = 0.0, convergence = 0.0;
    theta_ = 0.0;
    for (int k = 0; k < most; ++k) {
      ++counts_.iterations;
      n_iterations_ = k + 1;
      if (!calc_residuals(step, z)) return false;
      solve(step.h);
      const double size = correct(z);
      if (!std::isfinite(size)) return false;
      if (k == 0) {
        convergence = power(std::max(last_convergence_, 1e-12), 0.8);
      } else {
        const double ratio = last_size > 0.0 ? size / last_size : 0.0;
        theta_ = k == 1 ? ratio : std::sqrt(ratio * last_ratio);
        last_ratio = ratio;
        convergence = theta_ / (1.0 - std::min(theta_, 0.99));
      }
      last_size = size;
      if (convergence * size <= kappa || (k > 0 && size <= rounding)) {
        last_convergence_ = convergence;
        return true;
      }
      if (k > 1 && !step.is_fixed && !can_converge(size * convergence, most - 2 - k)) return false;
    }
    return false;
  }
  // What is left after so many more iterations is less than ten times what is wanted.
  bool can_converge(double left, int more) const {
    if (theta_ >= 0.99) return false;
    for (int k = 0; k < more; ++k) left *= theta_;
    return left <= 10.0 * kappa;
  }

  // R ← f − A⁻¹Z/h at the stages, turned; what only integrates is there, with its last rates.
  bool calc_residuals(const Step& step, const double* z) {
    const RadauTable& of = table();
    const int s = n_stages_;
    for (int i = 0; i < s; ++i) {
      const double* const Z = stage(Z_, i);
      for (int k = 0; k < n_; ++k) z_stage_[k] = z[k] + Z[k];
      double* const R = stage(R_, i);
      if (!problem_.calc_derivative(step.t + of.c[i] * step.h, z_stage_.data(), R)) return false;
      for (int j = 0; j < s; ++j) {
        const double weight = of.inverse_a[i * s + j] / step.h;
        const double* const Zj = stage(Z_, j);
        for (int k = 0; k < n_unknowns_; ++k) R[k] -= weight * Zj[k];
      }
      problem_.turn_to(z_stage_.data(), R);
    }
    for (int i = 0; i < s; ++i) {
      double* const Z = stage(Z_, i);
      std::fill(Z + n_unknowns_, Z + n_, 0.0);
      for (int j = 0; j < s; ++j) {
        const double weight = step.h * of.a[i * s + j];
        const double* const rate = stage(R_, j);
        for (int k = n_unknowns_; k < n_; ++k) Z[k] += weight * rate[k];
      }
    }
    return true;
  }

  // X ← T⁻¹R, then its solution for each eigenvalue
  void solve(double h) {
    const RadauTable& of = table();
    combine_stages(of.inverse_t, R_, X_);
    scale(stage(X_, 0), h / of.real_eigenvalue);
    problem_.solve(stage(X_, 0));
    for (int pair = 0; pair < of.n_pairs(); ++pair) {
      double *const re = stage(X_, 1 + 2 * pair), *const im = stage(X_, 2 + 2 * pair);
      const Complex shift = h * calc_shift(pair);
      for (int k = 0; k < n_unknowns_; ++k) {
        const Complex b = shift * Complex(re[k], im[k]);
        re[k] = b.re;
        im[k] = b.im;
      }
      problem_.solve(pair + 1, re, im);
    }
  }

  // Z += the corrections T X, turned back to their stages; returns their size.
  double correct(const double* z) {
    combine_stages(table().t, X_, R_);
    double sum = 0.0;
    for (int i = 0; i < n_stages_; ++i) {
      double *const Z = stage(Z_, i), *const R = stage(R_, i);
      for (int k = 0; k < n_; ++k) z_stage_[k] = z[k] + Z[k];
      problem_.turn_from(z_stage_.data(), R);
      std::fill(R + n_unknowns_, R + n_, 0.0);
      const double size = problem_.calc_error_norm(z, z_stage_.data(), R);
      sum += size * size;
      for (int k = 0; k < n_unknowns_; ++k) Z[k] += R[k];
    }
    return std::sqrt(sum / n_stages_);
  }

  // to ← M from, M an s × s matrix on the stages
  void combine_stages(const std::vector<double>& matrix, LargeVector<double>& from,
                      LargeVector<double>& to) {
    const int s = n_stages_;
    for (int i = 0; i < s; ++i) {
      double* const sum = stage(to, i);
      const double* const first = stage(from, 0);
      for (int k = 0; k < n_unknowns_; ++k) sum[k] = matrix[i * s] * first[k];
      for (int j = 1; j < s; ++j) {
        const double weight = matrix[i * s + j];
        if (weight == 0.0) continue;
        const double* const x = stage(from, j);
        for (int k = 0; k < n_unknowns_; ++k) sum[k] += weight * x[k];
      }
    }
  }
  void scale(double* x, double factor) const {
    for (int k = 0; k < n_unknowns_; ++k) x[k] *= factor;
  }

  // E = (I − hγ₀ ∂f/∂z)⁻¹ (hγ₀ f₀ + Σ eᵢ Zᵢ); where it is too large at a start or after a rejection once
  // more with f(z + E), which takes out what is fast and decays.
  double calc_error(const Step& step, const double* z) {
    double error = filter_error(step.h, z, rate_.data());
    if (!(error > 1.0) || !(is_first_ || was_rejected_) || step.is_fixed) return error;
    for (int k = 0; k < n_; ++k) z_stage_[k] = z[k] + error_[k];
    double* const rate = stage(R_, 0);
    if (!problem_.calc_derivative(step.t, z_stage_.data(), rate)) return error;
    return filter_error(step.h, z, rate);
  }
  double filter_error(double h, const double* z, const double* rate) {
    const RadauTable& of = table();
    const double weight = h / of.real_eigenvalue;
    for (int k = 0; k < n_unknowns_; ++k) error_[k] = weight * rate[k];
    for (int i = 0; i < n_stages_; ++i) {
      const double* const Z = stage(Z_, i);
      for (int k = 0; k < n_unknowns_; ++k) error_[k] += of.error[i] * Z[k];
    }
    problem_.turn_to(z, error_.data());
    problem_.solve(error_.data());
    problem_.turn_from(z, error_.data());
    std::fill(error_.begin() + n_unknowns_, error_.end(), 0.0);
    const double* const last = stage(Z_, n_stages_ - 1);
    for (int k = 0; k < n_; ++k) z_end_[k] = z[k] + last[k];
    return problem_.calc_error_norm(z, z_end_.data(), error_.data());
  }

  P& problem_;
  RadauOrders orders_;
  int n_, n_unknowns_;
  RadauCounts counts_;

  int n_stages_;              // s of the next attempt
  int done_;                  // of the last one
  int n_steps_of_order_ = 0;  // accepted since the order was chosen
  int n_careful_ = 0;         // steps that may not grow fast, after a failure

  double theta_ = 0.0;             // of the last attempt
  int n_iterations_ = 1;           // of it
  double last_convergence_ = 1.0;  // θ/(1 − θ) of it
  bool is_first_ = true;           // no step is known from before
  bool was_rejected_ = false;      // the last attempt had too large an error
  bool is_stale_ = true;           // the next step needs another matrix
  bool is_fresh_ = false;          // the matrix is of the step from the state in hand
  double shift_h_ = 0.0;           // of the factors in hand; 0: there are none
  int shift_stages_ = 0;

  int last_stages_ = 0;  // of last_Z_; 0: there is none
  double last_h_ = 0.0;
  const double* z0_ = nullptr;  // start of the step of Z_

  LargeVector<double> Z_, last_Z_;  // [stages][n] increments; of the step accepted last
  LargeVector<double> R_, X_;       // [stages][n] scratch
  LargeVector<double> z_end_, z_stage_, error_;
  LargeVector<double> rate_, end_rate_;  // ż at the start and at the end of a step
};

}  // namespace trammel
