// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Tables, formulas and laws on every kind of number: computed at once on doubles; written down on traced
// numbers, formulas operation by operation, the rest as calls (math/trace.hpp), with their derivatives.
#pragma once

#include <cmath>
#include <span>

#include "math/arctangent.hpp"
#include "math/compiled_function.hpp"
#include "math/trace.hpp"

namespace trammel {

// ---- y, y', ∫y of a table

inline double calc_value(const Spline& table, double x) { return table.evaluate(x).value; }
inline double calc_integral(const Spline& table, double x) { return table.integrate(x); }
Traced calc_value(const Spline& table, const Traced& x);
Traced calc_slope(const Spline& table, const Traced& x);
Traced calc_second(const Spline& table, const Traced& x);
Traced calc_integral(const Spline& table, const Traced& x);

// ---- f, f', f'' of a function of one variable

inline double calc_value(const CompiledFunction& f, double x) { return f.evaluate(x).value; }
inline double calc_slope(const CompiledFunction& f, double x) { return f.evaluate(x).first; }
Traced calc_value(const CompiledFunction& f, const Traced& x);
inline double calc_second(const CompiledFunction& f, double x) { return f.evaluate(x).second; }
Traced calc_slope(const CompiledFunction& f, const Traced& x);
Traced calc_second(const CompiledFunction& f, const Traced& x);

// ---- a formula over several variables

inline double calc_value(const Expression& formula, std::span<const double> variables) {
  return formula.evaluate(variables);
}
Traced calc_value(const Expression& formula, std::span<const Traced> variables);

// ---- the logarithm of the C library

inline double calc_logarithm(double x) { return std::log(x); }
Traced calc_logarithm(const Traced& x);

// ---- the angle of (x, y): ours, the same bits on every processor, and the C library's

Traced calc_arctangent(const Traced& y, const Traced& x);
inline double calc_angle(double y, double x) { return std::atan2(y, x); }
Traced calc_angle(const Traced& y, const Traced& x);

}  // namespace trammel
