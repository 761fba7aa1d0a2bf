// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// URDF: mass and looks of a link.
#include <fmt/format.h>

#include "import/urdf.hpp"

namespace trammel::import {

// The moments are given about the centre of mass, in the axes of the inertial frame, which may be turned.
void read_inertial(const XmlElement& link, ImportedBody& body, ImportLog& log) {
  const XmlElement inertial = link.child("inertial");
  if (!inertial) return;
  const XmlElement origin = inertial.child("origin"), mass = inertial.child("mass"),
                   inertia = inertial.child("inertia");
  const Place at = origin ? read_origin(origin, log) : Place{};
  body.com = at.at;
  if (mass) {
    body.mass = mass.number("value", log).value_or(0.0);
    if (body.mass < 0.0) {
      log.report(mass.place(), mass.path(),
                 fmt::format("the mass must not be negative, got {}", body.mass));
    }
  }
  if (!inertia) return;
  const auto get = [&](const char* key) { return inertia.number(key, log).value_or(0.0); };
  const double xx = get("ixx"), xy = get("ixy"), xz = get("ixz"), yy = get("iyy"), yz = get("iyz"),
               zz = get("izz");
  body.inertia = turned(Mat3{{{xx, xy, xz}, {xy, yy, yz}, {xz, yz, zz}}}, at.turn);
}

namespace {

// False where the geometry is not one of these.
bool read_geometry(const XmlElement& geometry, Shape& shape, ImportLog& log) {
  if (const XmlElement box = geometry.child("box")) {
    const auto size = box.vector("size", log);
    if (size) shape.geometry = Box{*size};
    return size.has_value();
  }
  if (const XmlElement cylinder = geometry.child("cylinder")) {
    shape.geometry = Cylinder{cylinder.number("radius", log).value_or(0.0),
                              cylinder.number("length", log).value_or(0.0)};
    return true;
  }
  if (const XmlElement sphere = geometry.child("sphere")) {
    shape.geometry = Sphere{sphere.number("radius", log).value_or(0.0)};
    return true;
  }
  return false;
}

}  // namespace

void read_visuals(const XmlElement& link, ImportedBody& body, ImportLog& log) {
  for (const XmlElement& visual : link.children("visual")) {
    const XmlElement geometry = visual.child("geometry"), origin = visual.child("origin");
    const Place at = origin ? read_origin(origin, log) : Place{};
    Shape shape;
    shape.position = at.at;
    shape.orientation = to_quaternion(at.turn);
    if (geometry && read_geometry(geometry, shape, log)) {
      body.shapes.push_back(std::move(shape));
    } else if (geometry && geometry.child("mesh")) {
      log.leave_out("mesh", geometry.child("mesh").get("filename"), "looks only");
    } else {
      log.leave_out("visual without a shape", body.name);
    }
  }
  if (!link.children("collision").empty()) {
    log.leave_out("contact shapes", body.name, "contact is not simulated");
  }
}

}  // namespace trammel::import
