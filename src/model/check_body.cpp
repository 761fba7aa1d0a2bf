// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Checks of one body: finite numbers, shapes, mass, and an inertia that a real body can have.
#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "model/check_parts.hpp"
#include "model/mass_properties.hpp"

namespace trammel {
namespace {

// Allowed rounding of written moments, as a part of the largest one.
constexpr double inertia_tolerance = 1e-9;
// Allowed distance of the shapes' centre of mass from the origin, as a part of their size.
constexpr double center_tolerance = 1e-6;

template <std::size_t n>
bool is_finite(const std::array<double, n>& values) {
  for (const double x : values) {
    if (!std::isfinite(x)) return false;
  }
  return true;
}

// The shape's sizes, for "must be greater than 0".
std::vector<std::pair<const char*, double>> list_sizes(const Shape& shape) {
  if (const auto* box = std::get_if<Box>(&shape.geometry)) {
    return {{"box[0]", box->size[0]}, {"box[1]", box->size[1]}, {"box[2]", box->size[2]}};
  }
  if (const auto* cylinder = std::get_if<Cylinder>(&shape.geometry)) {
    return {{"cylinder.radius", cylinder->radius}, {"cylinder.length", cylinder->length}};
  }
  return {{"sphere", std::get<Sphere>(shape.geometry).radius}};
}

class BodyCheck {
 public:
  BodyCheck(const Body& body, bool planar, std::size_t index, std::vector<Finding>& findings)
      : body_(body), planar_(planar), index_(index), findings_(findings) {}

  void run() {
    if (body_.name == ground) {
      add("", "'ground' is the body that does not move; choose another name");
    }
    check_vectors();
    check_assembly();
    const bool shapes_ok = check_shapes();
    if (body_.mass && !(*body_.mass >= 0 && std::isfinite(*body_.mass))) {
      add("mass", fmt::format("must be 0 or greater, got {}", *body_.mass));
    } else if (check_sources() && shapes_ok) {
      if (!(body_.mass && body_.inertia)) check_center();
    }
    if (body_.inertia) check_inertia(*body_.inertia);
  }

 private:
  void check_assembly() {
    if (!(body_.assembly_weight > 0 && std::isfinite(body_.assembly_weight))) {
      add("assembly_weight",
          fmt::format("must be greater than 0, got {}", body_.assembly_weight));
    }
    if (!body_.initial) return;
    const InitialState& start = *body_.initial;
    if (!is_finite(start.position) || !is_finite(start.orientation) ||
        !is_finite(start.velocity) || !is_finite(start.angular_velocity)) {
      add("", "its initial state must be finite numbers");
    }
  }

  void add(const std::string& field, const std::string& reason, const std::string& hint = {}) {
    findings_.push_back({Section::bodies, index_, field, reason, hint});
  }

  void check_vectors() {
    const char* reason = "must be finite numbers";
    if (!is_finite(body_.position)) add("position", reason);
    if (!is_finite(body_.velocity)) add("velocity", reason);
    if (!is_finite(body_.angular_velocity)) add("angular_velocity", reason);
    check_orientation("orientation", body_.orientation);
  }

  bool check_orientation(const std::string& field, const EulerParameters& theta) {
    const double length =
        std::hypot(std::hypot(theta[0], theta[1]), std::hypot(theta[2], theta[3]));
    if (std::abs(length - 1) <= 1e-2) return true;
    add(field, fmt::format("Euler parameters must have length 1, got {:.6g}", length));
    return false;
  }

  bool check_shapes() {
    const std::size_t before = findings_.size();
    for (std::size_t k = 0; k < body_.shapes.size(); ++k) {
      const Shape& shape = body_.shapes[k];
      const std::string field = body_.shapes.size() == 1 ? "shape" : fmt::format("shape[{}]", k);
      for (const auto& [name, size] : list_sizes(shape)) {
        if (!(size > 0 && std::isfinite(size))) {
          add(field + "." + name, fmt::format("must be greater than 0, got {}", size));
        }
      }
      if (shape.density && !(*shape.density > 0 && std::isfinite(*shape.density))) {
        add(field + ".density", fmt::format("must be greater than 0, got {}", *shape.density));
      }
      if (!is_finite(shape.position)) add(field + ".position", "must be finite numbers");
      check_orientation(field + ".orientation", shape.orientation);
    }
    return findings_.size() == before;
  }

  // Mass and inertia must each come from somewhere.
  bool check_sources() {
    const bool dense = std::any_of(body_.shapes.begin(), body_.shapes.end(),
                                   [](const Shape& shape) { return shape.density.has_value(); });
    if (!body_.mass && !dense) {
      add("", "has no mass", "give mass and inertia, or a shape with a density");
      return false;
    }
    if (!body_.inertia && body_.shapes.empty() && body_.mass != 0.0) {
      add("", "has no inertia", "give inertia, or a shape");
      return false;
    }
    return true;
  }

  void check_center() {
    const ShapeProperties shapes = calc_shape_properties(body_.shapes);
    const auto& c = shapes.center;
    if (std::hypot(c[0], c[1], c[2]) <= center_tolerance * shapes.size) return;
    add("shape",
        fmt::format("the shapes' centre of mass is at ({:.6g}, {:.6g}, {:.6g}), but must be the "
                    "body's origin",
                    c[0], c[1], c[2]),
        "shift the shapes by the negative of that");
  }

  void check_inertia(const Mat3& inertia) {
    if (planar_ && !(inertia[2][2] >= 0)) {
      return add("inertia", fmt::format("must be 0 or greater, got {}", inertia[2][2]));
    }
    Eigen::Matrix3d matrix;
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) matrix(i, j) = inertia[i][j];
    }
    if (!matrix.allFinite()) return add("inertia", "must be finite numbers");
    const double scale = matrix.cwiseAbs().maxCoeff();
    if ((matrix - matrix.transpose()).cwiseAbs().maxCoeff() > inertia_tolerance * scale) {
      return add("inertia", "must be symmetric");
    }
    const Eigen::Matrix3d symmetric = (matrix + matrix.transpose()) / 2;
    const Eigen::Vector3d moments =
        Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(symmetric, Eigen::EigenvaluesOnly)
            .eigenvalues();
    const std::string list =
        fmt::format("principal moments {:.6g}, {:.6g}, {:.6g}", moments[0], moments[1], moments[2]);
    if (!(moments[0] >= -1e-14 * scale)) {
      return add("inertia", "must not have negative moments, has " + list);
    }
    if (moments[0] + moments[1] < moments[2] * (1 - inertia_tolerance)) {
      add("inertia", "no body has " + list + ": the largest exceeds the sum of the others");
    }
  }

  const Body& body_;
  bool planar_;
  std::size_t index_;
  std::vector<Finding>& findings_;
};

}  // namespace

void check_body(const Model& model, std::size_t index, std::vector<Finding>& findings) {
  BodyCheck(model.bodies[index], model.dimension == 2, index, findings).run();
}

}  // namespace trammel
