// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
#include "math/functions.hpp"

#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "math/corner.hpp"
#include "math/expression_parser.hpp"
#include "math/map_surface.hpp"

namespace trammel {

namespace {

Traced call(const TracedFunction& function, std::initializer_list<Traced> operands) {
  return Trace::current().call(function, operands);
}

// ---- tables: the integral, the value and two derivatives; the third is not continuous

template <int derivative>
double calc_of_table(const void* data, double x, double, double) {
  const Spline& table = *static_cast<const Spline*>(data);
  if constexpr (derivative < 0) return table.integrate(x);
  const Jet y = table.evaluate(x);
  return derivative == 0 ? y.value : derivative == 1 ? y.first : y.second;
}
template <int derivative>
Traced call_table(const void* table, const Traced& x) {
  TracedFunction function{calc_of_table<derivative>, table};
  if constexpr (derivative < 2) {
    function.derive = [](const TracedFunction& self, const Traced& a, const Traced&, const Traced&,
                         int) { return call_table<derivative + 1>(self.data, a); };
  }
  return call(function, {x});
}

// ---- maps: the value and derivatives up to ∂²/∂x²∂y²

template <int i, int j>
double calc_of_map(const void* data, double x, double y, double) {
  return static_cast<const MapSurface*>(data)->evaluate(x, y, i, j);
}
template <int i, int j>
Traced call_map(const void* map, const Traced& x, const Traced& y) {
  TracedFunction function{calc_of_map<i, j>, map};
  if constexpr (i + j < 2) {
    function.derive = [](const TracedFunction& self, const Traced& a, const Traced& b,
                         const Traced&, int which) {
      return which == 0 ? call_map<i + 1, j>(self.data, a, b) : call_map<i, j + 1>(self.data, a, b);
    };
  }
  return call(function, {x, y});
}

// ---- functions of one variable: the value and two derivatives

template <int derivative>
double calc_of_function(const void* data, double x, double, double) {
  const Jet f = static_cast<const CompiledFunction*>(data)->evaluate(x);
  return derivative == 0 ? f.value : derivative == 1 ? f.first : f.second;
}
template <int derivative>
Traced call_function(const void* f, const Traced& x) {
  TracedFunction function{calc_of_function<derivative>, f};
  if constexpr (derivative < 2) {
    function.derive = [](const TracedFunction& self, const Traced& a, const Traced&, const Traced&,
                         int) { return call_function<derivative + 1>(self.data, a); };
  }
  return call(function, {x});
}

// ---- choices

double calc_less(const void*, double a, double b, double) { return a < b ? 1.0 : 0.0; }
double calc_at_most(const void*, double a, double b, double) { return a <= b ? 1.0 : 0.0; }
double calc_choice(const void*, double a, double b, double c) { return a != 0.0 ? b : c; }

Traced derive_nothing(const TracedFunction&, const Traced&, const Traced&, const Traced&, int) {
  return Traced();
}
Traced is_less(const Traced& a, const Traced& b) {
  return call({calc_less, nullptr, derive_nothing}, {a, b});
}
Traced is_at_most(const Traced& a, const Traced& b) {
  return call({calc_at_most, nullptr, derive_nothing}, {a, b});
}
// c ≠ 0 ? x : y
Traced choose(const Traced& c, const Traced& x, const Traced& y) {
  const auto derive = [](const TracedFunction&, const Traced& a, const Traced&, const Traced&,
                         int which) {
    const Traced one(1.0), none;
    return which == 0 ? none : which == 1 ? choose(a, one, none) : choose(a, none, one);
  };
  return call({calc_choice, nullptr, derive}, {c, x, y});
}

// ---- the functions of formulas

using Op = Expression::Op;

template <Op op>
double calc_of_formula(const void*, double a, double b, double) {
  return is_binary(op) ? Expression::apply(op, a, b) : Expression::apply(op, a);
}
template <Op op>
Traced call_op(const Traced& a, const Traced& b = {});

// ∂f(a, b) by a (which 0) or b (1)
template <Op op>
Traced derive_op(const TracedFunction&, const Traced& a, const Traced& b, const Traced&,
                 int which) {
  const Traced one(1.0), two(2.0), none;
  if constexpr (op == Op::sin) return call_op<Op::cos>(a);
  if constexpr (op == Op::cos) return -call_op<Op::sin>(a);
  if constexpr (op == Op::tan) {
    const Traced f = call_op<Op::tan>(a);
    return one + f * f;
  }
  if constexpr (op == Op::asin) return one / sqrt((one - a) * (one + a));
  if constexpr (op == Op::acos) return -(one / sqrt((one - a) * (one + a)));
  if constexpr (op == Op::atan) return one / (one + a * a);
  if constexpr (op == Op::sinh) return call_op<Op::cosh>(a);
  if constexpr (op == Op::cosh) return call_op<Op::sinh>(a);
  if constexpr (op == Op::tanh) {
    const Traced f = call_op<Op::tanh>(a);
    return one - f * f;
  }
  if constexpr (op == Op::exp) return call_op<Op::exp>(a);
  if constexpr (op == Op::log) return one / a;
  if constexpr (op == Op::log10) return one / (a * Traced(std::numbers::ln10));
  if constexpr (op == Op::min || op == Op::max) {
    const Traced first = op == Op::min ? is_less(a, b) : is_less(b, a);
    return which == 0 ? choose(first, one, none) : choose(first, none, one);
  }
  if constexpr (op == Op::atan2) {
    const Traced r2 = a * a + b * b;
    return which == 0 ? b / r2 : -(a / r2);
  }
  if constexpr (op == Op::hypot) return (which == 0 ? a : b) / call_op<Op::hypot>(a, b);
  if constexpr (op == Op::power || op == Op::pow) {
    if (which == 0) return b * call_op<Op::pow>(a, b - one);
    return call_op<Op::pow>(a, b) * call_op<Op::log>(a);
  }
  if constexpr (op == Op::branch_abs) return which == 0 ? call_op<Op::branch_sign>(a, b) : none;
  return none;  // floor, ceil, sign
}

template <Op op>
Traced call_op(const Traced& a, const Traced& b) {
  const TracedFunction function{calc_of_formula<op>, nullptr, derive_op<op>};
  return is_binary(op) ? call(function, {a, b}) : call(function, {a});
}

Traced apply(Op op, const Traced& a, const Traced& b) {
  switch (op) {
    case Op::negate: return -a;
    case Op::add: return a + b;
    case Op::subtract: return a - b;
    case Op::multiply: return a * b;
    case Op::divide: return a / b;
    case Op::sqrt: return sqrt(a);
    case Op::abs: return abs(a);
    case Op::sin: return call_op<Op::sin>(a);
    case Op::cos: return call_op<Op::cos>(a);
    case Op::tan: return call_op<Op::tan>(a);
    case Op::asin: return call_op<Op::asin>(a);
    case Op::acos: return call_op<Op::acos>(a);
    case Op::atan: return call_op<Op::atan>(a);
    case Op::sinh: return call_op<Op::sinh>(a);
    case Op::cosh: return call_op<Op::cosh>(a);
    case Op::tanh: return call_op<Op::tanh>(a);
    case Op::exp: return call_op<Op::exp>(a);
    case Op::log: return call_op<Op::log>(a);
    case Op::log10: return call_op<Op::log10>(a);
    case Op::floor: return call_op<Op::floor>(a);
    case Op::ceil: return call_op<Op::ceil>(a);
    case Op::sign: return call_op<Op::sign>(a);
    case Op::atan2: return call_op<Op::atan2>(a, b);
    case Op::min: return call_op<Op::min>(a, b);
    case Op::max: return call_op<Op::max>(a, b);
    case Op::hypot: return call_op<Op::hypot>(a, b);
    case Op::branch_abs: return call_op<Op::branch_abs>(a, b);
    case Op::branch_sign: return call_op<Op::branch_sign>(a, b);
    default: return call_op<Op::pow>(a, b);
  }
}

// step(x, x0, y0, x1, y1) as step_function.hpp has it, every branch computed
Traced calc_step(const Traced* arguments) {
  const Traced &x = arguments[0], &x0 = arguments[1], &y0 = arguments[2], &x1 = arguments[3],
               &y1 = arguments[4];
  const Traced s = (x - x0) / (x1 - x0);
  const Traced between =
      y0 + (y1 - y0) * s * s * s * (Traced(10) - s * (Traced(15) - Traced(6) * s));
  const Traced inside = choose(is_at_most(x, x0), y0, choose(is_at_most(x1, x), y1, between));
  return choose(is_less(x0, x1), inside, Traced(std::numeric_limits<double>::quiet_NaN()));
}

// ---- corners with a branch (corner.hpp)

double calc_branch_table(const void* data, double x, double branch, double) {
  return calc_table_branch(*static_cast<const Spline*>(data), x, branch);
}
double calc_branch_slope(const void* data, double x, double branch, double) {
  return calc_table_branch_slope(*static_cast<const Spline*>(data), x, branch);
}
Traced call_branch_table(const Spline& table, const Traced& x, const Traced& branch) {
  const auto derive = [](const TracedFunction& self, const Traced& a, const Traced& b,
                         const Traced&, int which) {
    return which == 0 ? call({calc_branch_slope, self.data, derive_nothing}, {a, b}) : Traced();
  };
  return call({calc_branch_table, &table, derive}, {x, branch});
}

template <Op op>
double calc_branched(const void*, double a, double b, double branch) {
  return Expression::apply(op, a, b, branch);
}
// 1 where a branch of min or max is a, 0 where it is b
template <Op op>
double calc_is_first(const void*, double a, double b, double branch) {
  return Expression::apply(op, a, b, branch) == a ? 1.0 : 0.0;
}
template <Op op>
Traced call_branched(const Traced& a, const Traced& b, const Traced& branch) {
  const auto derive = [](const TracedFunction&, const Traced& x, const Traced& y, const Traced& s,
                         int which) {
    if (which == 2) return Traced();
    const Traced first = call({calc_is_first<op>, nullptr, derive_nothing}, {x, y, s});
    return which == 0 ? first : Traced(1.0) - first;
  };
  return call({calc_branched<op>, nullptr, derive}, {a, b, branch});
}

double calc_own_angle(const void*, double y, double x, double) { return calc_arctangent(y, x); }

}  // namespace

Traced calc_value(const Spline& table, const Traced& x) { return call_table<0>(&table, x); }
Traced calc_slope(const Spline& table, const Traced& x) { return call_table<1>(&table, x); }
Traced calc_second(const Spline& table, const Traced& x) { return call_table<2>(&table, x); }
Traced calc_integral(const Spline& table, const Traced& x) { return call_table<-1>(&table, x); }

Traced calc_value(const CompiledFunction& f, const Traced& x) { return call_function<0>(&f, x); }
Traced calc_slope(const CompiledFunction& f, const Traced& x) { return call_function<1>(&f, x); }
Traced calc_second(const CompiledFunction& f, const Traced& x) { return call_function<2>(&f, x); }

Traced calc_value(const Expression& formula, std::span<const Traced> variables) {
  std::array<Traced, max_expression_stack> stack;
  std::size_t top = 0;
  for (const Expression::Instruction& step : formula.instructions()) {
    if (step.op == Op::push) {
      stack[top++] = Traced(step.value);
    } else if (step.op == Op::load) {
      stack[top++] = variables[static_cast<std::size_t>(step.slot)];
    } else if (step.op == Op::step) {
      top -= 4;
      stack[top - 1] = calc_step(&stack[top - 1]);
    } else if (step.op == Op::table) {
      stack[top - 1] = call_table<0>(&formula.table(step), stack[top - 1]);
    } else if (step.op == Op::map) {
      --top;
      stack[top - 1] = call_map<0, 0>(&formula.map(step), stack[top - 1], stack[top]);
    } else if (step.op == Op::branch_table) {
      --top;
      stack[top - 1] = call_branch_table(formula.table(step), stack[top - 1], stack[top]);
    } else if (step.op == Op::branch_min || step.op == Op::branch_max) {
      top -= 2;
      const auto call_one =
          step.op == Op::branch_min ? call_branched<Op::branch_min> : call_branched<Op::branch_max>;
      stack[top - 1] = call_one(stack[top - 1], stack[top], stack[top + 1]);
    } else if (is_binary(step.op)) {
      --top;
      stack[top - 1] = apply(step.op, stack[top - 1], stack[top]);
    } else {
      stack[top - 1] = apply(step.op, stack[top - 1], {});
    }
  }
  return stack[0];
}

Traced calc_logarithm(const Traced& x) { return call_op<Op::log>(x); }

Traced calc_arctangent(const Traced& y, const Traced& x) {
  const auto derive = [](const TracedFunction&, const Traced& a, const Traced& b, const Traced&,
                         int which) {
    const Traced r2 = a * a + b * b;
    return which == 0 ? b / r2 : -(a / r2);
  };
  return call({calc_own_angle, nullptr, derive}, {y, x});
}
Traced calc_angle(const Traced& y, const Traced& x) { return call_op<Op::atan2>(y, x); }

}  // namespace trammel
