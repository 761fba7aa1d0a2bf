// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
#include "report/camera.hpp"

#include <algorithm>
#include <limits>

#include "math/shape_bounds.hpp"

namespace trammel {
namespace {

constexpr double degree = 0.017453292519943295;
constexpr std::size_t most_samples = 200;  // of the motion

// Corners of the boxes around all shapes, and the ends of joints and springs.
// place(b): where body b is.
template <class Place>
void add_points(const Scene& scene, const Place& place, std::vector<Vector>& points) {
  for (std::size_t b = 0; b < scene.bodies.size(); ++b) {
    const Placement body = place(static_cast<int>(b));
    for (const Shape& shape : scene.bodies[b].shapes) {
      const Matrix3<double> turn = calc_rotation(shape.orientation.data());
      const auto [low, high] = calc_bounds(shape);
      for (int corner = 0; corner < 8; ++corner) {
        const Vector at = {(corner & 1 ? high : low)[0], (corner & 2 ? high : low)[1],
                           (corner & 4 ? high : low)[2]};
        points.push_back(body.at(to_vector(shape.position) + turn * at));
      }
    }
  }
  const auto add_ends = [&](const auto& part) {
    points.push_back(place(part.body_i).at(to_vector(part.point_i)));
    points.push_back(place(part.body_j).at(to_vector(part.point_j)));
  };
  for (const SceneForce& force : scene.forces) {
    if (force.shape == ActionShape::line) add_ends(force);
  }
  for (const SceneJoint& joint : scene.joints) {
    // the point of a sliding joint may be anywhere on its line
    if (joint.kind != "translational" && joint.kind != "cylindrical") add_ends(joint);
  }
}

std::vector<Vector> sample_motion(const Results& results) {
  std::vector<Vector> points;
  const std::size_t step = std::max<std::size_t>(1, results.time.size() / most_samples);
  for (std::size_t row = 0; row < results.time.size(); row += step) {
    add_points(
        results.scene, [&](int body) { return find_placement(results, row, body); }, points);
  }
  return points;
}

struct Range {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();
  void add(double x) {
    low = std::min(low, x);
    high = std::max(high, x);
  }
  double size() const { return high - low; }
  double middle() const { return 0.5 * (low + high); }
};

Range calc_range(const std::vector<Vector>& points, const Vector& along) {
  Range range;
  for (const Vector& point : points) range.add(dot(point, along));
  return range;
}

double calc_diameter(const std::vector<Vector>& points) {
  const double x = calc_range(points, {1, 0, 0}).size(), y = calc_range(points, {0, 1, 0}).size(),
               z = calc_range(points, {0, 0, 1}).size();
  return std::sqrt(x * x + y * y + z * z);
}

}  // namespace

Vector any_normal_to(const Vector& unit) {
  const Vector other = std::abs(unit.x) < 0.7 ? Vector{1, 0, 0} : Vector{0, 1, 0};
  return direction_of(cross(unit, other));
}

Placement find_placement(const Results& results, std::size_t row, int body) {
  if (body == ground_index) return {};
  const std::size_t at = row * results.body_names.size() + static_cast<std::size_t>(body);
  return {Vector::load(&results.position[3 * at]), calc_rotation(&results.orientation[4 * at])};
}

Placement find_placement(const Moment& moment, int body) {
  if (body == ground_index) return {};
  const BodyState& state = moment.bodies[static_cast<std::size_t>(body)];
  return {to_vector(state.position), calc_rotation(state.orientation.data())};
}

Camera::Camera(const Results& results, const std::vector<Moment>& moments,
               const PictureOptions& options, const Area& frame) {
  choose_directions(results, options);
  std::vector<Vector> now;
  for (const Moment& moment : moments) {
    add_points(
        results.scene, [&](int body) { return find_placement(moment, body); }, now);
  }
  if (now.empty()) now.push_back({});
  // a body that flies away must not make the picture empty
  constexpr double most = 2.5;
  const std::vector<Vector> motion = sample_motion(results);
  fit(calc_diameter(motion) <= most * calc_diameter(now) ? motion : now, frame);
}

// The vertical is against gravity (y in a planar model, z without gravity). Of the horizontal axes
// of the world the one with most motion runs across the picture, seen from 35° to its side.
void Camera::choose_directions(const Results& results, const PictureOptions& options) {
  const Vector gravity = to_vector(results.scene.gravity);
  const bool planar = results.scene.dimension == 2;
  vertical_ = planar                     ? Vector{0, 1, 0}
              : length_of(gravity) > 0.0 ? direction_of(-gravity)
                                         : Vector{0, 0, 1};
  Vector across = {1, 0, 0};
  if (!planar) {
    const std::vector<Vector> motion = sample_motion(results);
    double widest = -1.0;
    for (const Vector& axis : {Vector{1, 0, 0}, Vector{0, 1, 0}, Vector{0, 0, 1}}) {
      const Vector level = axis - dot(axis, vertical_) * vertical_;
      if (length_of(level) < 0.6) continue;
      const double width = motion.empty() ? 0.0 : calc_range(motion, direction_of(level)).size();
      if (width > 1.05 * widest) {
        widest = width;
        across = direction_of(level);
      }
    }
  }
  const double azimuth = options.azimuth.value_or(planar ? 0.0 : 35.0 * degree);
  const double elevation = options.elevation.value_or(planar ? 0.0 : 20.0 * degree);
  const Vector front = cross(across, vertical_);
  const Vector level = std::cos(azimuth) * front + std::sin(azimuth) * across;
  toward_ = std::cos(elevation) * level + std::sin(elevation) * vertical_;
  right_ = cross(vertical_, level);
  up_ = cross(toward_, right_);
}

void Camera::fit(const std::vector<Vector>& points, const Area& frame) {
  const Range x = calc_range(points, right_), y = calc_range(points, up_);
  size_ = std::max({x.size(), y.size(), 1e-9});
  floor_ = calc_range(points, vertical_).low;
  middle_ = {calc_range(points, {1, 0, 0}).middle(), calc_range(points, {0, 1, 0}).middle(),
             calc_range(points, {0, 0, 1}).middle()};
  constexpr double margin = 1.08;
  scale_ = std::min(frame.width / std::max(margin * x.size(), 1e-3 * size_),
                    frame.height / std::max(margin * y.size(), 1e-3 * size_));
  middle_x_ = x.middle();
  middle_y_ = y.middle();
  centre_ = {frame.left + 0.5 * frame.width, frame.top + 0.5 * frame.height};
}

}  // namespace trammel
