// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Vectors and matrices of three, for the kernel: no std or Eigen types inside, so that the same
// source can be compiled for several instruction sets and for packs of doubles (Real).
#pragma once

namespace trammel {

template <class Real>
struct Vector3 {
  Real x, y, z;

  [[gnu::always_inline]] static constexpr Vector3 zero() { return {Real(0), Real(0), Real(0)}; }
  [[gnu::always_inline]] static constexpr Vector3 filled(const Real& value) {
    return {value, value, value};
  }
  [[gnu::always_inline]] static Vector3 load(const Real* p) { return {p[0], p[1], p[2]}; }
  [[gnu::always_inline]] Real sum() const { return x + y + z; }
  [[gnu::always_inline]] void store(Real* p) const {
    p[0] = x;
    p[1] = y;
    p[2] = z;
  }
  [[gnu::always_inline]] Vector3& operator+=(const Vector3& b) {
    x += b.x;
    y += b.y;
    z += b.z;
    return *this;
  }
  [[gnu::always_inline]] Vector3& operator-=(const Vector3& b) {
    x -= b.x;
    y -= b.y;
    z -= b.z;
    return *this;
  }
};

template <class Real>
[[gnu::always_inline]] inline Vector3<Real> operator+(const Vector3<Real>& a,
                                                      const Vector3<Real>& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
template <class Real>
[[gnu::always_inline]] inline Vector3<Real> operator-(const Vector3<Real>& a,
                                                      const Vector3<Real>& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
template <class Real>
[[gnu::always_inline]] inline Vector3<Real> operator-(const Vector3<Real>& a) {
  return {-a.x, -a.y, -a.z};
}
template <class Real>
[[gnu::always_inline]] inline Vector3<Real> operator*(const Real& s, const Vector3<Real>& a) {
  return {s * a.x, s * a.y, s * a.z};
}
template <class Real>
[[gnu::always_inline]] inline Real dot(const Vector3<Real>& a, const Vector3<Real>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <class Real>
[[gnu::always_inline]] inline Vector3<Real> cross(const Vector3<Real>& a, const Vector3<Real>& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
// Componentwise product: a diagonal matrix applied to a vector.
template <class Real>
[[gnu::always_inline]] inline Vector3<Real> scaled(const Vector3<Real>& diagonal,
                                                   const Vector3<Real>& a) {
  return {diagonal.x * a.x, diagonal.y * a.y, diagonal.z * a.z};
}

// A 3×3 matrix by rows.
template <class Real>
struct Matrix3 {
  Vector3<Real> row[3];

  [[gnu::always_inline]] static constexpr Matrix3 identity() {
    return {
        {{Real(1), Real(0), Real(0)}, {Real(0), Real(1), Real(0)}, {Real(0), Real(0), Real(1)}}};
  }
};

template <class Real>
[[gnu::always_inline]] inline Vector3<Real> operator*(const Matrix3<Real>& m,
                                                      const Vector3<Real>& a) {
  return {dot(m.row[0], a), dot(m.row[1], a), dot(m.row[2], a)};
}
// mᵀ a
template <class Real>
[[gnu::always_inline]] inline Vector3<Real> transposed_times(const Matrix3<Real>& m,
                                                             const Vector3<Real>& a) {
  return {m.row[0].x * a.x + m.row[1].x * a.y + m.row[2].x * a.z,
          m.row[0].y * a.x + m.row[1].y * a.y + m.row[2].y * a.z,
          m.row[0].z * a.x + m.row[1].z * a.y + m.row[2].z * a.z};
}

// A symmetric 3×3 matrix.
template <class Real>
struct Symmetric3 {
  Real xx, xy, xz, yy, yz, zz;
};

template <class Real>
[[gnu::always_inline]] inline Vector3<Real> operator*(const Symmetric3<Real>& m,
                                                      const Vector3<Real>& a) {
  return {m.xx * a.x + m.xy * a.y + m.xz * a.z, m.xy * a.x + m.yy * a.y + m.yz * a.z,
          m.xz * a.x + m.yz * a.y + m.zz * a.z};
}
// R diag(d) Rᵀ = d_z + (d_x − d_z) a aᵀ + (d_y − d_z) b bᵀ with the first columns a, b of the rotation R: a
// third fewer operations than the product, and nothing to turn where d is that of a ball.
template <class Real>
[[gnu::always_inline]] inline Symmetric3<Real> turn_diagonal(const Matrix3<Real>& R,
                                                             const Vector3<Real>& d) {
  const Real dx = d.x - d.z, dy = d.y - d.z;
  const Vector3<Real> a = {R.row[0].x, R.row[1].x, R.row[2].x};
  const Vector3<Real> b = {R.row[0].y, R.row[1].y, R.row[2].y};
  const Vector3<Real> p = dx * a, q = dy * b;
  return {(p.x * a.x + q.x * b.x) + d.z, p.x * a.y + q.x * b.y, p.x * a.z + q.x * b.z,
          (p.y * a.y + q.y * b.y) + d.z, p.y * a.z + q.y * b.z, (p.z * a.z + q.z * b.z) + d.z};
}

}  // namespace trammel
