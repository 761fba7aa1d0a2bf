// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
// Guesses, the points themselves, and what is integrated over them.
#include "problem/kinematic_panel.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "evaluate/step_judgement.hpp"
#include "math/combination.hpp"

namespace trammel {

namespace {

// Newton's method from a guess that close, with the factor of the guess: more is a sign of another
// branch nearby.
constexpr int most_iterations = 6;
// Data of a point much closer to the last one than the next is would be extrapolated too far.
constexpr double longest_extrapolation = 20.0;

}  // namespace

template <class Space>
KinematicPanel<Space>::KinematicPanel(MechanicalProblem<Space>& problem)
    : problem_(problem),
      system_(problem.point().system),
      layout_(problem.point().system.topology.layout),
      dimension_(layout_.size()),
      n_y_(static_cast<std::size_t>(layout_.u(0))),
      rules_{Chebyshev(4), Chebyshev(8), Chebyshev(16)},
      z_(most_points * dimension_),
      rate_(most_points * dimension_),
      second_(most_points * n_y_),
      guess_(dimension_),
      before_z_(dimension_),
      before_rate_(dimension_),
      before_second_(n_y_),
      coefficients_(most_points * static_cast<std::size_t>(layout_.n_components)) {}

template <class Space>
double KinematicPanel<Space>::time(int k) const {
  return k == n() ? end_time_ : start_time_ + length_ * chebyshev().point(k);
}

// Without drivers nothing moves: a rounded velocity would stay for ever.
template <class Space>
void KinematicPanel<Space>::rest(double* z) const {
  if (system_.topology.drivers.empty()) {
    std::fill_n(z + layout_.u(0), Space::n_u * layout_.n_bodies, 0.0);
  }
}

template <class Space>
bool KinematicPanel<Space>::start(const double* z) {
  std::copy(z, z + dimension_, state(0));
  rest(state(0));
  if (!problem_.projector().finish_given(0.0, 0.0, true, state(0), rate(0))) return false;
  calc_second(0);
  return true;
}

template <class Space>
void KinematicPanel<Space>::begin(double end, int n) {
  rule_ = n == 4 ? 0 : n == 8 ? 1 : 2;
  end_time_ = end;
  length_ = end - start_time_;
  deviation_ = 0.0;
}

template <class Space>
void KinematicPanel<Space>::calc_second(int k) {
  for (int b = 0; b < layout_.n_bodies; ++b) {
    // ÿ from y, u and u̇
    Space::calc_second_rate(state(k) + layout_.y(b), state(k) + layout_.u(b),
                            rate(k) + layout_.u(b), second(k) + layout_.y(b));
  }
}

// With s = t − t₀ from the last point and d = t₀ − t₋ to the one before,
//   y = y₀ + ẏ₀ s + ½ ÿ₀ s² + s³ (A + (s + d)(B + (s + d) C)),
// so that y, ẏ, ÿ at −d are those of the point before; u likewise by u, u̇.
template <class Space>
void KinematicPanel<Space>::guess(const Known& at, const Known& before, double t, double* z) const {
  const double s = t - at.t, d = at.t - before.t;
  const bool extrapolates = d > 0.0 && s < longest_extrapolation * d;
  const double inverse = extrapolates ? 1.0 / d : 0.0;
  for (std::size_t i = 0; i < n_y_; ++i) {
    // Taylor about the last point
    z[i] = at.z[i] + s * (at.rate[i] + 0.5 * s * at.second[i]);
    if (!extrapolates) continue;
    // what it misses at the point before, in y, d ẏ, d² ÿ
    const double e0 = before.z[i] - (at.z[i] - d * (at.rate[i] - 0.5 * d * at.second[i]));
    const double e1 = d * (before.rate[i] - (at.rate[i] - d * at.second[i]));
    const double e2 = d * d * (before.second[i] - at.second[i]);
    // A, B, C times d³, d⁴, d⁵
    const double A = -e0, B = 3.0 * A - e1, C = 0.5 * (6.0 * (B - A) - e2);
    const double x = s * inverse, w = x + 1.0;
    z[i] += x * x * x * (A + w * (B + w * C));
  }
  for (std::size_t i = n_y_; i < dimension_; ++i) {
    z[i] = at.z[i] + s * at.rate[i];
    if (!extrapolates) continue;
    const double e0 = before.z[i] - (at.z[i] - d * at.rate[i]);
    const double e1 = d * (before.rate[i] - at.rate[i]);
    const double A = e0, B = e1 + 2.0 * A;
    const double x = s * inverse;
    z[i] += x * x * (A + (x + 1.0) * B);
  }
  rest(z);
  integrate_rates(at.t, at.z, t, z);
  // the work is known at the end of the panel only
  for (int c = 0; c < layout_.n_components; ++c) z[layout_.work(c)] = at.z[layout_.work(c)];
}

// The integral of a rate that a driver gives is a function of time: exact.
template <class Space>
void KinematicPanel<Space>::integrate_rates(double from, const double* z_from, double to,
                                            double* z) const {
  const Topology& topology = system_.topology;
  for (std::size_t k = 0; k < topology.drivers.size(); ++k) {
    const int reference = topology.drivers[k].reference;
    if (reference < 0) continue;
    const int at = layout_.reference(reference);
    z[at] = z_from[at] + system_.parameters.drivers[k].integrate(from, to);
  }
}

template <class Space>
bool KinematicPanel<Space>::reach(int k) {
  const Known at = known(k - 1);
  const Known before = k >= 2                ? known(k - 2)
                       : before_time_ >= 0.0 ? Known{before_time_, before_z_.data(),
                                                     before_rate_.data(), before_second_.data()}
                                             : at;
  suggestion_ = 0.5;
  guess(at, before, time(k), guess_.data());
  std::copy(guess_.begin(), guess_.end(), state(k));
  // onto M at that time; refused where the guess was far off
  if (!problem_.projector().finish_given(time(k), length_, k == n(), state(k), rate(k)))
    return false;
  if (problem_.point().in_passage || problem_.point().quality.iterations > most_iterations)
    return false;
  calc_second(k);
  return judge(at, known(k), guess_.data());
}

template <class Space>
bool KinematicPanel<Space>::judge(const Known& before, const Known& at, const double* guessed) {
  const double h = at.t - before.t;
  double largest = 0.0;
  std::array<double, Space::n_y> back;
  for (int b = 0; b < layout_.n_bodies; ++b) {
    const int y = layout_.y(b);
    for (int i = 0; i < Space::n_y; ++i) {
      const int j = y + i;
      // y₁ − y₀ − h (ẏ₀ + ẏ₁)/2 − h² (ÿ₀ − ÿ₁)/12
      back[i] = at.z[j] - before.z[j] - 0.5 * h * (before.rate[j] + at.rate[j]) +
                h * h / 12.0 * (at.second[j] - before.second[j]);
    }
    const auto dr =
        Linear<double, Space>::load(guessed + y) - Linear<double, Space>::load(at.z + y);
    const auto off = Linear<double, Space>::load(back.data());
    const double inverse = 1.0 / system_.length[b];
    // how far the guess was off, and the motion from leading back: metres by L, and radians
    largest = std::max({largest, inverse * calc_length(dr), inverse * calc_length(off),
                        Space::calc_angle(guessed + y, at.z + y),
                        std::sqrt(Space::calc_turn2(at.z + y, back.data()))});
  }
  deviation_ = std::max(deviation_, largest);
  if (largest <= most_deviation) return true;
  // the deviation is of fifth order in h
  suggestion_ = std::clamp(0.8 * std::pow(most_deviation / largest, 0.2), 0.1, 0.8);
  return false;
}

template <class Space>
double KinematicPanel<Space>::calc_turn() const {
  double largest = 0.0;
  for (const int k : {0, n()}) {
    const double* const z = z_.data() + static_cast<std::size_t>(k) * dimension_;
    for (int b = 0; b < layout_.n_bodies; ++b) {
      const double* const u = z + layout_.u(b);
      largest = std::max({largest, calc_length(Linear<double, Space>::load(u)) / system_.length[b],
                          calc_length(Angular<double, Space>::load(u + Space::dimension))});
    }
  }
  return largest;
}

template <class Space>
double KinematicPanel<Space>::calc_work(double rtol, double atol) {
  std::array<double, most_points> power;
  double largest = 0.0;
  for (int c = 0; c < layout_.n_components; ++c) {
    const int w = layout_.work(c);
    for (int k = 0; k <= n(); ++k) power[k] = rate(k)[w];
    double* const coefficients = coefficients_.data() + static_cast<std::size_t>(c) * most_points;
    // W₁ = W₀ + H ∫ P dτ of the polynomial through the powers
    chebyshev().calc_coefficients(power.data(), coefficients);
    const double work = state(0)[w];
    state(n())[w] = work + length_ * Chebyshev::integrate(n(), coefficients, 1.0);
    const double error = length_ * Chebyshev::estimate_error(n(), coefficients);
    largest = std::max(largest, calc_work_error2(rtol, atol, work, state(n())[w],
                                                 problem_.point().step_kinetic[c], error));
  }
  return std::sqrt(largest);
}

template <class Space>
void KinematicPanel<Space>::interpolate(double t, double* z) {
  const double s = (t - start_time_) / length_;
  std::array<double, most_points> weights;
  chebyshev().calc_weights(s, weights.data());
  std::array<const double*, most_points> values;
  std::array<int, most_points> which;
  for (int k = 0; k <= n(); ++k) {
    values[k] = z_.data() + static_cast<std::size_t>(k) * dimension_;
    which[k] = k;
  }
  const int size = static_cast<int>(dimension_);
  combine(size, nullptr, 1.0, n(), which.data(), weights.data(), values.data(), guess_.data());
  combine(size, guess_.data(), 1.0, 1, which.data() + n(), weights.data() + n(), values.data(), z);
  for (int c = 0; c < layout_.n_components; ++c) {
    const double* const coefficients =
        coefficients_.data() + static_cast<std::size_t>(c) * most_points;
    z[layout_.work(c)] = z_[layout_.work(c)] + length_ * Chebyshev::integrate(n(), coefficients, s);
  }
  int k = 0;
  while (k + 1 < n() && time(k + 1) <= t) ++k;
  integrate_rates(time(k), z_.data() + static_cast<std::size_t>(k) * dimension_, t, z);
}

template <class Space>
void KinematicPanel<Space>::accept(const double* z) {
  const int last = n();
  before_time_ = time(last - 1);
  std::copy(state(last - 1), state(last - 1) + dimension_, before_z_.begin());
  std::copy(rate(last - 1), rate(last - 1) + dimension_, before_rate_.begin());
  std::copy(second(last - 1), second(last - 1) + n_y_, before_second_.begin());
  // whole turns that are gone
  for (std::size_t i = 0; i < n_y_; ++i) before_z_[i] += z[i] - state(last)[i];
  start_time_ = end_time_;
  std::copy(z, z + dimension_, state(0));
  std::copy(rate(last), rate(last) + dimension_, rate(0));
  std::copy(second(last), second(last) + n_y_, second(0));
}

template class KinematicPanel<Spatial>;
template class KinematicPanel<Planar>;

}  // namespace trammel
