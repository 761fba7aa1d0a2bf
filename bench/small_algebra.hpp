// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Vectors and matrices of three in any precision, for calculations that check the library and may
// therefore use nothing of it. C++17: Simbody's side of the study reads it too.
#pragma once

#include <array>
#include <utility>

namespace trammel::bench {

template <class Real>
using V3 = std::array<Real, 3>;
template <class Real>
using M3 = std::array<V3<Real>, 3>;  // by rows

template <class Real>
V3<Real> operator+(const V3<Real>& a, const V3<Real>& b) {
  return {a[0] + b[0], a[1] + b[1], a[2] + b[2]};
}
template <class Real>
V3<Real> operator-(const V3<Real>& a, const V3<Real>& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}
template <class Real>
V3<Real> times(const Real& s, const V3<Real>& a) {
  return {s * a[0], s * a[1], s * a[2]};
}
template <class Real>
Real dot3(const V3<Real>& a, const V3<Real>& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
template <class Real>
V3<Real> cross3(const V3<Real>& a, const V3<Real>& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

template <class Real>
M3<Real> operator+(const M3<Real>& a, const M3<Real>& b) {
  return {a[0] + b[0], a[1] + b[1], a[2] + b[2]};
}
template <class Real>
M3<Real> operator-(const M3<Real>& a, const M3<Real>& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}
template <class Real>
M3<Real> times(const Real& s, const M3<Real>& a) {
  return {times(s, a[0]), times(s, a[1]), times(s, a[2])};
}
template <class Real>
V3<Real> times(const M3<Real>& m, const V3<Real>& a) {
  return {dot3(m[0], a), dot3(m[1], a), dot3(m[2], a)};
}
template <class Real>
M3<Real> transposed(const M3<Real>& m) {
  M3<Real> t;
  for (int r = 0; r < 3; ++r) {
    for (int c = 0; c < 3; ++c) t[r][c] = m[c][r];
  }
  return t;
}
template <class Real>
M3<Real> times(const M3<Real>& a, const M3<Real>& b) {
  const M3<Real> bt = transposed(b);
  return {times(bt, a[0]), times(bt, a[1]), times(bt, a[2])};
}
template <class Real>
M3<Real> symmetric_part(const M3<Real>& m) {
  return times(Real(1) / Real(2), m + transposed(m));
}
template <class Real>
M3<Real> outer(const V3<Real>& a, const V3<Real>& b) {
  return {times(a[0], b), times(a[1], b), times(a[2], b)};
}
template <class Real>
M3<Real> diagonal3(const V3<Real>& d) {
  const Real o(0);
  return {V3<Real>{d[0], o, o}, V3<Real>{o, d[1], o}, V3<Real>{o, o, d[2]}};
}
// [a] b = a × b
template <class Real>
M3<Real> cross_matrix(const V3<Real>& a) {
  const Real o(0);
  return {V3<Real>{o, -a[2], a[1]}, V3<Real>{a[2], o, -a[0]}, V3<Real>{-a[1], a[0], o}};
}

// x of the n equations A x = b, Gauss with partial pivoting. A: by rows, overwritten.
template <class Real, class Matrix, class Vector>
void solve_dense(int n, Matrix& A, Vector& b) {
  const auto size = [](const Real& x) { return x < Real(0) ? -x : x; };
  for (int c = 0; c < n; ++c) {
    int best = c;
    for (int r = c + 1; r < n; ++r) {
      if (size(A[r][c]) > size(A[best][c])) best = r;
    }
    std::swap(A[c], A[best]);
    std::swap(b[c], b[best]);
    for (int r = c + 1; r < n; ++r) {
      const Real l = A[r][c] / A[c][c];
      for (int k = c; k < n; ++k) A[r][k] -= l * A[c][k];
      b[r] -= l * b[c];
    }
  }
  for (int r = n - 1; r >= 0; --r) {
    for (int k = r + 1; k < n; ++k) b[r] -= A[r][k] * b[k];
    b[r] = b[r] / A[r][r];
  }
}

template <class Real>
M3<Real> inverse3(const M3<Real>& m) {
  const V3<Real> a = cross3(m[1], m[2]), b = cross3(m[2], m[0]), c = cross3(m[0], m[1]);
  return times(Real(1) / dot3(m[0], a), transposed(M3<Real>{a, b, c}));
}

}  // namespace trammel::bench
