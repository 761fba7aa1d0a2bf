// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// MJCF: shapes, and the mass and inertia of bodies, given or from the shapes.
#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "import/mjcf.hpp"

namespace trammel::import {
namespace {

constexpr double pi = std::numbers::pi;
constexpr double default_density = 1000.0;  // kg/m³

// Mass 1, about the centre, in the axes of the geom; and its volume.
struct Solid {
  double volume = 0.0;
  Vec3 moments{};
};

Solid make_box(const Vec3& half) {
  const auto [x, y, z] = half;
  return {8 * x * y * z, {(y * y + z * z) / 3, (x * x + z * z) / 3, (x * x + y * y) / 3}};
}
Solid make_ellipsoid(const Vec3& half) {
  const auto [x, y, z] = half;
  return {4 * pi / 3 * x * y * z, {(y * y + z * z) / 5, (x * x + z * z) / 5, (x * x + y * y) / 5}};
}
Solid make_cylinder(double r, double half) {
  const double across = (3 * r * r + 4 * half * half) / 12;
  return {2 * pi * r * r * half, {across, across, r * r / 2}};
}
// A cylinder of length 2·half and two half spheres, whose centroids are at 3r/8 from their flat faces.
Solid make_capsule(double r, double half) {
  const double cylinder = 2 * pi * r * r * half, ball = 4 * pi / 3 * r * r * r;
  const double volume = cylinder + ball;
  const double along = cylinder * r * r / 2 + ball * 2 * r * r / 5;
  const double across = cylinder * (3 * r * r + 4 * half * half) / 12 +
                        ball * (2 * r * r / 5 + half * half + 3 * half * r / 4);
  return {volume, {across / volume, across / volume, along / volume}};
}

// Shells of the same shapes, mass 1 and their area; only those that have a simple form.
std::optional<Solid> make_shell(const std::string& type, const Vec3& size) {
  const double r = size[0], half = size[1];
  if (type == "sphere") {
    const double moment = 2 * r * r / 3;
    return Solid{4 * pi * r * r, {moment, moment, moment}};
  }
  if (type == "box") {
    const auto [x, y, z] = size;
    const double yz = 8 * y * z, xz = 8 * x * z, xy = 8 * x * y, area = yz + xz + xy;
    const auto about = [&](double p, double q, double pq, double ends_p, double ends_q) {
      // faces normal to the axis, then the two pairs along it
      return (pq * (p * p + q * q) / 3 + ends_p * (p * p + q * q / 3) +
              ends_q * (q * q + p * p / 3)) /
             area;
    };
    return Solid{area, {about(y, z, yz, xz, xy), about(x, z, xz, yz, xy), about(x, y, xy, yz, xz)}};
  }
  if (type == "cylinder") {
    const double side = 4 * pi * r * half, caps = 2 * pi * r * r, area = side + caps;
    const double along = (side * r * r + caps * r * r / 2) / area;
    const double across =
        (side * (r * r / 2 + half * half / 3) + caps * (r * r / 4 + half * half)) / area;
    return Solid{area, {across, across, along}};
  }
  if (type == "capsule") {
    const double side = 4 * pi * r * half, balls = 4 * pi * r * r, area = side + balls;
    const double along = (side * r * r + balls * 2 * r * r / 3) / area;
    const double across =
        (side * (r * r / 2 + half * half / 3) + balls * (2 * r * r / 3 + half * half + half * r)) /
        area;
    return Solid{area, {across, across, along}};
  }
  return std::nullopt;
}

struct GeomShape {
  std::string type;
  Vec3 size{};  // half sizes
  Place place;
};

// size and fromto as half sizes and a place; none after an error.
std::optional<GeomShape> read_shape(const MjcfElement& geom) {
  GeomShape shape{geom.get("type", "sphere"), {}, geom.place()};
  if (geom.has("mesh") && !geom.xml().has("type") && geom.get("type").empty()) shape.type = "mesh";
  static const std::map<std::string, std::size_t> counts = {
      {"sphere", 1}, {"capsule", 2}, {"cylinder", 2}, {"box", 3}, {"ellipsoid", 3}};
  const auto count = counts.find(shape.type);
  if (count == counts.end()) return shape;
  const auto size = geom.numbers("size").value_or(std::vector<double>{});
  for (std::size_t k = 0; k < std::min<std::size_t>(3, size.size()); ++k) shape.size[k] = size[k];
  std::size_t needed = count->second;
  if (const auto ends = geom.numbers("fromto", 6)) {
    const Vec3 from{(*ends)[0], (*ends)[1], (*ends)[2]}, to{(*ends)[3], (*ends)[4], (*ends)[5]};
    const Vec3 d = from - to;  // MuJoCo's direction: z from the second point to the first
    const double whole = length(d);
    if (whole < 1e-14 || shape.type == "sphere") {
      geom.report(whole < 1e-14 ? "fromto: both points are the same" : "a sphere has no fromto");
      return std::nullopt;
    }
    shape.place = {make_frame_along((1 / whole) * d), 0.5 * (from + to)};
    if (needed == 2) {
      shape.size[1] = whole / 2;
    } else {
      shape.size[2] = whole / 2;
      shape.size[1] = shape.size[0];
    }
    needed = 1;
  }
  for (std::size_t k = 0; k < needed; ++k) {
    if (k < size.size() && size[k] > 0) continue;
    geom.report(fmt::format("size must be {} positive number{}", needed, needed == 1 ? "" : "s"));
    return std::nullopt;
  }
  return shape;
}

std::optional<Solid> make_solid(const MjcfElement& geom, const GeomShape& shape) {
  const Vec3& s = shape.size;
  if (geom.get("shellinertia") == "true") return make_shell(shape.type, s);
  if (shape.type == "sphere") return make_ellipsoid({s[0], s[0], s[0]});
  if (shape.type == "capsule") return make_capsule(s[0], s[1]);
  if (shape.type == "cylinder") return make_cylinder(s[0], s[1]);
  if (shape.type == "box") return make_box(s);
  if (shape.type == "ellipsoid") return make_ellipsoid(s);
  return std::nullopt;
}

// False where there is no such shape.
bool set_looks(const GeomShape& shape, Shape& looks) {
  const Vec3& s = shape.size;
  if (shape.type == "sphere") {
    looks.geometry = Sphere{s[0]};
  } else if (shape.type == "cylinder") {
    looks.geometry = Cylinder{s[0], 2 * s[1]};
  } else if (shape.type == "box") {
    looks.geometry = Box{{2 * s[0], 2 * s[1], 2 * s[2]}};
  } else {
    return false;
  }
  looks.position = shape.place.at;
  looks.orientation = to_quaternion(shape.place.turn);
  return true;
}

std::string name_of(const MjcfElement& geom, const ImportedBody& body) {
  const std::string name = geom.get("name", geom.get("mesh"));
  return name.empty() ? "of " + body.name : name;
}

// By mass, or by density.
void add_geom_mass(const MjcfElement& geom, const GeomShape& shape, MjcfBody& body) {
  const double given = geom.number("mass", -1.0), density = geom.number("density", default_density);
  if (given == 0.0 || (given < 0.0 && density == 0.0)) return;
  const auto solid = make_solid(geom, shape);
  if (!solid) {
    body.unknown_shapes.push_back(name_of(geom, body.body));
    return;
  }
  const double mass = given >= 0.0 ? given : density * solid->volume;
  Mat3 inertia{};
  for (std::size_t k = 0; k < 3; ++k) inertia[k][k] = mass * solid->moments[k];
  add_mass(body.from_geoms, mass, shape.place.at, turned(inertia, shape.place.turn));
}

}  // namespace

void read_mjcf_geom(const MjcfElement& geom, const Place& frame, MjcfBody& body,
                    const MjcfSource& source, ImportLog& log) {
  auto shape = read_shape(geom);
  if (!shape) return;
  shape->place = frame * shape->place;
  const int group = static_cast<int>(std::clamp(geom.number("group", 0), -1e6, 1e6));
  if (shape->type != "plane" && shape->type != "hfield" && group >= source.compiler.first_group &&
      group <= source.compiler.last_group) {
    add_geom_mass(geom, *shape, body);
  }
  if (geom.get("contype", "1") != "0" || geom.get("conaffinity", "1") != "0") {
    log.leave_out("contact", name_of(geom, body.body), "contact is not simulated");
  }
  if (group > 2) return;
  Shape looks;
  if (set_looks(*shape, looks)) {
    body.body.shapes.push_back(std::move(looks));
  } else {
    log.leave_out("look of kind " + shape->type, name_of(geom, body.body));
  }
}

void read_mjcf_inertial(const MjcfElement& inertial, MjcfBody& body) {
  const Place at = inertial.place();
  body.has_inertial = true;
  body.body.com = at.at;
  body.body.mass = inertial.number("mass", 0.0);
  if (!inertial.has("mass")) inertial.report("needs the attribute mass");
  if (const auto f = inertial.numbers("fullinertia", 6)) {
    const auto& m = *f;
    body.body.inertia =
        turned({{{m[0], m[3], m[4]}, {m[3], m[1], m[5]}, {m[4], m[5], m[2]}}}, at.turn);
  } else if (const auto d = inertial.numbers("diaginertia", 3)) {
    body.body.inertia = turned({{{(*d)[0], 0, 0}, {0, (*d)[1], 0}, {0, 0, (*d)[2]}}}, at.turn);
  } else {
    inertial.report("needs diaginertia or fullinertia");
  }
}

void finish_mjcf_mass(MjcfBody& body, const MjcfSource& source, bool moves, ImportLog& log) {
  using FromGeoms = MjcfCompiler::FromGeoms;
  const MjcfCompiler& compiler = source.compiler;
  ImportedBody& to = body.body;
  if (compiler.from_geoms == FromGeoms::always ||
      (compiler.from_geoms == FromGeoms::where_missing && !body.has_inertial)) {
    if (!body.unknown_shapes.empty() && moves) {
      log.report(
          to.source, to.name,
          "its mass comes from the mesh " + body.unknown_shapes.front() + ", which cannot be read",
          "give it an <inertial> element");
    }
    to.mass = body.from_geoms.mass;
    to.com = body.from_geoms.com;
    to.inertia = body.from_geoms.inertia;
  }
  if (!moves) return;
  to.mass = std::max(to.mass, compiler.bound_mass);
  if (compiler.bound_inertia <= 0.0 && !compiler.balance_inertia) return;
  Eigen::Matrix3d matrix;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      matrix(i, j) = to.inertia[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
    }
  }
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> axes(matrix);
  Eigen::Vector3d moments = axes.eigenvalues().cwiseMax(compiler.bound_inertia);
  if (compiler.balance_inertia && moments[0] + moments[1] < moments[2]) {
    moments.setConstant(moments.mean());
    log.change("balanced inertia", to.name, "the three moments replaced by their mean");
  }
  if (moments == axes.eigenvalues()) return;
  matrix = axes.eigenvectors() * moments.asDiagonal() * axes.eigenvectors().transpose();
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      to.inertia[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)] = matrix(i, j);
    }
  }
}

}  // namespace trammel::import
