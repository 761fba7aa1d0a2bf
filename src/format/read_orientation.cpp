// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Orientations of bodies, frames and shapes, as unit Euler parameters: given as such, by axis and angle, by a
// matrix, or by what their axes are along.
//
// One axis along d: the smallest rotation from the axis e of the basis, θ = (1 + e·d, e × d)/|…|; half a turn
// about the next axis (z: x, x: y, y: z) where d = −e. Two axes: the first of z, x, y that is given is
// exact, the other as near to what is given as a right angle allows.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "format/model_keys.hpp"
#include "format/places.hpp"
#include "math/unit_vector.hpp"

namespace trammel {

const Keys orientation_keys = {
    {"euler_parameters", "four_numbers", "unit quaternion, scalar first"},
    {"axis", "three_numbers", "of the rotation; goes with angle"},
    {"angle", "number", "rad, or with a unit: 90 deg"},
    {"matrix", "matrix", "rows of R, x_world = R x_body"},
    {"x", "direction", "what the x axis is along: a vector, two points or an axis by name"},
    {"y", "direction", "likewise"},
    {"z", "direction", "likewise"}};

namespace {

double dot(const Vec3& a, const Vec3& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

EulerParameters normalised(EulerParameters theta) {
  double square = 0;
  for (const double x : theta) square += x * x;
  // what is a unit vector to rounding stays as it was written
  if (std::abs(square - 1) < 1e-15) return theta;
  for (double& x : theta) x /= std::sqrt(square);
  return theta;
}

}  // namespace

// Shepperd's method (1978): divide by the largest of the four parameters.
EulerParameters make_euler_parameters(const Mat3& R) {
  const double trace = R[0][0] + R[1][1] + R[2][2];
  std::size_t k = 0;
  for (std::size_t i = 1; i < 3; ++i) k = R[i][i] > R[k][k] ? i : k;
  EulerParameters theta{};
  if (trace >= R[k][k]) {
    theta = {1 + trace, R[2][1] - R[1][2], R[0][2] - R[2][0], R[1][0] - R[0][1]};
  } else {
    const std::size_t l = (k + 1) % 3, m = (k + 2) % 3;
    theta[0] = R[m][l] - R[l][m];
    theta[1 + k] = 1 + 2 * R[k][k] - trace;
    theta[1 + l] = R[k][l] + R[l][k];
    theta[1 + m] = R[k][m] + R[m][k];
  }
  return normalised(theta);
}

namespace {

using Kind = YamlNode::Kind;
using V = Vector3<double>;

constexpr std::array<const char*, 3> axis_words = {"x", "y", "z"};
constexpr double parallel_below = 1e-9;    // sine of the angle between two axes
constexpr double matrix_tolerance = 1e-6;  // of RᵀR = 1
constexpr double length_tolerance = 1e-2;  // of |θ| = 1

EulerParameters read_euler_parameters(Reader& reader, NodeId id) {
  const auto theta = reader.numbers<4>(id, "numbers");
  const double length = std::hypot(std::hypot(theta[0], theta[1]), std::hypot(theta[2], theta[3]));
  if (!(std::abs(length - 1) <= length_tolerance)) {
    if (!reader.is_reported_around(id)) {
      reader.report(id, fmt::format("must have length 1, got length {:.6g}", length));
    }
    return {1, 0, 0, 0};
  }
  return normalised(theta);
}

EulerParameters read_axis_angle(Reader& reader, NodeId axis_id, NodeId angle_id) {
  Vec3 axis = reader.numbers<3>(axis_id, "numbers");
  bring_into_range(Vector3<double>::load(axis.data())).store(axis.data());
  const double angle = reader.number(angle_id);
  const double length = std::hypot(axis[0], axis[1], axis[2]);
  if (length == 0) {
    if (!reader.is_reported_around(axis_id)) reader.report(axis_id, "must not be zero");
    return {1, 0, 0, 0};
  }
  const double s = std::sin(angle / 2) / length;
  return normalised({std::cos(angle / 2), s * axis[0], s * axis[1], s * axis[2]});
}

EulerParameters read_matrix(Reader& reader, NodeId id) {
  const Mat3 R = reader.matrix(id);
  if (reader.is_reported_around(id)) return {1, 0, 0, 0};
  double defect = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      defect = std::max(defect, std::abs(dot(R[i], R[j]) - (i == j ? 1 : 0)));
    }
  }
  const Vec3 cross = {R[0][1] * R[1][2] - R[0][2] * R[1][1], R[0][2] * R[1][0] - R[0][0] * R[1][2],
                      R[0][0] * R[1][1] - R[0][1] * R[1][0]};
  if (!(defect <= matrix_tolerance)) {
    reader.report(
        id, fmt::format("is not a rotation: its rows are orthonormal only within {:.3g}", defect));
  } else if (dot(cross, R[2]) < 0) {
    reader.report(id, "is a reflection, not a rotation: its determinant is -1");
  } else {
    return make_euler_parameters(R);
  }
  return {1, 0, 0, 0};
}

// ---- by axes

V unit_of(std::size_t k) { return {k == 0 ? 1.0 : 0.0, k == 1 ? 1.0 : 0.0, k == 2 ? 1.0 : 0.0}; }

EulerParameters make_smallest_rotation(std::size_t k, const V& d) {
  const V e = unit_of(k), axis = cross(e, d);
  const double cosine = dot(e, d);
  if (cosine < 0 && std::sqrt(dot(axis, axis)) < 1e-12) {
    const V next = unit_of((k + 1) % 3);
    return {0, next.x, next.y, next.z};
  }
  return normalised({1 + cosine, axis.x, axis.y, axis.z});
}

EulerParameters make_rotation(std::size_t exact, const V& p, std::size_t near, const V& given) {
  const V s = make_unit(given - dot(given, p) * p);
  const bool in_order = near == (exact + 1) % 3;
  const V third = in_order ? cross(p, s) : cross(s, p);
  Mat3 R{};
  const auto set = [&](std::size_t column, const V& v) {
    R[0][column] = v.x;
    R[1][column] = v.y;
    R[2][column] = v.z;
  };
  set(exact, p);
  set(near, s);
  set(3 - exact - near, third);
  return make_euler_parameters(R);
}

// As a unit vector; nothing after an error.
std::optional<V> read_axis(Reader& reader, NodeId id, const Basis& in) {
  const Vec3 v = reader.places().direction(id, in);
  if (reader.is_reported_around(id)) return std::nullopt;
  if (v == Vec3{}) {
    reader.report(id, reader.places().is_pair(id) ? "the two points coincide" : "must not be zero");
    return std::nullopt;
  }
  return make_unit(V::load(v.data()));
}

EulerParameters read_axes(Reader& reader, NodeId id, const Basis& in) {
  std::vector<std::pair<std::size_t, NodeId>> given;  // the exact one first
  for (const std::size_t k : {2u, 0u, 1u}) {
    const NodeId axis = reader.find(id, axis_words[k]);
    if (axis != no_node) given.emplace_back(k, axis);
  }
  if (given.size() == 3) {
    reader.report_key(given[2].second, "two axes are enough", "leave out one of the three");
    return {1, 0, 0, 0};
  }
  if (reader.is_planar() && (given[0].first == 2 || given.size() == 2)) {
    reader.report(id, "is a rotation about z in a planar model", "give what x is along, or y");
    return {1, 0, 0, 0};
  }
  const auto first = read_axis(reader, given[0].second, in);
  const auto second =
      given.size() == 2 ? read_axis(reader, given[1].second, in) : std::optional<V>();
  if (!first || (given.size() == 2 && !second)) return {1, 0, 0, 0};
  if (reader.is_planar()) {
    const double angle =
        given[0].first == 0 ? std::atan2(first->y, first->x) : std::atan2(-first->x, first->y);
    return {std::cos(angle / 2), 0, 0, std::sin(angle / 2)};
  }
  if (!second) return make_smallest_rotation(given[0].first, *first);
  const V across = cross(*first, *second);
  if (std::sqrt(dot(across, across)) < parallel_below) {
    reader.report(given[1].second,
                  fmt::format("is parallel to '{}', so it does not say how the frame "
                              "is rotated about that",
                              axis_words[given[0].first]));
    return {1, 0, 0, 0};
  }
  return make_rotation(given[0].first, *first, given[1].first, *second);
}

}  // namespace

EulerParameters read_orientation(Reader& reader, NodeId id, const Basis& in) {
  if (reader.places().is_name(id)) {
    const auto found = reader.places().frame(id, in.frame == nullptr ? in.body : Basis::unknown);
    return found ? reader.places().axes(*found, in) : EulerParameters{1, 0, 0, 0};
  }
  if (!reader.expect_map(id)) return {1, 0, 0, 0};
  reader.check_keys(id, orientation_keys);
  const bool by_axes = std::any_of(axis_words.begin(), axis_words.end(), [&](const char* word) {
    return reader.find(id, word) != no_node;
  });
  const NodeId theta = reader.find(id, "euler_parameters"), matrix = reader.find(id, "matrix"),
               axis = reader.find(id, "axis"), angle = reader.find(id, "angle");
  const bool turned = axis != no_node && angle != no_node;
  const bool about_z = reader.is_planar() && axis == no_node && angle != no_node;
  const bool half = (axis != no_node) != (angle != no_node) && !about_z;
  if (half || (theta != no_node) + (matrix != no_node) + turned + about_z + by_axes != 1) {
    if (!reader.is_reported_around(id)) {
      reader.report(id, fmt::format("must be {}euler_parameters, or axis and angle, or matrix, or "
                                    "what {} along",
                                    reader.is_planar() ? "angle, or " : "",
                                    reader.is_planar() ? "x is" : "z and x are"));
    }
    return {1, 0, 0, 0};
  }
  if (by_axes) return read_axes(reader, id, in);
  if (about_z) {
    const double half_angle = reader.number(angle) / 2;
    return {std::cos(half_angle), 0, 0, std::sin(half_angle)};
  }
  if (theta != no_node) return read_euler_parameters(reader, theta);
  if (matrix != no_node) return read_matrix(reader, matrix);
  return read_axis_angle(reader, axis, angle);
}

}  // namespace trammel
