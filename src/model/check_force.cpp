// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Checks of one force.
#include <fmt/format.h>

#include <cmath>

#include "model/check_parts.hpp"
#include "model/coordinates.hpp"
#include "model/described_force.hpp"
#include "model/law_problems.hpp"
#include "model/magnitude.hpp"
#include "model/name_table.hpp"
#include "model/state_names.hpp"

namespace trammel {
namespace {

// Empty for a symmetric matrix without negative eigenvalues. Rows are scaled by their diagonal
// first, so that newtons and newton metres do not mix; then LDLᵀ.
std::string find_matrix_problem(const Mat6& matrix) {
  constexpr double tolerance = 1e-9;
  Mat6 a = matrix;
  for (std::size_t r = 0; r < 6; ++r) {
    for (std::size_t c = 0; c < 6; ++c) {
      const double size = std::abs(matrix[r][c]) + std::abs(matrix[c][r]);
      if (std::abs(matrix[r][c] - matrix[c][r]) > tolerance * size) return "must be symmetric";
      const double scale = std::sqrt(std::abs(matrix[r][r])) * std::sqrt(std::abs(matrix[c][c]));
      if (scale > 0.0)
        a[r][c] /= scale;
      else if (a[r][c] != 0.0)
        return "must not have negative eigenvalues";
    }
  }
  for (std::size_t k = 0; k < 6; ++k) {
    if (a[k][k] < -tolerance) return "must not have negative eigenvalues";
    for (std::size_t r = k + 1; r < 6; ++r) {
      if (a[k][k] <= tolerance) {
        if (std::abs(a[r][k]) > std::sqrt(tolerance)) return "must not have negative eigenvalues";
        continue;
      }
      const double factor = a[r][k] / a[k][k];
      for (std::size_t c = k; c < 6; ++c) a[r][c] -= factor * a[k][c];
    }
  }
  return {};
}

class ForceCheck {
 public:
  ForceCheck(const Model& model, std::size_t index, const NameTable& bodies,
             const NameTable& joints, const ConstantTable& parameters,
             std::vector<Finding>& findings)
      : model_(model),
        index_(index),
        bodies_(bodies),
        joints_(joints),
        parameters_(parameters),
        findings_(findings) {}

  void operator()(const PointForce& force) {
    check_moving(force.body);
    check_vector("value", force.value);
    check_vector("point", force.point);
  }

  void operator()(const Torque& torque) {
    check_moving(torque.body);
    check_vector("value", torque.value);
  }

  void operator()(const RotationalDamper& damper) {
    const auto joint = find_joint(damper.joint, joints_, at("joint"), findings_);
    if (joint >= 0) {
      const JointKind kind = model_.joints[static_cast<std::size_t>(joint)].kind;
      if (kind != JointKind::revolute && kind != JointKind::cylindrical &&
          kind != JointKind::spherical) {
        add_of_kind(joint, "joint", "must be a revolute, cylindrical or spherical joint");
      } else if (kind != JointKind::spherical) {
        const std::string problem = calc_coordinate_problem(
            model_, model_.joints[static_cast<std::size_t>(joint)], JointCoordinate::angle);
        if (!problem.empty()) add_of_kind(joint, "joint", problem);
      }
    }
    check_positive("damping", damper.damping);
  }

  void operator()(const VariableForce& force) {
    check_moving(force.body);
    check_components(force.value);
    check_vector("point", force.point);
  }

  void operator()(const VariableTorque& torque) {
    check_moving(torque.body);
    check_components(torque.value);
  }

  void operator()(const NonlinearSpring& spring) {
    check_pair(spring.body_i, spring.body_j);
    check_vector("points[0]", spring.point_i);
    check_vector("points[1]", spring.point_j);
    check_positive("damping", spring.damping);
    if (spring.tension.has_value() == spring.energy.has_value()) {
      add("", "needs either 'tension' or 'energy'");
    } else if (spring.energy) {
      check_function(model_, *spring.energy, {"length", true, "an energy", false}, parameters_,
                     at("energy"), findings_);
    } else {
      check_state_function(*spring.tension, {"length", "rate"}, false, "tension");
    }
  }

  void operator()(const Bushing& bushing) {
    check_pair(bushing.body_i, bushing.body_j);
    if (bushing.at) check_vector("at", *bushing.at);
    check_vector("points[0]", bushing.point_i);
    check_vector("points[1]", bushing.point_j);
    check_matrix("stiffness", bushing.stiffness);
    check_matrix("damping", bushing.damping);
  }

  // ---- forces that describe themselves: *this visits their fields

  template <DescribedForce Law>
  void operator()(const Law& law) {
    Law::fields(law, *this);
    for (const LawProblem& problem : find_law_problems(law, model_)) {
      add(problem.key, problem.reason);
    }
  }
  void body(const ForceField& field, const std::string& name) {
    check_moving(name, std::string(field.key));
  }
  void bodies(const ForceField& field, const std::string& i, const std::string& j,
              BodyJ kind = BodyJ::any) {
    check_pair(i, j, std::string(field.key));
    if (kind == BodyJ::moves && j == ground) {
      add(std::string(field.key) + "[1]", "must be a moving body, not the ground");
    }
  }
  void points(const ForceField& field, const Vec3& i, const Vec3& j) {
    add_problem(std::string(field.key) + "[0]", find_problem(i));
    add_problem(std::string(field.key) + "[1]", find_problem(j));
  }
  void point(const ForceField& field, const Vec3& p) { vector(field, p); }
  void vector(const ForceField& field, const Vec3& v) {
    add_problem(std::string(field.key), find_problem(v));
  }
  void size(const ForceField& field, double x) {
    add_problem(std::string(field.key), find_problem_of_size(x));
  }
  void positive(const ForceField& field, double x) {
    add_problem(std::string(field.key), find_problem_of_positive(x));
  }
  void size(const ForceField& field, const std::optional<double>& x) {
    if (x) size(field, *x);
  }
  void positive(const ForceField& field, const std::optional<double>& x) {
    if (x) positive(field, *x);
  }
  void number(const ForceField& field, double x) {
    add_problem(std::string(field.key), find_problem(x));
  }
  void range(const ForceField& field, const std::optional<Range>& range) {
    if (range)
      add_problem(std::string(field.key), find_problem_of_range(range->least, range->most));
  }
  void choice(const ForceField&, const std::array<std::string_view, 2>&, bool) {}
  void joint(const std::string& name, const std::optional<JointCoordinate>& coordinate) {
    own_ = {};
    const auto index = find_joint(name, joints_, at("joint"), findings_);
    if (index < 0) return;
    const Joint& joint = model_.joints[static_cast<std::size_t>(index)];
    const auto has = list_coordinates(joint.kind, model_.dimension == 2);
    if (has.empty()) {
      return add_of_kind(index, "joint", "the joint '" + joint.name + "' has no coordinate");
    }
    if (coordinate || joint.body_i == joint.body_j) {
      const std::string problem =
          calc_coordinate_problem(model_, joint, coordinate.value_or(has.front()));
      if (!problem.empty()) {
        return add_of_kind(index, coordinate ? "coordinate" : "joint", problem);
      }
    } else if (has.size() > 1) {
      return add("joint", fmt::format("the joint '{}' has more than one coordinate: add "
                                      "coordinate: {} or {}",
                                      joint.name, to_word(has[0]), to_word(has[1])));
    }
    own_ = {to_word(coordinate.value_or(has.front())), "rate"};
  }
  void along(const Along& path) {
    if (!path.joint.empty()) return joint(path.joint, path.coordinate);
    check_pair(path.body_i, path.body_j);
    points({"points", ""}, path.point_i, path.point_j);
    own_ = {"length", "rate"};
  }
  // Functions of a coordinate that there is not are not looked at.
  template <class Law>
  void load(const ForceField& field, const Law& law) {
    const Function* function = find(law);
    if (function == nullptr || own_.empty()) return;
    check_state_function(*function, own_, false, std::string(field.key));
  }
  void energy(const ForceField& field, const std::optional<Function>& law) {
    if (!law || own_.empty()) return;
    check_function(model_, *law, {own_.front(), true, "an energy", false}, parameters_,
                   at(std::string(field.key)), findings_);
  }

 private:
  Finding at(const std::string& field) const { return {Section::forces, index_, field, ""}; }
  void add(const std::string& field, const std::string& reason) {
    findings_.push_back({Section::forces, index_, field, reason});
  }
  void add_problem(const std::string& field, const std::string& problem) {
    if (!problem.empty()) add(field, problem);
  }
  // Follows from the kind of a joint.
  void add_of_kind(std::ptrdiff_t joint, const std::string& field, const std::string& reason) {
    add(field, reason);
    findings_.back().joint = joint;
  }

  void check_pair(const std::string& body_i, const std::string& body_j,
                  const std::string& field = "bodies") {
    const bool i = check_reference(body_i, bodies_, at(field + "[0]"), findings_);
    const bool j = check_reference(body_j, bodies_, at(field + "[1]"), findings_);
    if (i && j && body_i == body_j) add(field, "connects '" + body_i + "' to itself");
  }

  void check_components(const std::array<Function, 3>& value) {
    for (std::size_t k = 0; k < 3; ++k) {
      check_state_function(value[k], {}, true, "value[" + std::to_string(k) + "]");
    }
  }

  // A formula of the state and of `own`; a table is one of time, or of the first of `own`.
  void check_state_function(const Function& function, const std::vector<std::string>& own,
                            bool of_time, const std::string& field) {
    if (const Formula* formula = std::get_if<Formula>(&function.form)) {
      check_state_formula(*formula, own, {model_, bodies_, joints_, parameters_}, at(field),
                          findings_);
    } else {
      check_function(model_, function, {of_time ? "t" : own.front(), false}, parameters_, at(field),
                     findings_);
    }
  }

  void check_matrix(const char* field, const Mat6& matrix) {
    for (const auto& row : matrix) {
      if (const std::string problem = find_problem(row); !problem.empty()) {
        return add(field, problem);
      }
    }
    const std::string reason = find_matrix_problem(matrix);
    if (!reason.empty()) add(field, reason);
  }

  void check_moving(const std::string& body, const std::string& field = "body") {
    if (body == ground) {
      add(field, "must be a moving body, not the ground");
    } else {
      check_reference(body, bodies_, at(field), findings_);
    }
  }

  void check_vector(const char* field, const Vec3& v) { add_problem(field, find_problem(v)); }

  void check_positive(const char* field, double value) {
    add_problem(field, find_problem_of_size(value));
  }

  const Model& model_;
  std::size_t index_;
  const NameTable& bodies_;
  const NameTable& joints_;
  const ConstantTable& parameters_;
  std::vector<Finding>& findings_;
  std::vector<std::string> own_;  // names of the coordinate or length, and of its rate
};

}  // namespace

void check_force(const Model& model, std::size_t index, const NameTable& bodies,
                 const NameTable& joints, const ConstantTable& parameters,
                 std::vector<Finding>& findings) {
  std::visit(ForceCheck(model, index, bodies, joints, parameters, findings),
             model.forces[index].law);
}

}  // namespace trammel
