// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The cubic spline through the points of a table: twice continuously differentiable, with exact
// derivatives and an exact integral (the potential of a force given by a table).
//
//   on [x_k, x_{k+1}], s = x − x_k:   y = a_k + b_k s + c_k s² + d_k s³
//
// Immutable after its construction; evaluation allocates nothing.
#pragma once

#include <vector>

#include "math/jet.hpp"
#include "trammel/function.hpp"

namespace trammel {

// Points a table needs: two, periodic four.
std::size_t min_points(TableEnds ends);

class Spline {
 public:
  // The table must be well formed: src/model/check_function.hpp.
  explicit Spline(const DataTable& table);

  // y, y', y''. Outside of the range as the table says; NaN where it says `refuse`.
  Jet evaluate(double x) const;

  // ∫ y dx from the first point to x.
  double integrate(double x) const;

  // Where the third derivative jumps, within (0, end), appended to `breaks` as far as there is
  // room for them.
  void add_breaks(double end, std::size_t room, std::vector<double>& breaks) const;

  friend bool operator==(const Spline&, const Spline&) = default;

  double first() const { return x_.front(); }
  double last() const { return x_.back(); }
  TableEnds ends() const { return ends_; }
  TableBeyond beyond() const { return beyond_; }

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
  Place find_place(double x) const;
  Jet evaluate_inside(double x) const;

  std::vector<double> x_;      // [points]
  std::vector<Piece> pieces_;  // [points − 1]
  TableEnds ends_;
  TableBeyond beyond_;
};

}  // namespace trammel
