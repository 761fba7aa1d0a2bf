// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// check_model: names, references, and then each part by itself.
#include <fmt/format.h>

#include <cmath>

#include "math/nearest_word.hpp"
#include "model/check_function.hpp"
#include "model/check_parts.hpp"
#include "model/magnitude.hpp"
#include "model/name_table.hpp"
#include "trammel/checked_model.hpp"

namespace trammel {
namespace {

constexpr std::size_t longest_name = 200;  // bytes

const char* to_word(Section section) {
  switch (section) {
    case Section::bodies: return "bodies";
    case Section::joints: return "joints";
    case Section::couplers: return "couplers";
    case Section::drivers: return "drivers";
    case Section::forces: return "forces";
    case Section::tables: return "tables";
    case Section::states: return "states";
    case Section::events: return "events";
    case Section::points: return "points";
    case Section::outputs: return "outputs";
    case Section::simulation: return "simulation";
    case Section::model: break;
  }
  return "";
}

std::string calc_name_problem(const std::string& name) {
  if (name.empty()) return "a name must not be empty";
  if (name.size() > longest_name) {
    return "a name must not be longer than " + std::to_string(longest_name) + " bytes";
  }
  for (const char c : name) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) {
      return "a name must not contain control characters";
    }
  }
  return {};
}

template <class Part>
void check_names(const std::vector<Part>& parts, Section section, const NameTable& names,
                 std::size_t most, std::vector<Finding>& findings) {
  for (std::size_t i = 0; i < parts.size() && findings.size() < most; ++i) {
    const std::string& name = parts[i].name;
    if (const auto problem = calc_name_problem(name); !problem.empty()) {
      findings.push_back({section, i, "", problem});
    }
  }
  for (const std::size_t i : names.repeated()) {
    if (findings.size() >= most) return;
    findings.push_back({section, i, "", "the name '" + parts[i].name + "' is used twice"});
  }
}

}  // namespace

std::string NameTable::calc_hint(std::string_view wanted) const {
  NearestWord nearest(wanted);
  for (const auto name : names_) nearest.offer(name);
  return nearest.hint();
}

bool check_reference(const std::string& name, const NameTable& bodies, Finding where,
                     std::vector<Finding>& findings) {
  if (name == ground || bodies.find(name) >= 0) return true;
  where.reason = "there is no body '" + name + "'";
  where.hint = bodies.calc_hint(name);
  where.about_reference = true;
  findings.push_back(std::move(where));
  return false;
}

std::ptrdiff_t find_joint(const std::string& name, const NameTable& joints, Finding where,
                          std::vector<Finding>& findings) {
  const std::ptrdiff_t index = joints.find(name);
  if (index >= 0) return index;
  where.reason = "there is no joint '" + name + "'";
  where.hint = joints.calc_hint(name);
  where.about_reference = true;
  findings.push_back(std::move(where));
  return index;
}

std::string calc_path(const Model& model, const Finding& finding) {
  const bool is_switch =
      finding.section == Section::states && model.states[finding.index].is_switch;
  std::string path = is_switch ? "switches" : to_word(finding.section);
  const auto add = [&](const std::string& part) { path += (path.empty() ? "" : ".") + part; };
  if (finding.section == Section::bodies) add(model.bodies[finding.index].name);
  if (finding.section == Section::joints) add(model.joints[finding.index].name);
  if (finding.section == Section::couplers) add(model.couplers[finding.index].name);
  if (finding.section == Section::drivers) add(model.drivers[finding.index].name);
  if (finding.section == Section::forces) add(model.forces[finding.index].name);
  if (finding.section == Section::tables) add(model.tables[finding.index].name);
  if (finding.section == Section::states) add(model.states[finding.index].name);
  if (finding.section == Section::events) add(model.events[finding.index].name);
  if (finding.section == Section::points) add(model.points[finding.index].name);
  if (finding.section == Section::outputs) add(model.outputs[finding.index].name);
  if (!finding.field.empty()) add(finding.field);
  return path;
}

std::vector<Finding> check_parts(const Model& model, std::size_t most) {
  std::vector<Finding> findings;
  if (const std::string problem = find_problem(model.gravity); !problem.empty()) {
    findings.push_back({Section::model, 0, "gravity", problem});
  }
  if (model.dimension != 2 && model.dimension != 3) {
    findings.push_back(
        {Section::model, 0, "dimension", "must be 2 or 3, got " + std::to_string(model.dimension)});
  }
  if (!(model.redundancy_tolerance >= 0 && model.redundancy_tolerance <= 0.1)) {
    findings.push_back(
        {Section::model, 0, "redundancy_tolerance",
         fmt::format("must be between 0 and 0.1, got {}", model.redundancy_tolerance)});
  }
  const NameTable bodies(model.bodies), joints(model.joints), forces(model.forces);
  const NameTable couplers(model.couplers), drivers(model.drivers);
  const ConstantTable parameters = make_constant_table(model);
  if (model.bodies.empty()) {
    findings.push_back({Section::model, 0, "bodies", "a model needs at least one body"});
  }
  check_names(model.tables, Section::tables, NameTable(model.tables), most, findings);
  check_tables(model, findings);
  check_names(model.bodies, Section::bodies, bodies, most, findings);
  for (std::size_t i = 0; i < model.bodies.size() && findings.size() < most; ++i) {
    check_body(model, i, findings);
  }
  check_frame_list(model.ground_frames, model.dimension == 2,
                   {Section::model, 0, "bodies.ground.frames.", ""}, findings);
  check_names(model.joints, Section::joints, joints, most, findings);
  for (std::size_t i = 0; i < model.joints.size() && findings.size() < most; ++i) {
    check_joint(model, i, bodies, findings);
    check_coordinates_of_joint(model, i, findings);
  }
  check_names(model.couplers, Section::couplers, couplers, most, findings);
  for (std::size_t i = 0; i < model.couplers.size() && findings.size() < most; ++i) {
    check_coupler(model, i, bodies, joints, parameters, findings);
  }
  check_names(model.drivers, Section::drivers, drivers, most, findings);
  if (!model.drivers.empty()) check_drivers(model, bodies, joints, most, findings);
  check_names(model.forces, Section::forces, forces, most, findings);
  for (std::size_t i = 0; i < model.forces.size() && findings.size() < most; ++i) {
    check_force(model, i, bodies, joints, parameters, findings);
  }
  check_names(model.states, Section::states, NameTable(model.states), most, findings);
  check_states(model, bodies, joints, parameters, findings);
  check_names(model.events, Section::events, NameTable(model.events), most, findings);
  check_events(model, bodies, joints, parameters, findings);
  // both have channels "motor.torque"; a spring may have the name of its joint
  for (std::size_t i = 0; i < model.forces.size() && findings.size() < most; ++i) {
    const std::string& name = model.forces[i].name;
    if (drivers.find(name) < 0) continue;
    findings.push_back({Section::forces, i, "", "a driver has the same name",
                        "results of both would be called '" + name + ".…'"});
  }
  check_names(model.points, Section::points, NameTable(model.points), most, findings);
  check_points(model, bodies, findings);
  check_names(model.outputs, Section::outputs, NameTable(model.outputs), most, findings);
  check_outputs(model, parameters, findings);
  if (model.dimension == 2 && findings.size() < most) check_planar(model, most, findings);
  for (auto& finding : check_options(model.simulation)) findings.push_back(std::move(finding));
  return findings;
}

std::vector<Mistake> check_model(const Model& model) {
  std::vector<Mistake> mistakes;
  for (const auto& finding : check_parts(model, most_mistakes)) {
    mistakes.push_back({model.file, 0, 0, calc_path(model, finding), finding.reason, finding.hint});
  }
  return mistakes;
}

std::vector<Mistake> check_simulation(const SimulationOptions& options) {
  Model model;
  std::vector<Mistake> mistakes;
  for (const auto& finding : check_options(options)) {
    mistakes.push_back({"", 0, 0, calc_path(model, finding), finding.reason, finding.hint});
  }
  return mistakes;
}

CheckedModel::CheckedModel(Model model) : model_(std::move(model)) {
  std::vector<Mistake> mistakes = check_model(model_);
  if (!mistakes.empty()) throw ModelError(std::move(mistakes));
}

}  // namespace trammel
