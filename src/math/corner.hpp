// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Corners of formulas: where abs, min, max, sign and tables are not smooth. Each has a branch, the smooth
// piece that holds:
//
//   abs, sign        x > 0: branch 1       x < 0: branch −1
//   min, max of a, b    the same with x = a − b
//   table            branch k + 1 between its corners k − 1 and k (spline.hpp)
//
// Branch 0 is the formula as it stands. A step in which the branch is kept is smooth, also where x leaves it.
#pragma once

#include <memory>
#include <vector>

#include "math/expression.hpp"
#include "math/spline.hpp"

namespace trammel {

struct Corner {
  Expression argument;  // x
  std::shared_ptr<const Spline> table = {};

  // The branch on which x lies; 0: x is at a corner.
  int find_branch(double x) const;
  // Positive on the branch, negative where it is left.
  double calc_inside(int branch, double x) const;
  // The branch next to the one that is left at x.
  int find_next(int branch, double x) const;
};

double calc_table_branch(const Spline& table, double x, double branch);
double calc_table_branch_slope(const Spline& table, double x, double branch);

}  // namespace trammel
