// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Vectors and rotations of the plane, with the names of vector3.hpp: code that uses only these
// names works in the plane and in space alike.
//
//   Vector2   points, forces, velocities: (x, y)
//   Vector1   what is normal to the plane: an angular velocity, a torque, a moment of inertia
//
// A cross product of two vectors of the plane is normal to it; a turn leaves normals as they are.
#pragma once

namespace trammel {

template <class Real>
struct Vector2 {
  Real x, y;

  [[gnu::always_inline]] static constexpr Vector2 zero() { return {Real(0), Real(0)}; }
  [[gnu::always_inline]] static Vector2 load(const Real* p) { return {p[0], p[1]}; }
  [[gnu::always_inline]] Real sum() const { return x + y; }
  [[gnu::always_inline]] void store(Real* p) const {
    p[0] = x;
    p[1] = y;
  }
  [[gnu::always_inline]] Vector2& operator+=(const Vector2& b) {
    x += b.x;
    y += b.y;
    return *this;
  }
  [[gnu::always_inline]] Vector2& operator-=(const Vector2& b) {
    x -= b.x;
    y -= b.y;
    return *this;
  }
};

template <class Real>
struct Vector1 {
  Real z;

  [[gnu::always_inline]] static constexpr Vector1 zero() { return {Real(0)}; }
  [[gnu::always_inline]] static constexpr Vector1 filled(const Real& value) { return {value}; }
  [[gnu::always_inline]] static Vector1 load(const Real* p) { return {p[0]}; }
  [[gnu::always_inline]] Real sum() const { return z; }
  [[gnu::always_inline]] void store(Real* p) const { p[0] = z; }
  [[gnu::always_inline]] Vector1& operator+=(const Vector1& b) {
    z += b.z;
    return *this;
  }
  [[gnu::always_inline]] Vector1& operator-=(const Vector1& b) {
    z -= b.z;
    return *this;
  }
};

template <class Real>
[[gnu::always_inline]] inline Vector2<Real> operator+(const Vector2<Real>& a,
                                                      const Vector2<Real>& b) {
  return {a.x + b.x, a.y + b.y};
}
template <class Real>
[[gnu::always_inline]] inline Vector2<Real> operator-(const Vector2<Real>& a,
                                                      const Vector2<Real>& b) {
  return {a.x - b.x, a.y - b.y};
}
template <class Real>
[[gnu::always_inline]] inline Vector2<Real> operator-(const Vector2<Real>& a) {
  return {-a.x, -a.y};
}
template <class Real>
[[gnu::always_inline]] inline Vector2<Real> operator*(const Real& s, const Vector2<Real>& a) {
  return {s * a.x, s * a.y};
}
template <class Real>
[[gnu::always_inline]] inline Real dot(const Vector2<Real>& a, const Vector2<Real>& b) {
  return a.x * b.x + a.y * b.y;
}

template <class Real>
[[gnu::always_inline]] inline Vector1<Real> operator+(const Vector1<Real>& a,
                                                      const Vector1<Real>& b) {
  return {a.z + b.z};
}
template <class Real>
[[gnu::always_inline]] inline Vector1<Real> operator-(const Vector1<Real>& a,
                                                      const Vector1<Real>& b) {
  return {a.z - b.z};
}
template <class Real>
[[gnu::always_inline]] inline Vector1<Real> operator-(const Vector1<Real>& a) {
  return {-a.z};
}
template <class Real>
[[gnu::always_inline]] inline Vector1<Real> operator*(const Real& s, const Vector1<Real>& a) {
  return {s * a.z};
}
template <class Real>
[[gnu::always_inline]] inline Real dot(const Vector1<Real>& a, const Vector1<Real>& b) {
  return a.z * b.z;
}
template <class Real>
[[gnu::always_inline]] inline Vector1<Real> scaled(const Vector1<Real>& diagonal,
                                                   const Vector1<Real>& a) {
  return {diagonal.z * a.z};
}

// A moment of inertia applied to an angular velocity.
template <class Real>
[[gnu::always_inline]] inline Vector1<Real> operator*(const Vector1<Real>& a,
                                                      const Vector1<Real>& b) {
  return {a.z * b.z};
}

template <class Real>
[[gnu::always_inline]] inline Vector1<Real> cross(const Vector2<Real>& a, const Vector2<Real>& b) {
  return {a.x * b.y - a.y * b.x};
}
template <class Real>
[[gnu::always_inline]] inline Vector2<Real> cross(const Vector1<Real>& a, const Vector2<Real>& b) {
  return {-(a.z * b.y), a.z * b.x};
}

// A rotation of the plane by rows: (cos β, −sin β), (sin β, cos β).
template <class Real>
struct Matrix2 {
  Vector2<Real> row[2];

  [[gnu::always_inline]] static constexpr Matrix2 identity() {
    return {{{Real(1), Real(0)}, {Real(0), Real(1)}}};
  }
};

template <class Real>
[[gnu::always_inline]] inline Vector2<Real> operator*(const Matrix2<Real>& m,
                                                      const Vector2<Real>& a) {
  return {dot(m.row[0], a), dot(m.row[1], a)};
}
template <class Real>
[[gnu::always_inline]] inline Vector1<Real> operator*(const Matrix2<Real>&,
                                                      const Vector1<Real>& a) {
  return a;
}
// mᵀ a
template <class Real>
[[gnu::always_inline]] inline Vector2<Real> transposed_times(const Matrix2<Real>& m,
                                                             const Vector2<Real>& a) {
  return {m.row[0].x * a.x + m.row[1].x * a.y, m.row[0].y * a.x + m.row[1].y * a.y};
}
template <class Real>
[[gnu::always_inline]] inline Vector1<Real> transposed_times(const Matrix2<Real>&,
                                                             const Vector1<Real>& a) {
  return a;
}

}  // namespace trammel
