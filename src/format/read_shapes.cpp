// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Shapes and orientations of bodies.
#include <fmt/format.h>

#include <cmath>

#include "format/model_keys.hpp"
#include "format/read_geometry.hpp"
#include "format/read_sections.hpp"
#include "math/unit_vector.hpp"

namespace trammel {

const Keys shape_keys = {
    {"box", "three_numbers", "edge lengths along x, y, z, m"},
    {"cylinder", "cylinder", "along z, centred"},
    {"sphere", "sphere", "its radius, m"},
    {"capsule", "capsule", "a cylinder along z, centred, between two half spheres"},
    {"cone", "cone", "a cone or a frustum along z, centred"},
    {"ring", "ring", "a hollow cylinder along z, centred"},
    {"extrusion", "extrusion", "a polygon in x and y, extruded along z to both sides"},
    {"mesh", "mesh", "an STL, OBJ, glTF or GLB file"},
    {"density", "number", "kg/m³; a shape with a density contributes to mass and inertia"},
    {"position", "vector", "of its centre (mesh: of its origin) in the body frame, m"},
    {"orientation", "orientation", "shape frame to body frame"},
    {"color", "color", "a name, '#rrggbb' or [red, green, blue] from 0 to 1"},
    {"opacity", "number", "from 0, not drawn, to 1 (default)"}};
const Keys orientation_keys = {
    {"euler_parameters", "four_numbers", "unit quaternion, scalar first"},
    {"axis", "three_numbers", "of the rotation; goes with angle"},
    {"angle", "number", "rad, or with a unit: 90 deg"},
    {"matrix", "matrix", "rows of R, x_world = R x_body"}};

namespace {

using Kind = YamlNode::Kind;

constexpr double matrix_tolerance = 1e-6;  // of RᵀR = 1
constexpr double length_tolerance = 1e-2;  // of |θ| = 1

double dot(const Vec3& a, const Vec3& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

// ---- orientation

EulerParameters normalised(EulerParameters theta) {
  double square = 0;
  for (const double x : theta) square += x * x;
  // what is a unit vector to rounding stays as it was written
  if (std::abs(square - 1) < 1e-15) return theta;
  for (double& x : theta) x /= std::sqrt(square);
  return theta;
}

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

// ---- shapes

Shape read_shape(Reader& reader, NodeId entry, const Shape& of_body) {
  Shape shape = of_body;
  if (!reader.expect_map(entry)) return shape;
  reader.check_keys(entry, shape_keys);
  shape.geometry = read_geometry(reader, entry);
  const NodeId density = reader.find(entry, "density");
  if (density != no_node) shape.density = reader.number(density);
  shape.position = reader.vector_or_zero(entry, "position");
  const NodeId orientation = reader.find(entry, "orientation");
  if (orientation != no_node) shape.orientation = read_orientation(reader, orientation);
  read_looks(reader, entry, shape);
  return shape;
}

}  // namespace

EulerParameters read_orientation(Reader& reader, NodeId id) {
  if (!reader.expect_map(id)) return {1, 0, 0, 0};
  reader.check_keys(id, orientation_keys);
  const NodeId theta = reader.find(id, "euler_parameters"), matrix = reader.find(id, "matrix"),
               axis = reader.find(id, "axis"), angle = reader.find(id, "angle");
  const bool turned = axis != no_node && angle != no_node;
  const bool about_z = reader.is_planar() && axis == no_node && angle != no_node;
  const bool half = (axis != no_node) != (angle != no_node) && !about_z;
  if (half || (theta != no_node) + (matrix != no_node) + turned + about_z != 1) {
    if (!reader.is_reported_around(id)) {
      reader.report(id, fmt::format("must be {}euler_parameters, or axis and angle, or matrix",
                                    reader.is_planar() ? "angle, or " : ""));
    }
    return {1, 0, 0, 0};
  }
  if (about_z) {
    const double half_angle = reader.number(angle) / 2;
    return {std::cos(half_angle), 0, 0, std::sin(half_angle)};
  }
  if (theta != no_node) return read_euler_parameters(reader, theta);
  if (matrix != no_node) return read_matrix(reader, matrix);
  return read_axis_angle(reader, axis, angle);
}

void read_looks(Reader& reader, NodeId entry, Shape& shape) {
  if (const NodeId id = reader.find(entry, "color"); id != no_node) {
    shape.color = read_color(reader, id);
  } else if (const Mesh* mesh = std::get_if<Mesh>(&shape.geometry)) {
    if (!shape.color && mesh->surface) shape.color = mesh->surface->color;
  }
  if (const NodeId id = reader.find(entry, "opacity"); id != no_node) {
    shape.opacity = static_cast<float>(reader.number(id));
  }
}

std::vector<Shape> read_shapes(Reader& reader, NodeId id, const Shape& of_body) {
  std::vector<Shape> shapes;
  const bool list = reader.tree()[id].kind == Kind::list;
  for (const NodeId entry : list ? reader.children(id) : std::vector<NodeId>{id}) {
    if (!reader.claim_shape(id)) break;
    shapes.push_back(read_shape(reader, entry, of_body));
  }
  return shapes;
}

}  // namespace trammel
