// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Checks of one body: finite numbers, shapes, mass, and an inertia that a real body can have.
#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "model/check_geometry.hpp"
#include "model/check_parts.hpp"
#include "model/magnitude.hpp"
#include "model/mass_properties.hpp"
#include "model/name_table.hpp"

namespace trammel {
namespace {

// Allowed rounding of written moments, as a part of the largest one.
constexpr double inertia_tolerance = 1e-9;

std::string find_problem_off_plane(double z) {
  return z == 0.0 ? "" : fmt::format("must be 0 in a planar model, got {}", z);
}

class BodyCheck {
 public:
  BodyCheck(const Body& body, bool planar, std::size_t index, std::vector<Finding>& findings)
      : body_(body), planar_(planar), index_(index), findings_(findings) {}

  void run() {
    if (body_.name == ground) {
      add("", "'ground' is the name of the fixed body; choose another name");
    }
    check_vectors();
    check_frames();
    check_assembly();
    const bool shapes_ok = check_shapes();
    // 0 is a mass: that of a body whose motion the joints determine
    const bool massless = body_.mass && *body_.mass == 0.0;
    const std::string mass_problem = body_.mass ? find_problem_of_size(*body_.mass) : "";
    if (!mass_problem.empty()) {
      add("mass", mass_problem);
    } else if (check_sources() && shapes_ok && !(body_.mass && body_.inertia) && !massless) {
      check_calculated();
    }
    if (body_.inertia) check_inertia(*body_.inertia);
  }

 private:
  void check_assembly() {
    add_problem("assembly_weight", find_problem_of_positive(body_.assembly_weight));
    if (!body_.initial) return;
    const InitialState& start = *body_.initial;
    for (const std::string& problem :
         {find_problem(start.position), find_problem(start.orientation),
          find_problem(start.velocity), find_problem(start.angular_velocity)}) {
      if (!problem.empty()) return add("", "its initial state " + problem);
    }
  }

  void add(const std::string& field, const std::string& reason, const std::string& hint = {}) {
    findings_.push_back({Section::bodies, index_, field, reason, hint});
  }
  void add_problem(const std::string& field, const std::string& problem) {
    if (!problem.empty()) add(field, problem);
  }

  void check_vectors() {
    add_problem("position", find_problem(body_.position));
    add_problem("velocity", find_problem(body_.velocity));
    add_problem("angular_velocity", find_problem(body_.angular_velocity));
    check_orientation("orientation", body_.orientation);
  }

  void check_frames() {
    if (body_.com) {
      add_problem("com", find_problem(*body_.com));
      if (planar_) add_problem("com[2]", find_problem_off_plane((*body_.com)[2]));
    }
    check_frame_list(body_.frames, planar_, {Section::bodies, index_, "frames.", ""}, findings_);
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
    // mass or inertia come from the shapes: from those with a density, else from all
    const bool needed = !(body_.mass && body_.inertia) && body_.mass != 0.0;
    const bool all = needed && body_.mass && is_nothing_dense();
    for (std::size_t k = 0; k < body_.shapes.size(); ++k) {
      const Shape& shape = body_.shapes[k];
      const std::string field = body_.shapes.size() == 1 ? "shape" : fmt::format("shape[{}]", k);
      const bool is_solid = all || (needed && shape.density);
      check_geometry(shape, is_solid,
                     [&](const std::string& part, const std::string& problem,
                         const std::string& hint) { add(field + part, problem, hint); });
      if (shape.density) add_problem(field + ".density", find_problem_of_positive(*shape.density));
      add_problem(field + ".position", find_problem(shape.position));
      check_orientation(field + ".orientation", shape.orientation);
    }
    return findings_.size() == before;
  }

  bool is_nothing_dense() const {
    return std::none_of(body_.shapes.begin(), body_.shapes.end(),
                        [](const Shape& shape) { return shape.density.has_value(); });
  }

  // Mass and inertia must each come from somewhere.
  bool check_sources() {
    if (!body_.mass && is_nothing_dense()) {
      add("", "has no mass", "give mass and inertia, or a shape with a density");
      return false;
    }
    if (!body_.inertia && body_.shapes.empty() && body_.mass != 0.0) {
      add("", "has no inertia", "give inertia, or a shape");
      return false;
    }
    return true;
  }

  // What follows from the shapes must be as usable as what is given.
  void check_calculated() {
    const MassProperties properties = calc_mass_properties(body_);
    const auto check = [&](const char* what, double value) {
      const bool fits = value >= smallest_magnitude && value <= largest_magnitude;
      if (!fits) {
        add("shape", fmt::format("gives {} {:.6g}, which must be between {} and {}", what, value,
                                 smallest_magnitude, largest_magnitude));
      }
      return fits;
    };
    if (!body_.mass && !check("a mass of", properties.mass)) return;
    if (body_.inertia) return;
    for (std::size_t k = planar_ ? 2 : 0; k < 3; ++k) {
      if (!check("a moment of inertia of", properties.inertia[k][k])) return;
    }
  }

  void check_inertia(const Mat3& inertia) {
    if (planar_ && !(inertia[2][2] >= 0)) {
      return add("inertia", fmt::format("must not be negative, got {}", inertia[2][2]));
    }
    Eigen::Matrix3d matrix;
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) matrix(i, j) = inertia[i][j];
    }
    if (const std::string problem = find_problem(std::span(matrix.data(), 9)); !problem.empty()) {
      return add("inertia", problem);
    }
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
    if (moments[2] > 0 && moments[2] < smallest_magnitude) {
      return add("inertia", fmt::format("must be at least {}, has {}", smallest_magnitude, list));
    }
    if (moments[0] + moments[1] < moments[2] * (1 - inertia_tolerance)) {
      add("inertia", "impossible " + list + ": the largest exceeds the sum of the others");
    }
  }

  const Body& body_;
  bool planar_;
  std::size_t index_;
  std::vector<Finding>& findings_;
};

std::string find_name_problem(const std::string& name) {
  if (name == center_of_mass) return "'com' is the centre of mass; choose another name";
  if (name == "x" || name == "y" || name == "z") {
    return "'" + name + "' is an axis of the body; choose another name";
  }
  if (name.empty() || name.find('.') != std::string::npos) {
    return "the name of a frame must not be empty or contain a dot";
  }
  return {};
}

}  // namespace

std::string find_problem(const NamedFrame& frame, bool planar) {
  if (const std::string problem = find_problem(frame.position); !problem.empty()) return problem;
  const EulerParameters& q = frame.orientation;
  const double length = std::hypot(std::hypot(q[0], q[1]), std::hypot(q[2], q[3]));
  if (!(std::abs(length - 1) <= 1e-2)) {
    return fmt::format("its Euler parameters must have length 1, got {:.6g}", length);
  }
  if (planar && frame.position[2] != 0.0) return "must be in the plane z = 0 in a planar model";
  if (planar && !(std::hypot(q[1], q[2]) <= 1e-12)) {
    return "its axes must be rotated about z in a planar model";
  }
  return {};
}

void check_frame_list(const std::vector<NamedFrame>& frames, bool planar, const Finding& where,
                      std::vector<Finding>& findings) {
  const NameTable names(frames);
  const auto add = [&](const NamedFrame& frame, const std::string& reason) {
    if (reason.empty()) return;
    Finding finding = where;
    finding.field += frame.name;
    finding.reason = reason;
    findings.push_back(std::move(finding));
  };
  for (const NamedFrame& frame : frames) {
    add(frame, find_name_problem(frame.name));
    add(frame, find_problem(frame, planar));
  }
  for (const std::size_t k : names.repeated()) {
    add(frames[k], "the name '" + frames[k].name + "' is used twice");
  }
}

void check_body(const Model& model, std::size_t index, std::vector<Finding>& findings) {
  BodyCheck(model.bodies[index], model.dimension == 2, index, findings).run();
}

}  // namespace trammel
