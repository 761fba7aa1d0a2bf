// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The tape of an expression evaluated with jets: value, first and second derivative by one variable
// in a single pass.
//
// Where a function has a kink (abs, min, max) the derivatives are those from the right: of what
// holds just after the point. floor, ceil and sign have the derivative 0 everywhere. Sine and
// cosine are ours (math/sine_cosine.hpp); the rest is the C library's.
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "math/expression.hpp"
#include "math/expression_parser.hpp"
#include "math/map_surface.hpp"
#include "math/sine_cosine.hpp"
#include "math/spline.hpp"
#include "math/step_function.hpp"

namespace trammel {
namespace {

using Op = Expression::Op;

Jet apply_unary(Op op, const Jet& a) {
  const double x = a.value;
  switch (op) {
    case Op::negate: return -a;
    case Op::sqrt: {
      const double f = std::sqrt(x);
      return compose(a, f, 0.5 / f, -0.25 / (x * f));
    }
    case Op::sin: {
      const SineCosine<double> at = calc_sine_cosine(x);
      return compose(a, at.sine, at.cosine, -at.sine);
    }
    case Op::cos: {
      const SineCosine<double> at = calc_sine_cosine(x);
      return compose(a, at.cosine, -at.sine, -at.cosine);
    }
    case Op::tan: {
      const double f = std::tan(x), f1 = 1.0 + f * f;
      return compose(a, f, f1, 2.0 * f * f1);
    }
    case Op::asin:
    case Op::acos: {
      // f' = ±1/√(1 − x²), f'' = f' x/(1 − x²)
      const double rest = (1.0 - x) * (1.0 + x);
      const double f1 = (op == Op::asin ? 1.0 : -1.0) / std::sqrt(rest);
      return compose(a, op == Op::asin ? std::asin(x) : std::acos(x), f1, f1 * x / rest);
    }
    case Op::atan: {
      const double f1 = 1.0 / (1.0 + x * x);
      return compose(a, std::atan(x), f1, -2.0 * x * f1 * f1);
    }
    case Op::sinh: return compose(a, std::sinh(x), std::cosh(x), std::sinh(x));
    case Op::cosh: return compose(a, std::cosh(x), std::sinh(x), std::cosh(x));
    case Op::tanh: {
      const double f = std::tanh(x), f1 = 1.0 - f * f;
      return compose(a, f, f1, -2.0 * f * f1);
    }
    case Op::exp: {
      const double f = std::exp(x);
      return compose(a, f, f, f);
    }
    case Op::log: return compose(a, std::log(x), 1.0 / x, -1.0 / (x * x));
    case Op::log10: {
      const double f1 = 1.0 / (x * std::numbers::ln10);
      return compose(a, std::log10(x), f1, -f1 / x);
    }
    case Op::abs: return sign_after(a) < 0.0 ? -a : a;
    case Op::floor: return {std::floor(x), 0.0, 0.0};
    case Op::ceil: return {std::ceil(x), 0.0, 0.0};
    default:  // sign; keeps ±0 and NaN
      return {x > 0 ? 1.0 : x < 0 ? -1.0 : x, 0.0, 0.0};
  }
}

// a^b. With a constant exponent n: n aⁿ⁻¹, n (n−1) aⁿ⁻², also for a ≤ 0. Else f = exp(g), g = b ln
// a.
Jet calc_power(const Jet& a, const Jet& b) {
  const double f = std::pow(a.value, b.value);
  if (is_constant(b)) {
    const double n = b.value;
    const double f1 = n == 0.0 ? 0.0 : n * std::pow(a.value, n - 1.0);
    const double f2 = n == 0.0 || n == 1.0 ? 0.0 : n * (n - 1.0) * std::pow(a.value, n - 2.0);
    return compose(a, f, f1, f2);
  }
  const Jet g = b * apply_unary(Op::log, a);
  return {f, f * g.first, f * (g.second + g.first * g.first)};
}

// φ = atan2(y, x): φ' = (x y' − y x')/r², with numerator n and r² = x² + y²
Jet calc_atan2(const Jet& y, const Jet& x) {
  const double r2 = x.value * x.value + y.value * y.value;
  const double n = x.value * y.first - y.value * x.first;
  const double n1 = x.value * y.second - y.value * x.second;
  const double r21 = 2.0 * (x.value * x.first + y.value * y.first);
  if (is_constant(y) && is_constant(x)) return {std::atan2(y.value, x.value), 0.0, 0.0};
  return {std::atan2(y.value, x.value), n / r2, (n1 - n / r2 * r21) / r2};
}

// r = √(x² + y²): r r' = x x' + y y', r r'' + r'² = x'² + x x'' + y'² + y y''
Jet calc_hypot(const Jet& x, const Jet& y) {
  const double r = std::hypot(x.value, y.value);
  if (is_constant(x) && is_constant(y)) return {r, 0.0, 0.0};
  const double r1 = (x.value * x.first + y.value * y.first) / r;
  const double sum =
      x.first * x.first + x.value * x.second + y.first * y.first + y.value * y.second;
  return {r, r1, (sum - r1 * r1) / r};
}

Jet call_table(const Spline& table, const Jet& a) {
  const Jet y = table.evaluate(a.value);
  return compose(a, y.value, y.first, y.second);
}

// z' = z_x x' + z_y y',  z'' = z_xx x'² + 2 z_xy x' y' + z_yy y'² + z_x x'' + z_y y''
Jet call_map(const MapSurface& map, const Jet& x, const Jet& y) {
  const auto z = [&](int i, int j) { return map.evaluate(x.value, y.value, i, j); };
  if (is_constant(x) && is_constant(y)) return {z(0, 0), 0.0, 0.0};
  const double z_x = z(1, 0), z_y = z(0, 1);
  return {z(0, 0), z_x * x.first + z_y * y.first,
          z(2, 0) * x.first * x.first + 2.0 * z(1, 1) * x.first * y.first +
              z(0, 2) * y.first * y.first + z_x * x.second + z_y * y.second};
}

Jet apply_binary(Op op, const Jet& a, const Jet& b) {
  switch (op) {
    case Op::add: return a + b;
    case Op::subtract: return a - b;
    case Op::multiply: return a * b;
    case Op::divide: return a / b;
    case Op::atan2: return calc_atan2(a, b);
    case Op::min:
    case Op::max: {
      const Jet difference = a - b;
      if (std::isnan(difference.value)) return a + b;
      return (sign_after(difference) < 0.0) == (op == Op::min) ? a : b;
    }
    case Op::hypot: return calc_hypot(a, b);
    default: return calc_power(a, b);
  }
}

}  // namespace

Jet Expression::evaluate_jet(std::span<const double> values, int variable) const {
  std::array<Jet, max_expression_stack> stack;  // the parser keeps to its size
  std::size_t top = 0;
  for (const auto& step : tape_) {
    if (step.op == Op::push) {
      stack[top++] = {step.value, 0.0, 0.0};
    } else if (step.op == Op::load) {
      stack[top++] = {values[static_cast<std::size_t>(step.slot)],
                      step.slot == variable ? 1.0 : 0.0, 0.0};
    } else if (step.op == Op::step) {
      top -= 4;
      stack[top - 1] = calc_step(&stack[top - 1]);
    } else if (step.op == Op::table) {
      stack[top - 1] = call_table(table(step), stack[top - 1]);
    } else if (step.op == Op::map) {
      --top;
      stack[top - 1] = call_map(map(step), stack[top - 1], stack[top]);
    } else if (is_binary(step.op)) {
      --top;
      stack[top - 1] = apply_binary(step.op, stack[top - 1], stack[top]);
    } else {
      stack[top - 1] = apply_unary(step.op, stack[top - 1]);
    }
  }
  return stack[0];
}

}  // namespace trammel
