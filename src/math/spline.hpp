// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The curve through the points of a table, a cubic in each interval, with exact derivatives and an
// exact integral (the potential of a force given by a table).
//
//   on [x_k, x_{k+1}], s = x − x_k:   y = a_k + b_k s + c_k s² + d_k s³
//
// A cubic spline has a continuous second derivative; pchip and akima have slopes at the points
// that depend on a few neighbours (table_slopes.hpp).
//
// Immutable after its construction; evaluation allocates nothing.
#pragma once

#include <string>
#include <vector>

#include "math/jet.hpp"
#include "trammel/function.hpp"

namespace trammel {

// Points a table needs: two, periodic four.
std::size_t min_points(TableEnds ends);

class Spline {
 public:
  // The table must be well formed: src/model/check_function.hpp. `by_default`: where the table
  // leaves the interpolation open.
  explicit Spline(const DataTable& table, Interpolation by_default = Interpolation::cubic);

  // y, y', y''. Outside of the range as the table says; NaN where it says `refuse`.
  Jet evaluate(double x) const;

  // ∫ y dx from the first point to x.
  double integrate(double x) const;

  // ---- corners: what lies between them is smooth, and goes on smoothly beyond them

  // Where the slope may jump: all points of straight lines, both ends of other curves; none of periodic ones.
  std::size_t n_corners() const;
  double corner(std::size_t k) const;
  // The piece between corners k − 1 and k, continued: 0 is what comes before the first one.
  Jet evaluate_piece(std::size_t piece, double x) const;

  // Where the curve is less smooth, within (0, end), appended to `breaks` as far as there is
  // room for them.
  void add_breaks(double end, std::size_t room, std::vector<double>& breaks) const;
  // The same between two numbers, in any order.
  void add_breaks_between(double a, double b, std::size_t room, std::vector<double>& breaks) const;

  // How far the curve leaves the range of the two points around it, as a part of the range of all.
  struct Overshoot {
    double share = 0.0;
    double from = 0.0, to = 0.0;  // the interval
    double value = 0.0;           // of the curve, where it is farthest off
  };
  Overshoot find_overshoot() const;

  // A table without values beyond its range, and x there.
  bool has_left(double x) const {
    return beyond_ == TableBeyond::refuse && ends_ != TableEnds::periodic &&
           !(x >= first() && x <= last());
  }

  friend bool operator==(const Spline&, const Spline&) = default;

  double first() const { return x_.front(); }
  double last() const { return x_.back(); }
  TableEnds ends() const { return ends_; }
  TableBeyond beyond() const { return beyond_; }
  Interpolation interpolation() const { return interpolation_; }
  const std::string& name() const { return name_; }

 private:
  struct Piece {
    double a, b, c, d;
    double integral;  // from the first point to where the piece starts
    friend bool operator==(const Piece&, const Piece&) = default;
  };
  struct Place {
    std::size_t piece;
    double s;
    double turns;  // whole periods left of it
  };
  void make_smooth_pieces(const DataTable& table);
  void make_local_pieces(const DataTable& table);
  Place find_place(double x) const;
  Jet evaluate_inside(double x) const;

  std::vector<double> x_;      // [points]
  std::vector<Piece> pieces_;  // [points − 1]
  TableEnds ends_;
  TableBeyond beyond_;
  Interpolation interpolation_;
  std::string name_;
};

}  // namespace trammel
