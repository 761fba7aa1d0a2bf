// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Function: a number that depends on time or on a coordinate, as a person writes it. A constant, an
// expression ("0.3*sin(2*pi*t)") or a table of points that a curve goes through.
// Drivers and forces use it; docs/reference/functions.md has the rules.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace trammel {

// The curve between the points of a table.
enum class Interpolation {
  automatic,  // cubic for drivers and energies, whose derivatives are used; else pchip
  linear,     // straight lines
  pchip,      // continuous slope, never outside the range of two neighbouring points
  akima,      // continuous slope, follows the points more closely than a cubic
  cubic       // cubic spline, continuous second derivative; can overshoot
};

// How the curve ends. Natural and not_a_knot make a difference to cubic splines only.
enum class TableEnds {
  not_a_knot,  // the first two pieces are one cubic, and so are the last two
  natural,     // second derivative 0
  clamped,     // slopes as given
  periodic     // the last value repeats the first; so do the derivatives, for ever
};

// What a table means outside of its range; a periodic table has no outside.
enum class TableBeyond {
  refuse,  // a run that would get there is refused, or stops there
  hold,    // the value at the end
  linear   // straight on with the slope at the end
};

// y(x) through given points.
struct DataTable {
  std::vector<double> x;  // increasing, at least two
  std::vector<double> y;
  TableEnds ends = TableEnds::not_a_knot;
  double first_slope = 0.0, last_slope = 0.0;  // clamped
  TableBeyond beyond = TableBeyond::refuse;
  Interpolation interpolation = Interpolation::automatic;
  std::string name = {};  // for messages; empty for a table without one
};

// z(x, y) on a grid: z[i + n·k] at (x[i], y[k]), n the size of x. `automatic` is pchip.
struct DataMap {
  std::vector<double> x, y;  // increasing, at least two each
  std::vector<double> z;
  bool periodic_x = false, periodic_y = false;  // the last values repeat the first
  TableBeyond beyond = TableBeyond::refuse;
  Interpolation interpolation = Interpolation::automatic;
  std::string name = {};
};

// An expression. Names in it are variables of the place where it stands ("t"), its own constants,
// or parameters of the model; functions are the built-in ones and the model's tables. With a
// table, the number is that of the table at the value of the expression.
struct Formula {
  std::string text;
  std::vector<std::pair<std::string, double>> constants = {};
  std::shared_ptr<const DataTable> table = {};
};

// Tables are shared, not copied. NOLINTBEGIN(google-explicit-constructor): a number is a function
struct Function {
  Function(double value = 0.0) : form(value) {}
  template <std::size_t n>
  Function(const char (&text)[n]) : form(Formula{text}) {}
  Function(Formula formula) : form(std::move(formula)) {}
  Function(DataTable table) : form(std::make_shared<const DataTable>(std::move(table))) {}
  Function(std::shared_ptr<const DataTable> table) : form(std::move(table)) {}
  // NOLINTEND(google-explicit-constructor)
  std::variant<double, Formula, std::shared_ptr<const DataTable>> form;
};

}  // namespace trammel
