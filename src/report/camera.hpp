// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The camera of a picture: a parallel projection, so that lengths can be compared, with the
// vertical against gravity.
//
//   x' = ⟨p, right⟩,  y' = ⟨p, up⟩,  depth = ⟨p, toward⟩ (larger is nearer)
#pragma once

#include <cmath>
#include <vector>

#include "math/euler_parameters.hpp"
#include "report/svg.hpp"
#include "trammel/picture.hpp"

namespace trammel {

using Vector = Vector3<double>;

inline Vector to_vector(const Vec3& v) { return {v[0], v[1], v[2]}; }
inline double length_of(const Vector& v) { return std::sqrt(dot(v, v)); }
inline Vector direction_of(const Vector& v) { return (1.0 / length_of(v)) * v; }
Vector any_normal_to(const Vector& unit);

// Where all bodies are at one time, recorded or interpolated.
struct Moment {
  double t = 0.0;
  std::vector<BodyState> bodies;
};

// Position and attitude of a body; the ground for ground_index.
struct Placement {
  Vector origin{};
  Matrix3<double> rotation = Matrix3<double>::identity();
  Vector at(const Vector& point) const { return origin + rotation * point; }
};
Placement find_placement(const Results& results, std::size_t row, int body);  // at an output time
Placement find_placement(const Moment& moment, int body);

struct Area {  // a rectangle of the picture, pixels
  double left, top, width, height;
};

class Camera {
 public:
  // Sees the mechanism at each of these moments and, where that is not much larger, all of its motion.
  Camera(const Results& results, const std::vector<Moment>& moments, const PictureOptions& options,
         const Area& frame);

  Pixel project(const Vector& point) const {
    return {centre_.x + scale_ * (dot(point, right_) - middle_x_),
            centre_.y - scale_ * (dot(point, up_) - middle_y_)};
  }
  double depth(const Vector& point) const { return dot(point, toward_); }
  double scale() const { return scale_; }  // pixels a metre
  const Vector& toward() const { return toward_; }
  const Vector& right() const { return right_; }
  const Vector& up() const { return up_; }
  const Vector& vertical() const { return vertical_; }
  double size() const { return size_; }             // m, of what is seen
  double floor() const { return floor_; }           // m, lowest point along the vertical
  const Vector& middle() const { return middle_; }  // of what is seen

 private:
  void choose_directions(const Results& results, const PictureOptions& options);
  void fit(const std::vector<Vector>& points, const Area& frame);

  Vector vertical_{}, right_{}, up_{}, toward_{}, middle_{};
  Pixel centre_{};
  double middle_x_ = 0.0, middle_y_ = 0.0, scale_ = 1.0, size_ = 1.0, floor_ = 0.0;
};

}  // namespace trammel
