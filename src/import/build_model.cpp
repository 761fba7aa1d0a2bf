// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// ImportedMechanism → Model: bodies keep the frames that the file gives them.
#include <algorithm>
#include <cmath>

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
    name_frames();
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
    if (!from.curve.empty()) joint.curve = Curve{from.curve, true};
    if (from.armature != 0.0) joint.armature.push_back({{}, tidy(from.armature, 0.0)});
    const auto [frame_i, frame_j] = make_frames(from);
    joint.placement = FramePlacement{name_frame(joint.body_i, from.name, frame_i),
                                     name_frame(joint.body_j, from.name, frame_j)};
  }

  // What the axes of frames mean in a model (model/frame_axes.hpp), and where the coordinates are 0: the
  // angle where x is parallel to x, the travel where the origins are level.
  static std::pair<Place, Place> make_frames(const ImportedJoint& from) {
    static constexpr Mat3 x_from_z{{{0, 1, 0}, {0, 0, 1}, {1, 0, 0}}};  // x of the new along z
    static constexpr Mat3 y_from_z{{{0, 0, 1}, {1, 0, 0}, {0, 1, 0}}};  // y of the new along z
    Place i = from.frame_i, j = from.frame_j;
    switch (from.kind) {
      case JointKind::spherical:
      case JointKind::distance:
      case JointKind::universal_spherical: i.turn = j.turn = identity; break;
      case JointKind::universal:
        i.turn = i.turn * x_from_z;
        j.turn = j.turn * y_from_z;
        break;
      case JointKind::line_in_plane: j.turn = j.turn * x_from_z; break;
      default: break;
    }
    if (from.angle != 0.0) j.turn = j.turn * make_rotation({0, 0, 1}, from.angle);
    if (from.travel != 0.0) i.at = i * Vec3{0, 0, -from.travel};
    return {i, j};
  }

  // The frame of a body, which is made unless it is that of the body itself.
  NamedFrame name_frame(const std::string& body, const std::string& wanted, const Place& place) {
    NamedFrame frame{"", tidy(place.at, size_), tidy_unit(to_quaternion(place.turn))};
    if (frame.orientation[0] < 0.0) {
      for (double& x : frame.orientation) x = x == 0.0 ? 0.0 : -x;
    }
    if (frame.position == Vec3{} && frame.orientation == EulerParameters{1, 0, 0, 0}) return frame;
    auto& frames = body == ground ? model_.ground_frames : body_of(body).frames;
    const std::string stem = wanted == center_of_mass ? wanted + "_" : wanted;
    frame.name = stem;
    const auto is_taken = [&] {
      return std::any_of(frames.begin(), frames.end(),
                         [&](const NamedFrame& other) { return other.name == frame.name; });
    };
    for (int k = 2; is_taken(); ++k) frame.name = stem + "_" + std::to_string(k);
    frames.push_back(frame);
    return frame;
  }
  Body& body_of(const std::string& name) {
    return *std::find_if(model_.bodies.begin(), model_.bodies.end(),
                         [&](const Body& body) { return body.name == name; });
  }

  // Frames of couplers and drivers get names, too.
  void name_frames() {
    const auto give = [&](const std::string& part, CoupledFrames& frames) {
      const auto place = [](const NamedFrame& frame) {
        return Place{from_quaternion(frame.orientation), frame.position};
      };
      frames.frame_i = name_frame(frames.body_i, part, place(frames.frame_i));
      frames.frame_j = name_frame(frames.body_j, part, place(frames.frame_j));
    };
    for (Coupler& coupler : model_.couplers) {
      std::visit(
          [&](auto& law) {
            if constexpr (requires { law.pitch; }) {
              give(coupler.name, law.frames);
            } else if constexpr (requires { law.frames; }) {
              if (law.frames) give(coupler.name, *law.frames);
            }
          },
          coupler.law);
    }
    for (Driver& driver : model_.drivers) {
      if (auto* law = std::get_if<FrameDriver>(&driver.law)) give(driver.name, law->frames);
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
