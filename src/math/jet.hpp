// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// A number with its first and second derivative by one variable x (a jet of second order).
//
//   (f ∘ a)   = f(a),   (f ∘ a)' = f'(a) a',   (f ∘ a)'' = f''(a) a'² + f'(a) a''
//   (a b)''   = a'' b + 2 a' b' + a b''
//
// The derivatives are exact up to rounding: no differences are taken.
#pragma once

namespace trammel {

struct Jet {
  double value;
  double first;   // d/dx
  double second;  // d²/dx²
};

inline bool is_constant(const Jet& a) { return a.first == 0.0 && a.second == 0.0; }

// f ∘ a from f, f', f'' at a. A constant stays one even where f' is not finite (√0).
inline Jet compose(const Jet& a, double f, double f1, double f2) {
  if (is_constant(a)) return {f, 0.0, 0.0};
  return {f, f1 * a.first, f2 * a.first * a.first + f1 * a.second};
}

inline Jet operator-(const Jet& a) { return {-a.value, -a.first, -a.second}; }
inline Jet operator+(const Jet& a, const Jet& b) {
  return {a.value + b.value, a.first + b.first, a.second + b.second};
}
inline Jet operator-(const Jet& a, const Jet& b) {
  return {a.value - b.value, a.first - b.first, a.second - b.second};
}
inline Jet operator*(const Jet& a, const Jet& b) {
  return {a.value * b.value, a.first * b.value + a.value * b.first,
          a.second * b.value + 2.0 * a.first * b.first + a.value * b.second};
}
// q = a/b from a = q b
inline Jet operator/(const Jet& a, const Jet& b) {
  const double q = a.value / b.value;
  const double q1 = (a.first - q * b.first) / b.value;
  return {q, q1, (a.second - 2.0 * q1 * b.first - q * b.second) / b.value};
}

// Which sign a has just after this point: that of its first part that is not 0.
inline double sign_after(const Jet& a) {
  const double part = a.value != 0.0 ? a.value : a.first != 0.0 ? a.first : a.second;
  return part < 0.0 ? -1.0 : 1.0;
}

}  // namespace trammel
