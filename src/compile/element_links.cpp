// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// What force elements connect and read, by their descriptions, before there is a topology.
#include <algorithm>
#include <unordered_set>

#include "compile/elements.hpp"
#include "compile/force_places.hpp"
#include "model/coordinates.hpp"
#include "model/described_force.hpp"
#include "model/law_problems.hpp"
#include "model/state_names.hpp"

namespace trammel {

namespace {

bool is_damping(const Mat6& matrix) {
  return std::any_of(matrix.begin(), matrix.end(), [](const auto& row) {
    return std::any_of(row.begin(), row.end(), [](double x) { return x != 0.0; });
  });
}

// What depends on a state of the model may depend on a speed, too.
bool uses_speed(const Model& model, const Function& function) {
  const Formula* formula = std::get_if<Formula>(&function.form);
  if (formula == nullptr) return false;
  const auto names = list_names(formula->text);
  return uses_speed(*formula) || std::any_of(names.begin(), names.end(), [&](const NameInText& at) {
           return find_own_state(model, at.name) >= 0;
         });
}

bool uses_speed(const Model& model, const std::array<Function, 3>& value) {
  return std::any_of(value.begin(), value.end(),
                     [&](const Function& component) { return uses_speed(model, component); });
}

// The bodies of a force that describes itself, and whether a formula of it depends on a speed.
struct ForceParts : FieldVisitor {
  explicit ForceParts(const ModelIndex& of) : index(of) {}
  const ModelIndex& index;
  std::string i, j;
  bool reads_speed = false;

  void body(const ForceField&, const std::string& name) { i = j = name; }
  void bodies(const ForceField&, const std::string& name_i, const std::string& name_j,
              BodyJ = BodyJ::any) {
    i = name_i;
    j = name_j;
  }
  void joint(const std::string& name, const std::optional<JointCoordinate>&) {
    i = index.joint_of(name).body_i;
    j = index.joint_of(name).body_j;
  }
  void along(const Along& path) {
    if (!path.joint.empty()) return joint(path.joint, path.coordinate);
    i = path.body_i;
    j = path.body_j;
  }
  template <class Law>
  void load(const ForceField&, const Law& law) {
    const Function* function = find(law);
    reads_speed = reads_speed || (function != nullptr && uses_speed(index.model(), *function));
  }
};

// The coordinates of a force that describes itself, and its formulas: found(joint, coordinate),
// found(function).
template <class Found>
struct FieldCoordinates : FieldVisitor {
  FieldCoordinates(const ModelIndex& of, const Found& visitor) : index(of), found(visitor) {}
  const ModelIndex& index;
  const Found& found;

  void joint(const std::string& name, const std::optional<JointCoordinate>& coordinate) {
    found(name, find_coordinate(index, name, coordinate));
  }
  void along(const Along& path) {
    if (!path.joint.empty()) joint(path.joint, path.coordinate);
  }
  template <class Law>
  void load(const ForceField&, const Law& law) {
    if (const Function* function = find(law)) found(*function);
  }
};

}  // namespace

std::vector<ForceLink> list_element_links(const ModelIndex& index) {
  std::vector<ForceLink> links;
  const auto add = [&](const std::string& i, const std::string& j, bool dissipative) {
    links.push_back({index.body(i), index.body(j), dissipative});
  };
  for (const Force& force : index.model().forces) {
    if (const auto* load = std::get_if<VariableForce>(&force.law)) {
      add(load->body, load->body, uses_speed(index.model(), load->value));
    } else if (const auto* torque = std::get_if<VariableTorque>(&force.law)) {
      add(torque->body, torque->body, uses_speed(index.model(), torque->value));
    } else if (const auto* spring = std::get_if<NonlinearSpring>(&force.law)) {
      const bool damped =
          spring->damping > 0.0 || (spring->tension && uses_speed(index.model(), *spring->tension));
      add(spring->body_i, spring->body_j, damped);
    } else if (const auto* bushing = std::get_if<Bushing>(&force.law)) {
      add(bushing->body_i, bushing->body_j, is_damping(bushing->damping));
    }
    std::visit(
        [&]<class Law>(const Law& law) {
          if constexpr (DescribedForce<Law>) {
            ForceParts parts(index);
            Law::fields(law, parts);
            add(parts.i, parts.j, law.is_dissipative() || parts.reads_speed);
          }
        },
        force.law);
  }
  return links;
}

std::vector<int> list_element_coordinates(const ModelIndex& index, const CoordinateIndex& find) {
  std::vector<int> coordinates;
  std::unordered_set<int> known;
  const auto add = [&](int coordinate) {
    if (known.insert(coordinate).second) coordinates.push_back(coordinate);
  };
  const auto add_named = [&](const Function& function) {
    const Formula* formula = std::get_if<Formula>(&function.form);
    if (formula == nullptr) return;
    for (const auto& [name, offset] : list_names(formula->text)) {
      const auto state = find_state_name(name);
      if (state && is_of_joint(state->quantity)) add(find(state->part, state->coordinate));
    }
  };
  for (const Force& force : index.model().forces) {
    if (const auto* load = std::get_if<VariableForce>(&force.law)) {
      for (const Function& component : load->value) add_named(component);
    } else if (const auto* torque = std::get_if<VariableTorque>(&force.law)) {
      for (const Function& component : torque->value) add_named(component);
    } else if (const auto* spring = std::get_if<NonlinearSpring>(&force.law)) {
      if (spring->tension) add_named(*spring->tension);
    }
    const auto found = [&]<class... Part>(const Part&... part) {
      if constexpr (sizeof...(Part) == 2) {
        add(find(part...));
      } else {
        add_named(part...);
      }
    };
    std::visit(
        [&]<class Law>(const Law& law) {
          if constexpr (DescribedForce<Law>) Law::fields(law, FieldCoordinates(index, found));
        },
        force.law);
  }
  for (const StateVariable& state : index.model().states) add_named(state.rate);
  for (const Event& event : index.model().events) {
    add_named(event.when);
    for (const Event::Change& change : event.set) add_named(change.value);
  }
  return coordinates;
}

}  // namespace trammel
