// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// A stretch of a motion that joints and drivers determine altogether: nothing is integrated but the
// work. At the Chebyshev points of [t, t + H], one after the other,
//
//   positions      g(y, t) = 0 by Newton's method, from a guess by y, ẏ, ÿ at the last two points
//                  (Hermite, extrapolated)
//   velocities     J u = −g_t
//   accelerations  J u̇ = −γ, and λ
//
// and over all of them
//
//   W(t)           ∫ P dt of the polynomial through the powers P (math/chebyshev.hpp)
//   a guess        of y and u at any time, by the polynomials through theirs
//
// The branch is kept: a point whose guess was far off, or from which the motion does not lead back to
// the point before,
//
//   y₁ = y₀ + h (ẏ₀ + ẏ₁)/2 + h² (ÿ₀ − ÿ₁)/12 + O(h⁵),
//
// does not belong to this motion or is too far away: the panel is tried again, shorter.
#pragma once

#include <array>
#include <vector>

#include "math/chebyshev.hpp"
#include "problem/mechanical_problem.hpp"

namespace trammel {

template <class Space>
class KinematicPanel {
 public:
  explicit KinematicPanel(MechanicalProblem<Space>& problem);

  // z: a point of M at t = 0.
  bool start(const double* z);

  // A panel of n = 4, 8 or 16 steps from where the last accepted one has ended, to `end`. None of its
  // points is known but the first.
  void begin(double end, int n);
  int n() const { return chebyshev().n(); }
  double time(int k) const;

  // Evaluates point k; those before it are known. false: the panel is too long, and `suggestion` is how
  // much shorter it should be.
  bool reach(int k);
  double suggestion() const { return suggestion_; }
  double* state(int k) { return z_.data() + static_cast<std::size_t>(k) * dimension_; }

  // All points are known: the work of each component goes into the state of the last one. Returns its
  // error in units of the tolerance.
  double calc_work(double rtol, double atol);

  // The state at a time of the panel: W and the integrals of rates exactly, the rest as a guess.
  void interpolate(double t, double* z);

  // The panel is taken: the next one starts at its end, which is z now (whole turns may be gone).
  void accept(const double* z);

  double start_time() const { return start_time_; }
  double calc_turn()
      const;  // rad/s, or lengths of the mechanism per second: the fastest body at its ends
  // How far a guess was off in this panel (radians, or relative to the mechanism's length), and may be.
  double largest_deviation() const { return deviation_; }
  static constexpr double most_deviation = 5e-3;

 private:
  static constexpr int most_points = 17;
  struct Known {  // a point that is known, as guesses use it
    double t;
    const double* z;
    const double* rate;
    const double* second;
  };
  const Chebyshev& chebyshev() const { return rules_[rule_]; }
  double* rate(int k) { return rate_.data() + static_cast<std::size_t>(k) * dimension_; }
  double* second(int k) { return second_.data() + static_cast<std::size_t>(k) * n_y_; }
  Known known(int k) { return {time(k), state(k), rate(k), second(k)}; }
  void rest(double* z) const;
  void calc_second(int k);
  void guess(const Known& at, const Known& before, double t, double* z) const;
  void integrate_rates(double from, const double* z_from, double to, double* z) const;
  bool judge(const Known& before, const Known& at, const double* guessed);

  MechanicalProblem<Space>& problem_;
  const SystemIn<Space>& system_;
  const StateLayout& layout_;
  std::size_t dimension_, n_y_;
  std::array<Chebyshev, 3> rules_;
  int rule_ = 2;
  double start_time_ = 0.0, end_time_ = 0.0, length_ = 0.0;
  double suggestion_ = 0.5, deviation_ = 0.0;
  std::vector<double> z_, rate_;  // [points][dimension]
  std::vector<double> second_;    // [points][n_y · bodies] ÿ
  std::vector<double> guess_;     // [dimension], scratch
  // the point before the first one
  double before_time_ = -1.0;
  std::vector<double> before_z_, before_rate_, before_second_;
  std::vector<double> coefficients_;  // [components][points] of the power
};

}  // namespace trammel
