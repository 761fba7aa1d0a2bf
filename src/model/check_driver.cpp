// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Checks of one driver.
#include <fmt/format.h>

#include <cmath>
#include <map>

#include "model/check_function.hpp"
#include "model/check_parts.hpp"
#include "model/coordinates.hpp"
#include "model/magnitude.hpp"
#include "model/name_table.hpp"

namespace trammel {
namespace {

// Joint and coordinate → the first driver that drives it.
using DrivenJoints = std::map<std::pair<std::ptrdiff_t, JointCoordinate>, std::size_t>;

class DriverCheck {
 public:
  DriverCheck(const Model& model, std::size_t index, const NameTable& bodies,
              const NameTable& joints, const ConstantTable& parameters, DrivenJoints& driven,
              std::vector<Finding>& findings)
      : model_(model),
        index_(index),
        bodies_(bodies),
        joints_(joints),
        parameters_(parameters),
        driven_(driven),
        findings_(findings) {}

  void operator()(const JointDriver& driver) {
    check_value(to_word(driver.coordinate) + std::string(driver.is_rate ? "_rate" : ""),
                driver.value);
    const auto found = find_joint(driver.joint, joints_, at("joint"), findings_);
    if (found < 0) return;
    const Joint& joint = model_.joints[static_cast<std::size_t>(found)];
    const std::string problem = calc_coordinate_problem(model_, joint, driver.coordinate);
    if (!problem.empty()) {
      add("joint", problem);
      findings_.back().joint = found;
      return;
    }
    const auto [first, is_new] = driven_.emplace(std::pair(found, driver.coordinate), index_);
    if (is_new) return;
    add("joint", fmt::format("the {} of '{}' is already driven by '{}'", to_word(driver.coordinate),
                             driver.joint, model_.drivers[first->second].name));
  }

  void operator()(const DistanceDriver& driver) {
    const std::string field = driver.is_rate ? "distance_rate" : "distance";
    const bool good = check_value(field, driver.value);
    const bool i = check_reference(driver.body_i, bodies_, at("bodies[0]"), findings_);
    const bool j = check_reference(driver.body_j, bodies_, at("bodies[1]"), findings_);
    if (i && j && driver.body_i == driver.body_j) {
      add("bodies", "must be two different bodies, got '" + driver.body_i + "' twice");
    }
    check_point("points[0]", driver.point_i);
    check_point("points[1]", driver.point_j);
    if (good && !driver.is_rate) {
      const double start = CompiledFunction(driver.value, "t", parameters_).evaluate(0.0).value;
      if (!(start >= smallest_magnitude)) {
        add(field, fmt::format("must be greater than 0, is {} at t = 0", start));
      }
    }
  }

  void operator()(const PointDriver& driver) {
    if (driver.body == ground) {
      add("body", "must be a moving body, not the ground");
    } else {
      check_reference(driver.body, bodies_, at("body"), findings_);
    }
    check_point("point", driver.point);
    const char* field = driver.is_rate ? "velocity" : "position";
    bool any = false;
    for (std::size_t k = 0; k < 3; ++k) {
      if (!driver.value[k]) continue;
      any = true;
      if (k == 2 && model_.dimension == 2) {
        add(fmt::format("{}[2]", field), "must be free in a planar model");
      } else {
        check_value(fmt::format("{}[{}]", field, k), *driver.value[k]);
      }
    }
    if (!any) add(field, "nothing is driven: all components are free");
  }

  void operator()(const FrameDriver& driver) {
    check_coupled_frames(model_, driver.frames, bodies_, at(""), findings_);
    bool any = driver.orientation.has_value();
    for (std::size_t k = 0; k < 3; ++k) {
      if (!driver.position[k]) continue;
      any = true;
      if (k == 2 && model_.dimension == 2) {
        add("position[2]", "must be free in a planar model");
      } else {
        check_value(fmt::format("position[{}]", k), *driver.position[k]);
      }
    }
    if (!any) add("position", "nothing is driven: all components are free");
    if (!driver.orientation) return;
    for (std::size_t k = 0; k < (model_.dimension == 2 ? 1 : 3); ++k) {
      check_value(fmt::format("orientation[{}]", k), (*driver.orientation)[k]);
    }
    check_tilt((*driver.orientation)[1]);
  }

 private:
  Finding at(const std::string& field) const { return {Section::drivers, index_, field, ""}; }
  void add(const std::string& field, const std::string& reason) {
    findings_.push_back({Section::drivers, index_, field, reason});
  }

  // The second angle as it starts; where it comes to a right angle later, the run stops.
  void check_tilt(const Function& angle) {
    if (model_.dimension == 2 || !findings_.empty()) return;
    const double start = CompiledFunction(angle, "t", parameters_).evaluate(0.0).value;
    if (std::abs(start) < 0.499 * 3.141592653589793) return;
    add("orientation[1]",
        fmt::format("must stay within a right angle, is {} rad at t = 0: choose another order",
                    start));
  }

  bool check_value(const std::string& field, const Function& function) {
    return check_function(model_, function, {"t", true}, parameters_, at(field), findings_);
  }

  void check_point(const std::string& field, const Vec3& v) {
    if (const std::string problem = find_problem(v); !problem.empty()) {
      add(field, problem);
    } else if (model_.dimension == 2 && v[2] != 0.0) {
      add(field + "[2]", fmt::format("must be 0 in a planar model, got {}", v[2]));
    }
  }

  const Model& model_;
  std::size_t index_;
  const NameTable& bodies_;
  const NameTable& joints_;
  const ConstantTable& parameters_;
  DrivenJoints& driven_;
  std::vector<Finding>& findings_;
};

}  // namespace

void check_drivers(const Model& model, const NameTable& bodies, const NameTable& joints,
                   std::size_t most, std::vector<Finding>& findings) {
  const ConstantTable parameters = make_constant_table(model);
  DrivenJoints driven;
  for (std::size_t i = 0; i < model.drivers.size() && findings.size() < most; ++i) {
    std::visit(DriverCheck(model, i, bodies, joints, parameters, driven, findings),
               model.drivers[i].law);
  }
}

}  // namespace trammel
