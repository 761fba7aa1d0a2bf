// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The second derivatives M_k at the points solve a tridiagonal system (de Boor, A Practical Guide
// to Splines): with h_k = x_{k+1} − x_k and δ_k = (y_{k+1} − y_k)/h_k
//
//   h_{k−1} M_{k−1} + 2 (h_{k−1} + h_k) M_k + h_k M_{k+1} = 6 (δ_k − δ_{k−1})        inside
//   natural      M_0 = M_n = 0
//   clamped      2 h_0 M_0 + h_0 M_1 = 6 (δ_0 − y'_0), and alike at the other end
//   not a knot   (M_1 − M_0)/h_0 = (M_2 − M_1)/h_1: M_0 is eliminated from the row of M_1
//   periodic     the system closes to a ring (Sherman–Morrison)
#include "math/spline.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "math/table_slopes.hpp"

namespace trammel {
namespace {

struct Tridiagonal {
  explicit Tridiagonal(std::size_t n) : lower(n), diagonal(n), upper(n), rhs(n) {}
  std::vector<double> lower, diagonal, upper, rhs;
};

// Elimination without pivoting: the rows are diagonally dominant.
std::vector<double> solve(Tridiagonal system) {
  auto& [lower, diagonal, upper, rhs] = system;
  const std::size_t n = rhs.size();
  for (std::size_t k = 1; k < n; ++k) {
    const double factor = lower[k] / diagonal[k - 1];
    diagonal[k] -= factor * upper[k - 1];
    rhs[k] -= factor * rhs[k - 1];
  }
  rhs[n - 1] /= diagonal[n - 1];
  for (std::size_t k = n - 1; k-- > 0;) {
    rhs[k] = (rhs[k] - upper[k] * rhs[k + 1]) / diagonal[k];
  }
  return std::move(rhs);
}

// Intervals and slopes of the chords.
struct Chords {
  explicit Chords(const DataTable& table) {
    for (std::size_t k = 0; k + 1 < table.x.size(); ++k) {
      h.push_back(table.x[k + 1] - table.x[k]);
      slope.push_back((table.y[k + 1] - table.y[k]) / h.back());
    }
  }
  std::vector<double> h, slope;
};

void set_inner_row(const Chords& chords, std::size_t before, std::size_t after, std::size_t row,
                   Tridiagonal& system) {
  system.lower[row] = chords.h[before];
  system.diagonal[row] = 2.0 * (chords.h[before] + chords.h[after]);
  system.upper[row] = chords.h[after];
  system.rhs[row] = 6.0 * (chords.slope[after] - chords.slope[before]);
}

// M of natural and clamped ends: one row for each point.
std::vector<double> calc_open(const DataTable& table, const Chords& chords) {
  const std::size_t n = chords.h.size();
  Tridiagonal system(n + 1);
  for (std::size_t k = 1; k < n; ++k) set_inner_row(chords, k - 1, k, k, system);
  system.diagonal[0] = system.diagonal[n] = 1.0;
  if (table.ends == TableEnds::clamped) {
    system.diagonal[0] = 2.0 * chords.h[0];
    system.upper[0] = chords.h[0];
    system.rhs[0] = 6.0 * (chords.slope[0] - table.first_slope);
    system.lower[n] = chords.h[n - 1];
    system.diagonal[n] = 2.0 * chords.h[n - 1];
    system.rhs[n] = 6.0 * (table.last_slope - chords.slope[n - 1]);
  }
  return solve(std::move(system));
}

// Two points are a line, three a parabola; from four on M_0 and M_n follow from their neighbours.
std::vector<double> calc_not_a_knot(const Chords& chords) {
  const auto& [h, slope] = chords;
  const std::size_t n = h.size();
  if (n == 1) return {0.0, 0.0};
  if (n == 2) return std::vector<double>(3, 2.0 * (slope[1] - slope[0]) / (h[0] + h[1]));
  Tridiagonal system(n - 1);  // M_1 … M_{n−1}
  for (std::size_t k = 1; k < n; ++k) set_inner_row(chords, k - 1, k, k - 1, system);
  const double p = h[0] / h[1], q = h[n - 1] / h[n - 2];
  system.diagonal[0] += h[0] * (1.0 + p);
  system.upper[0] -= h[0] * p;
  system.diagonal[n - 2] += h[n - 1] * (1.0 + q);
  system.lower[n - 2] -= h[n - 1] * q;
  const std::vector<double> inner = solve(std::move(system));
  std::vector<double> M(n + 1);
  std::copy(inner.begin(), inner.end(), M.begin() + 1);
  M[0] = (1.0 + p) * M[1] - p * M[2];
  M[n] = (1.0 + q) * M[n - 1] - q * M[n - 2];
  return M;
}

// M_0 … M_{n−1} in a ring: T + u vᵀ with u = (γ, 0, …, 0, h), v = (1, 0, …, 0, h/γ), h the corner.
std::vector<double> calc_periodic(const Chords& chords) {
  const std::size_t n = chords.h.size();
  Tridiagonal system(n);
  for (std::size_t k = 0; k < n; ++k) set_inner_row(chords, (k + n - 1) % n, k, k, system);
  const double corner = chords.h[n - 1];
  const double gamma = -system.diagonal[0];
  system.diagonal[0] -= gamma;
  system.diagonal[n - 1] -= corner * corner / gamma;
  Tridiagonal for_u = system;
  std::fill(for_u.rhs.begin(), for_u.rhs.end(), 0.0);
  for_u.rhs[0] = gamma;
  for_u.rhs[n - 1] = corner;
  std::vector<double> M = solve(std::move(system));
  const std::vector<double> z = solve(std::move(for_u));
  const double factor =
      (M[0] + corner / gamma * M[n - 1]) / (1.0 + z[0] + corner / gamma * z[n - 1]);
  for (std::size_t k = 0; k < n; ++k) M[k] -= factor * z[k];
  M.push_back(M[0]);
  return M;
}

std::vector<double> calc_second_derivatives(const DataTable& table, const Chords& chords) {
  switch (table.ends) {
    case TableEnds::not_a_knot: return calc_not_a_knot(chords);
    case TableEnds::periodic: return calc_periodic(chords);
    case TableEnds::natural:
    case TableEnds::clamped: break;
  }
  return calc_open(table, chords);
}

}  // namespace

std::size_t min_points(TableEnds ends) { return ends == TableEnds::periodic ? 4 : 2; }

Spline::Spline(const DataTable& table, Interpolation by_default)
    : x_(table.x),
      ends_(table.ends),
      beyond_(table.beyond),
      interpolation_(table.interpolation == Interpolation::automatic ? by_default
                                                                     : table.interpolation),
      name_(table.name) {
  assert(table.x.size() == table.y.size() && table.x.size() >= min_points(table.ends));
  if (interpolation_ == Interpolation::cubic) {
    make_smooth_pieces(table);
  } else {
    make_local_pieces(table);
  }
  double integral = 0.0;
  for (std::size_t k = 0; k + 1 < x_.size(); ++k) {
    Piece& piece = pieces_[k];
    const double h = x_[k + 1] - x_[k];
    piece.integral = integral;
    integral += h * (piece.a + h * (piece.b / 2 + h * (piece.c / 3 + h * (piece.d / 4))));
  }
}

void Spline::make_smooth_pieces(const DataTable& table) {
  const Chords chords(table);
  const std::vector<double> M = calc_second_derivatives(table, chords);
  for (std::size_t k = 0; k + 1 < x_.size(); ++k) {
    const double h = chords.h[k];
    pieces_.push_back({table.y[k], chords.slope[k] - h * (2.0 * M[k] + M[k + 1]) / 6.0, 0.5 * M[k],
                       (M[k + 1] - M[k]) / (6.0 * h), 0.0});
  }
}

// Hermite's cubic from the slopes m at both ends: c = (3δ − 2m_k − m_{k+1})/h,
// d = (m_k + m_{k+1} − 2δ)/h²
void Spline::make_local_pieces(const DataTable& table) {
  const Chords chords(table);
  const bool straight = interpolation_ == Interpolation::linear;
  std::vector<double> m;
  if (!straight) {
    m = calc_table_slopes(table.x, table.y, interpolation_, ends_ == TableEnds::periodic);
    if (ends_ == TableEnds::clamped) m.front() = table.first_slope, m.back() = table.last_slope;
  }
  for (std::size_t k = 0; k + 1 < x_.size(); ++k) {
    const double h = chords.h[k], slope = chords.slope[k];
    if (straight) {
      pieces_.push_back({table.y[k], slope, 0.0, 0.0, 0.0});
    } else {
      pieces_.push_back({table.y[k], m[k], (3.0 * slope - 2.0 * m[k] - m[k + 1]) / h,
                         (m[k] + m[k + 1] - 2.0 * slope) / (h * h), 0.0});
    }
  }
}

// Extremes of a cubic are where b + 2c s + 3d s² = 0.
Spline::Overshoot Spline::find_overshoot() const {
  const auto value_at = [&](std::size_t k, double s) {
    const Piece& p = pieces_[k];
    return p.a + s * (p.b + s * (p.c + s * p.d));
  };
  double least = std::numeric_limits<double>::infinity(), most = -least;
  const std::size_t n = pieces_.size();
  for (std::size_t k = 0; k <= n; ++k) {
    const double y = k < n ? pieces_[k].a : value_at(n - 1, x_[n] - x_[n - 1]);
    least = std::min(least, y), most = std::max(most, y);
  }
  Overshoot worst;
  for (std::size_t k = 0; k < n; ++k) {
    const Piece& p = pieces_[k];
    const double h = x_[k + 1] - x_[k], end = value_at(k, h);
    const double root = std::sqrt(std::max(p.c * p.c - 3.0 * p.b * p.d, 0.0));
    // both roots, without cancellation
    const double q = -(p.c + std::copysign(root, p.c));
    for (const double s : {q / (3.0 * p.d), p.b / q}) {
      if (!(s > 0.0 && s < h)) continue;
      const double y = value_at(k, s);
      const double off = std::max(std::min(p.a, end) - y, y - std::max(p.a, end));
      const double share = off / (most - least);
      if (share > worst.share) worst = {share, x_[k], x_[k + 1], y};
    }
  }
  return worst;
}

Spline::Place Spline::find_place(double x) const {
  double turns = 0.0;
  if (ends_ == TableEnds::periodic) {
    const double period = last() - first();
    turns = std::floor((x - first()) / period);
    x = std::clamp(x - turns * period, first(), last());
  }
  const auto above = std::upper_bound(x_.begin() + 1, x_.end() - 1, x);
  const std::size_t piece = static_cast<std::size_t>(above - x_.begin()) - 1;
  return {piece, x - x_[piece], turns};
}

Jet Spline::evaluate_inside(double x) const {
  const auto [k, s, turns] = find_place(x);
  const Piece& p = pieces_[k];
  return {p.a + s * (p.b + s * (p.c + s * p.d)), p.b + s * (2.0 * p.c + s * 3.0 * p.d),
          2.0 * p.c + 6.0 * p.d * s};
}

Jet Spline::evaluate(double x) const {
  if (ends_ == TableEnds::periodic || (x >= first() && x <= last())) return evaluate_inside(x);
  const double end = x < first() ? first() : last();
  const Jet at = evaluate_inside(end);
  switch (beyond_) {
    case TableBeyond::hold: return {at.value, 0.0, 0.0};
    case TableBeyond::linear: return {at.value + at.first * (x - end), at.first, 0.0};
    case TableBeyond::refuse: break;
  }
  const double none = std::numeric_limits<double>::quiet_NaN();
  return {none, none, none};
}

std::size_t Spline::n_corners() const {
  if (ends_ == TableEnds::periodic) return 0;
  return interpolation_ == Interpolation::linear ? x_.size() : 2;
}

double Spline::corner(std::size_t k) const {
  if (interpolation_ == Interpolation::linear) return x_[k];
  return k == 0 ? first() : last();
}

Jet Spline::evaluate_piece(std::size_t piece, double x) const {
  const std::size_t n = n_corners();
  if (piece > 0 && piece < n) {
    if (interpolation_ != Interpolation::linear) return evaluate_inside(x);
    const Piece& p = pieces_[piece - 1];
    return {p.a + (x - x_[piece - 1]) * p.b, p.b, 0.0};
  }
  const double none = std::numeric_limits<double>::quiet_NaN();
  if (beyond_ == TableBeyond::refuse) return {none, none, none};
  const double end = piece == 0 ? first() : last();
  const Jet at = evaluate_inside(end);
  if (beyond_ == TableBeyond::hold) return {at.value, 0.0, 0.0};
  return {at.value + at.first * (x - end), at.first, 0.0};
}

void Spline::add_breaks(double end, std::size_t room, std::vector<double>& breaks) const {
  const bool periodic = ends_ == TableEnds::periodic;
  const double period = last() - first();
  double shift = periodic ? -period * std::ceil(last() / period) : 0.0;
  for (; first() + shift < end && breaks.size() < room; shift += period) {
    for (const double x : x_) {
      if (x + shift > 0.0 && x + shift < end) breaks.push_back(x + shift);
    }
    if (!periodic) return;
  }
}

void Spline::add_breaks_between(double a, double b, std::size_t room,
                                std::vector<double>& breaks) const {
  const double least = std::min(a, b), most = std::max(a, b);
  const bool periodic = ends_ == TableEnds::periodic;
  const double period = last() - first();
  double shift = periodic ? period * std::floor((least - first()) / period) : 0.0;
  for (; first() + shift < most && breaks.size() < room; shift += period) {
    for (const double x : x_) {
      if (x + shift > least && x + shift < most) breaks.push_back(x + shift);
    }
    if (!periodic) return;
  }
}

double Spline::integrate(double x) const {
  if (ends_ != TableEnds::periodic && (x < first() || x > last())) {
    const double end = x < first() ? first() : last();
    const Jet at = evaluate_inside(end);
    const double out = x - end;
    switch (beyond_) {
      case TableBeyond::hold: return integrate(end) + at.value * out;
      case TableBeyond::linear: return integrate(end) + out * (at.value + 0.5 * at.first * out);
      case TableBeyond::refuse: return std::numeric_limits<double>::quiet_NaN();
    }
  }
  const auto [k, s, turns] = find_place(x);
  const Piece& p = pieces_[k];
  const double inside = p.integral + s * (p.a + s * (p.b / 2 + s * (p.c / 3 + s * (p.d / 4))));
  if (turns == 0.0) return inside;
  const Piece& z = pieces_.back();
  const double h = last() - x_[x_.size() - 2];
  const double whole = z.integral + h * (z.a + h * (z.b / 2 + h * (z.c / 3 + h * (z.d / 4))));
  return turns * whole + inside;
}

}  // namespace trammel
