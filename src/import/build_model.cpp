// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// ImportedMechanism → Model: bodies keep the frames that the file gives them.
#include <cmath>
#include <numbers>

#include "import/mechanism.hpp"

namespace trammel::import {
namespace {

// Without the rounding of the conversion: 0.30000000000000004 becomes 0.3, 6e-17 of a metre 0.
double tidy(double x, double scale) {
  if (!std::isfinite(x)) return x;
  if (std::abs(x) < 1e-16 * scale) return 0.0;
  char text[40];
  std::snprintf(text, sizeof text, "%.14g", x);
  const double rounded = std::strtod(text, nullptr);
  return std::abs(rounded - x) <= 4e-16 * std::abs(x) ? rounded : x;
}
Vec3 tidy(Vec3 v, double scale) {
  for (double& x : v) x = tidy(x, scale);
  return v;
}
// The components of unit vectors and quaternions.
template <class List>
List tidy_unit(List v) {
  for (double& x : v) {
    if (std::abs(x) < 2e-16) x = 0.0;
    if (std::abs(std::abs(x) - 1) < 3e-16) x = x < 0 ? -1.0 : 1.0;
  }
  return v;
}

double tidy_angle(double x) { return std::abs(x) < 1e-15 ? 0.0 : tidy(x, 1.0); }

class Builder {
 public:
  Builder(const ImportedMechanism& mechanism, std::map<std::string, SourcePlace>& sources)
      : mechanism_(mechanism), sources_(sources) {}

  Model build() {
    model_.name = mechanism_.name;
    model_.gravity = mechanism_.gravity;
    model_.simulation = mechanism_.simulation;
    measure();
    for (const ImportedBody& body : mechanism_.bodies) {
      if (!body.is_gone) add(body);
    }
    for (const ImportedJoint& joint : mechanism_.joints) {
      if (!joint.is_gone) add(joint);
    }
    for (const ImportedFrame& frame : mechanism_.frames) add(frame);
    model_.couplers = mechanism_.couplers;
    model_.drivers = mechanism_.drivers;
    model_.forces = mechanism_.forces;
    return std::move(model_);
  }

 private:
  const ImportedBody* find(int body) const {
    return body == ground_body ? nullptr : &mechanism_.bodies[static_cast<std::size_t>(body)];
  }
  std::string name_of(int body) const { return body == ground_body ? ground : find(body)->name; }

  void measure() {
    for (const ImportedJoint& joint : mechanism_.joints) {
      if (joint.is_gone) continue;
      size_ = std::max({size_, length(joint.frame_i.at), length(joint.frame_j.at)});
    }
  }

  void add(const ImportedBody& from) {
    Body& body = model_.bodies.emplace_back();
    body.name = from.name;
    sources_["bodies." + from.name] = from.source;
    body.mass = tidy(from.mass, 0.0);
    body.inertia = from.inertia;
    double largest = 0.0;
    for (const Vec3& row : from.inertia) largest = std::max(largest, length(row));
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = 0; j < 3; ++j) {
        const double mean = 0.5 * (from.inertia[i][j] + from.inertia[j][i]);
        (*body.inertia)[i][j] = tidy(mean, largest);
      }
    }
    body.com = tidy(from.com, size_);
    body.position = tidy(from.place.at, size_);
    body.orientation = tidy_unit(to_quaternion(from.place.turn));
    body.velocity = tidy(from.velocity, 1.0);
    body.angular_velocity = tidy(transposed(from.place.turn) * from.angular_velocity, 1.0);
    for (Shape shape : from.shapes) {
      shape.position = tidy(shape.position, size_);
      shape.orientation = tidy_unit(shape.orientation);
      body.shapes.push_back(std::move(shape));
    }
  }

  void add(const ImportedJoint& from) {
    Joint& joint = model_.joints.emplace_back();
    joint.name = from.name;
    sources_["joints." + from.name] = from.source;
    joint.kind = from.kind;
    joint.body_i = name_of(from.body_i);
    joint.body_j = name_of(from.body_j);
    joint.length = from.length;
    joint.angle = from.axes_angle;
    joint.pitch = from.pitch;
    LocalPlacement place;
    place.point_i = tidy(from.frame_i.at, size_);
    place.point_j = tidy(from.frame_j.at, size_);
    set_vectors(from, place);
    joint.placement = place;
    set_start(from, joint);
  }

  static void set_vectors(const ImportedJoint& from, LocalPlacement& place) {
    const auto i = [&](int k) { return tidy_unit(column(from.frame_i.turn, k)); };
    const auto j = [&](int k) { return tidy_unit(column(from.frame_j.turn, k)); };
    switch (from.kind) {
      case JointKind::revolute:
      case JointKind::cylindrical:
      case JointKind::screw:
      case JointKind::parallel_axes: place.a_i = i(0), place.b_i = i(1), place.a_j = j(2); break;
      case JointKind::translational:
      case JointKind::fixed:
      case JointKind::orientation:
        place.a_i = i(0), place.b_i = i(1), place.a_j = j(2), place.b_j = j(1);
        break;
      case JointKind::constant_velocity:  // straight where the frames coincide
        place.a_i = i(0), place.b_i = i(1), place.a_j = j(0), place.b_j = j(1);
        break;
      case JointKind::universal:
      case JointKind::line_in_plane:
      case JointKind::angle:
      case JointKind::perpendicular: place.a_i = i(2), place.a_j = j(2); break;
      case JointKind::revolute_cylindrical:
      case JointKind::revolute_revolute:
      case JointKind::planar: place.a_i = i(2), place.a_j = j(0), place.b_j = j(1); break;
      case JointKind::cylindrical_spherical:
      case JointKind::point_in_plane: place.a_i = i(2); break;
      case JointKind::point_on_line: place.a_i = i(0), place.b_i = i(1); break;
      default: break;
    }
  }

  // The joint's coordinates at the start: from x to x about z, along z.
  void set_start(const ImportedJoint& from, Joint& joint) const {
    const bool turns = from.kind == JointKind::revolute || from.kind == JointKind::cylindrical ||
                       from.kind == JointKind::screw;
    const bool slides = from.kind == JointKind::translational ||
                        from.kind == JointKind::cylindrical || from.kind == JointKind::screw;
    const Place between = inverse(mechanism_.place_of(from.body_i) * from.frame_i) *
                          (mechanism_.place_of(from.body_j) * from.frame_j);
    if (turns) {
      const Vec3 x = column(between.turn, 0);
      double angle = from.angle + std::atan2(x[1], x[0]);
      if (from.start_near) {
        const double turn = 2 * std::numbers::pi;
        angle += turn * std::round((*from.start_near - angle) / turn);
      }
      angle = tidy_angle(angle);
      if (angle != 0.0) joint.start_angle = angle;
    }
    if (slides) {
      const double travel = tidy(from.travel + between.at[2], size_);
      if (travel != 0.0) joint.start_travel = travel;
    }
  }

  void add(const ImportedFrame& frame) {
    if (frame.body == ground_body) return;
    model_.points.push_back({frame.name, name_of(frame.body), tidy(frame.place.at, size_)});
  }

  const ImportedMechanism& mechanism_;
  std::map<std::string, SourcePlace>& sources_;
  Model model_;
  double size_ = 0.0;  // m, of the mechanism
};

}  // namespace

Model build_model(const ImportedMechanism& mechanism, std::map<std::string, SourcePlace>& sources) {
  return Builder(mechanism, sources).build();
}

}  // namespace trammel::import
