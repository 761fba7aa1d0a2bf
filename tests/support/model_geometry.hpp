// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Where the joints of a model are, in the frames of their bodies, worked out from what docs/reference/model_file.md says
// and independently of the library's own compiler; and how large its bodies are.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <trammel/trammel.hpp>
#include <variant>
#include <vector>

#include "support/curve_distance.hpp"
#include "support/moving_frame.hpp"

namespace trammel::test {

// What a joint is in the frames of its bodies. axis: what turns or slides goes along it, or it is the
// normal of a plane; side: a direction across that keeps the bodies from turning about the axis.
struct JointGeometry {
  Vector point_i = Vector::Zero(), point_j = Vector::Zero();
  Vector a_i = Vector::Zero(), b_i = Vector::Zero(), a_j = Vector::Zero(), b_j = Vector::Zero();
  Matrix attitude = Matrix::Identity();  // R_iᵀ R_j of the initial configuration
  double length = 0.0, angle = 0.0, offset = 0.0;
  Vector zero_i = Vector::Zero(), zero_j = Vector::Zero();  // parallel where the angle is 0
  double start_angle = 0.0, start_travel = 0.0, travel_of_start = 0.0;
};

// The geometry of a model as drawn: its joints in the frames of their bodies, and the sizes of bodies.
class ModelGeometry {
 public:
  explicit ModelGeometry(const Model& model);

  const Model& model() const { return model_; }
  // Of joint k, and of the constraints of a generic joint.
  const JointGeometry& joint(std::size_t k) const { return joints_[k]; }
  const JointGeometry& joint(const std::string& name) const {
    return joints_[joint_index_.at(name)];
  }
  const std::vector<JointGeometry>& constraints(std::size_t k) const { return constraints_[k]; }
  const CurveDistance& curve(const std::string& joint) const { return curves_.at(joint); }

  // The axis of a joint that turns or slides, in body j; 0 for others.
  Vector axis_j(const Joint& joint, const JointGeometry& g) const;

  double size_of_body(const std::string& body) const { return size_[index_.at(body)]; }
  // m, of the smaller of its bodies
  double size_of_joint(const Joint& joint) const;
  double size_of_joint(const std::string& name) const {
    return size_of_joint(model_.joints[joint_index_.at(name)]);
  }

  // A body at a recorded row.
  MovingFrame frame_of(const std::string& body, const Results& results, std::size_t row) const;

 private:
  using AnyPlacement = std::variant<LocalPlacement, WorldPlacement, FramePlacement>;

  MovingFrame drawn(const std::string& body) const;
  template <class Part>
  JointGeometry place_part(const Joint& joint, JointKind kind, const Part& part) const;
  JointGeometry place(const Joint& joint, JointKind kind, const AnyPlacement& placement,
                      const std::optional<double>& length) const;
  void set_axes(JointKind kind, const WorldPlacement& world, const MovingFrame& i,
                const MovingFrame& j, JointGeometry& g) const;
  void set_start(const Joint& joint, JointGeometry& g) const;
  void add_reach(const Joint& joint, const JointGeometry& g);
  void calc_sizes();
  double calc_extent() const;

  const Model& model_;
  std::map<std::string, std::size_t> index_, joint_index_;
  std::vector<JointGeometry> joints_;                    // [joints]
  std::vector<std::vector<JointGeometry>> constraints_;  // [joints], of generic ones
  std::map<std::string, CurveDistance> curves_;
  std::vector<double> size_;  // [bodies]
};

}  // namespace trammel::test
