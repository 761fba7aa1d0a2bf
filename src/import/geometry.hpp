// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Rigid placements on the plain types of the Model: frames of files in other formats, composed and inverted.
#pragma once

#include <array>
#include <cmath>

#include "trammel/types.hpp"

namespace trammel::import {

inline Vec3 operator+(const Vec3& a, const Vec3& b) {
  return {a[0] + b[0], a[1] + b[1], a[2] + b[2]};
}
inline Vec3 operator-(const Vec3& a, const Vec3& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}
inline Vec3 operator*(double s, const Vec3& a) { return {s * a[0], s * a[1], s * a[2]}; }
inline double dot(const Vec3& a, const Vec3& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
inline Vec3 cross(const Vec3& a, const Vec3& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
inline double length(const Vec3& a) { return std::hypot(a[0], a[1], a[2]); }
inline Vec3 normalised(const Vec3& a) { return (1.0 / length(a)) * a; }

inline constexpr Mat3 identity{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};

inline Vec3 operator*(const Mat3& m, const Vec3& v) {
  return {dot(m[0], v), dot(m[1], v), dot(m[2], v)};
}
inline Mat3 transposed(const Mat3& m) {
  return {{{m[0][0], m[1][0], m[2][0]}, {m[0][1], m[1][1], m[2][1]}, {m[0][2], m[1][2], m[2][2]}}};
}
inline Mat3 operator*(const Mat3& a, const Mat3& b) {
  const Mat3 columns = transposed(b);
  Mat3 result;
  for (int i = 0; i < 3; ++i)
    result[i] = {dot(a[i], columns[0]), dot(a[i], columns[1]), dot(a[i], columns[2])};
  return result;
}
inline Mat3 operator+(const Mat3& a, const Mat3& b) {
  return {a[0] + b[0], a[1] + b[1], a[2] + b[2]};
}
inline Vec3 column(const Mat3& m, int k) { return {m[0][k], m[1][k], m[2][k]}; }
inline Mat3 from_columns(const Vec3& x, const Vec3& y, const Vec3& z) {
  return transposed(Mat3{x, y, z});
}

// x_outer = at + turn·x
struct Place {
  Mat3 turn = identity;
  Vec3 at{};
};
inline Vec3 operator*(const Place& a, const Vec3& x) { return a.at + a.turn * x; }
inline Place operator*(const Place& a, const Place& b) { return {a.turn * b.turn, a * b.at}; }
inline Place inverse(const Place& a) {
  const Mat3 back = transposed(a.turn);
  return {back, -1.0 * (back * a.at)};
}

// By the angle about the unit vector (Rodrigues).
inline Mat3 make_rotation(const Vec3& axis, double angle) {
  const double c = std::cos(angle), s = std::sin(angle), d = 1 - c;
  const auto& [x, y, z] = axis;
  return {{{c + d * x * x, d * x * y - s * z, d * x * z + s * y},
           {d * x * y + s * z, c + d * y * y, d * y * z - s * x},
           {d * x * z - s * y, d * y * z + s * x, c + d * z * z}}};
}

// About the fixed axes x, y, z, in this order: URDF's rpy.
inline Mat3 make_roll_pitch_yaw(const Vec3& rpy) {
  return make_rotation({0, 0, 1}, rpy[2]) * make_rotation({0, 1, 0}, rpy[1]) *
         make_rotation({1, 0, 0}, rpy[0]);
}

inline Mat3 from_quaternion(const EulerParameters& q) {
  const double n = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
  const double s = 2.0 / n, w = q[0], x = q[1], y = q[2], z = q[3];
  return {{{1 - s * (y * y + z * z), s * (x * y - w * z), s * (x * z + w * y)},
           {s * (x * y + w * z), 1 - s * (x * x + z * z), s * (y * z - w * x)},
           {s * (x * z - w * y), s * (y * z + w * x), 1 - s * (x * x + y * y)}}};
}

// From the largest of the four, so that none is a difference of nearly equal numbers.
inline EulerParameters to_quaternion(const Mat3& m) {
  const double trace = m[0][0] + m[1][1] + m[2][2];
  EulerParameters q;
  if (trace >= 0) {
    q = {1 + trace, m[2][1] - m[1][2], m[0][2] - m[2][0], m[1][0] - m[0][1]};
  } else {
    const int i = m[0][0] >= m[1][1] && m[0][0] >= m[2][2] ? 0 : m[1][1] >= m[2][2] ? 1 : 2;
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    q[0] = m[k][j] - m[j][k];
    q[1 + i] = 1 + m[i][i] - m[j][j] - m[k][k];
    q[1 + j] = m[i][j] + m[j][i];
    q[1 + k] = m[i][k] + m[k][i];
  }
  const double size = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  const double divisor = q[0] < 0 ? -size : size;
  for (double& x : q) x /= divisor;
  return q;
}

// Axes with z along the unit vector; the identity where that is z.
inline Mat3 make_frame_along(const Vec3& z) {
  if (z[0] == 0 && z[1] == 0 && z[2] > 0) return identity;
  if (z[0] > 0 && z[1] == 0 && z[2] == 0) return {{{0, 0, 1}, {1, 0, 0}, {0, 1, 0}}};
  if (z[1] > 0 && z[0] == 0 && z[2] == 0) return {{{0, 1, 0}, {0, 0, 1}, {1, 0, 0}}};
  const double x = std::abs(z[0]), y = std::abs(z[1]), w = std::abs(z[2]);
  const Vec3 e = x <= y && x <= w ? Vec3{1, 0, 0} : y <= w ? Vec3{0, 1, 0} : Vec3{0, 0, 1};
  const Vec3 side = normalised(cross(z, e));
  return from_columns(side, cross(z, side), z);
}

// The rotation nearest to a matrix that is one but for rounding (polar decomposition, Newton).
inline Mat3 make_nearest_rotation(Mat3 m) {
  for (int k = 0; k < 20; ++k) {
    const Vec3 x = column(m, 0), y = column(m, 1), z = column(m, 2);
    const double determinant = dot(x, cross(y, z));
    const Mat3 inverse_transposed =
        from_columns((1 / determinant) * cross(y, z), (1 / determinant) * cross(z, x),
                     (1 / determinant) * cross(x, y));
    double change = 0.0;
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) {
        const double mean = 0.5 * (m[i][j] + inverse_transposed[i][j]);
        change = std::max(change, std::abs(mean - m[i][j]));
        m[i][j] = mean;
      }
    }
    if (change < 1e-15) break;
  }
  return m;
}

// The moments of inertia R I Rᵀ of a body whose axes are turned by R.
inline Mat3 turned(const Mat3& inertia, const Mat3& r) { return r * inertia * transposed(r); }

// What a point mass at distance d adds to the moments of inertia.
inline Mat3 calc_point_inertia(double mass, const Vec3& d) {
  const double square = dot(d, d);
  Mat3 result;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) result[i][j] = mass * ((i == j ? square : 0.0) - d[i] * d[j]);
  }
  return result;
}

}  // namespace trammel::import
