// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Complex numbers with products written out. The operators of std::complex look for infinities after each
// product, which costs a branch per operation.
#pragma once

#include <cmath>

namespace trammel {

struct Complex {
  double re = 0.0, im = 0.0;

  constexpr Complex() = default;
  // NOLINTNEXTLINE(google-explicit-constructor): a real number is a complex one
  constexpr Complex(double real, double imaginary = 0.0) : re(real), im(imaginary) {}

  constexpr Complex& operator+=(const Complex& b) {
    re += b.re;
    im += b.im;
    return *this;
  }
  constexpr Complex& operator-=(const Complex& b) {
    re -= b.re;
    im -= b.im;
    return *this;
  }
};

constexpr Complex operator+(const Complex& a, const Complex& b) {
  return {a.re + b.re, a.im + b.im};
}
constexpr Complex operator-(const Complex& a, const Complex& b) {
  return {a.re - b.re, a.im - b.im};
}
constexpr Complex operator*(const Complex& a, const Complex& b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
constexpr Complex operator*(const Complex& a, double b) { return {a.re * b, a.im * b}; }
constexpr Complex operator*(double a, const Complex& b) { return b * a; }

// 1/z = z̄/|z|²; z in a range where |z|² neither overflows nor vanishes
constexpr Complex calc_inverse(const Complex& z) {
  const double scale = 1.0 / (z.re * z.re + z.im * z.im);
  return {z.re * scale, -z.im * scale};
}
constexpr double calc_inverse(double x) { return 1.0 / x; }

// a measure of size for pivoting: |Re| + |Im|
inline double calc_size(const Complex& z) { return std::abs(z.re) + std::abs(z.im); }
inline double calc_size(double x) { return std::abs(x); }

}  // namespace trammel
