// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
#include "model/list_functions.hpp"

#include <fmt/format.h>

#include "model/coordinates.hpp"
#include "model/described_force.hpp"

namespace trammel {
namespace {

template <class Function, class Visit>
void visit_components(const std::string& path, const std::array<Function, 3>& value,
                      const Visit& visit) {
  for (std::size_t k = 0; k < 3; ++k) visit(fmt::format("{}[{}]", path, k), value[k]);
}

void visit_driver(const std::string& path, const Driver& driver, const FunctionVisitor& visit) {
  if (const auto* of_joint = std::get_if<JointDriver>(&driver.law)) {
    const std::string rate = of_joint->is_rate ? "_rate" : "";
    visit(path + "." + to_word(of_joint->coordinate) + rate, of_joint->value, true);
  } else if (const auto* distance = std::get_if<DistanceDriver>(&driver.law)) {
    visit(path + (distance->is_rate ? ".distance_rate" : ".distance"), distance->value, true);
  } else if (const auto* point = std::get_if<PointDriver>(&driver.law)) {
    visit_components(path + (point->is_rate ? ".velocity" : ".position"), point->value,
                     [&](const std::string& at, const std::optional<Function>& value) {
                       if (value) visit(at, *value, true);
                     });
  } else if (const auto* frames = std::get_if<FrameDriver>(&driver.law)) {
    visit_components(path + ".position", frames->position,
                     [&](const std::string& at, const std::optional<Function>& value) {
                       if (value) visit(at, *value, true);
                     });
    if (!frames->orientation) return;
    visit_components(path + ".orientation", *frames->orientation,
                     [&](const std::string& at, const Function& value) { visit(at, value, true); });
  }
}

void visit_coupler(const std::string& path, const Coupler& coupler, const FunctionVisitor& visit) {
  const auto* linear = std::get_if<LinearCoupler>(&coupler.law);
  for (std::size_t k = 0; linear != nullptr && k < linear->terms.size(); ++k) {
    const auto& function = linear->terms[k].function;
    if (function) visit(fmt::format("{}.terms[{}].function", path, k), *function, true);
  }
}

// The functions of a force that describes itself.
struct FieldFunctions : FieldVisitor {
  FieldFunctions(const std::string& of, const FunctionVisitor& visitor)
      : path(of), visit(visitor) {}
  const std::string& path;
  const FunctionVisitor& visit;

  template <class Law>
  void load(const ForceField& field, const Law& law) {
    add(field, find(law), false);
  }
  void energy(const ForceField& field, const std::optional<Function>& law) {
    add(field, find(law), true);
  }
  void add(const ForceField& field, const Function* function, bool smooth) {
    if (function != nullptr) visit(path + "." + std::string(field.key), *function, smooth);
  }
};

void visit_force(const std::string& path, const Force& force, const FunctionVisitor& visit) {
  const auto component = [&](const std::string& at, const Function& value) {
    visit(at, value, false);
  };
  if (const auto* load = std::get_if<VariableForce>(&force.law)) {
    visit_components(path + ".value", load->value, component);
  } else if (const auto* torque = std::get_if<VariableTorque>(&force.law)) {
    visit_components(path + ".value", torque->value, component);
  } else if (const auto* spring = std::get_if<NonlinearSpring>(&force.law)) {
    if (spring->tension) visit(path + ".tension", *spring->tension, false);
    if (spring->energy) visit(path + ".energy", *spring->energy, true);
  }
  std::visit(
      [&]<class Law>(const Law& law) {
        if constexpr (DescribedForce<Law>) Law::fields(law, FieldFunctions(path, visit));
      },
      force.law);
}

}  // namespace

void for_each_function(const Model& model, const FunctionVisitor& visit) {
  for (const Coupler& coupler : model.couplers) {
    visit_coupler("couplers." + coupler.name, coupler, visit);
  }
  for (const Driver& driver : model.drivers) visit_driver("drivers." + driver.name, driver, visit);
  for (const Force& force : model.forces) visit_force("forces." + force.name, force, visit);
  for (const StateVariable& state : model.states) {
    visit("states." + state.name + (state.period ? ".next" : ".rate"), state.rate, false);
  }
  for (const Event& event : model.events) {
    visit("events." + event.name + ".when", event.when, false);
    for (const Event::Change& change : event.set) {
      visit("events." + event.name + ".set." + change.state, change.value, false);
    }
  }
}

}  // namespace trammel
