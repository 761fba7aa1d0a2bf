// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
#include "record/force_channels.hpp"

#include <unordered_set>

#include "evaluate/forces.hpp"

namespace trammel {

namespace {

constexpr const char* axes[] = {".x", ".y", ".z"};

// Numbers as they are, vectors by their three components.
template <class Space, class Out>
struct Components {
  const Out& out;

  void operator()(const char* word, const char* unit, double value) const {
    out(word, "", unit, value);
  }
  template <class Vector>
  void operator()(const char* word, const char* unit, const Vector& v) const {
    Vector3<double> whole;
    if constexpr (std::is_same_v<Vector, Linear<double, Space>>) {
      whole = Space::export_linear(v);
    } else {
      whole = Space::export_angular(v);
    }
    double components[3];
    whole.store(components);
    for (int k = 0; k < 3; ++k) out(word, axes[k], unit, components[k]);
  }
};

template <class Element>
concept AppliesLoad = requires(const Element& element) {
  element.torque_W;
};

}  // namespace

// out(force, word, suffix, unit, value) for every number
template <class Space>
template <class Out>
void ForceChannels<Space>::show(Workspace<double, Space>& ws, const Out& out) const {
  const ForceSite<double, Space> at = prepare_force_site(system_.topology, system_.parameters, ws);
  for (const NamedForce& force : system_.forces) {
    const auto named = [&](const char* word, const char* suffix, const char* unit, double value) {
      out(force, word, suffix, unit, value);
    };
    const Components<Space, decltype(named)> components{named};
    if (force.count == 0) {  // a formula that is 0
      AppliedLoad<double, Space>{}.show(force.is_torque, components);
      continue;
    }
    visit_list(system_.parameters.forces, force.list,
               [&]<class Element>(const std::vector<Element>& list) {
                 if constexpr (AppliesLoad<Element>) {
                   // the components of a vector of formulas are elements of their own
                   AppliedLoad<double, Space> sum = list[force.first].calc_load(at);
                   for (int k = 1; k < force.count; ++k) {
                     const AppliedLoad<double, Space> load = list[force.first + k].calc_load(at);
                     sum.force += load.force;
                     sum.torque += load.torque;
                     sum.power += load.power;
                   }
                   sum.show(force.is_torque, components);
                 } else if (force.count == 1) {
                   list[force.first].show(at, components);
                 } else {  // a damper about three axes
                   for (int k = 0; k < force.count; ++k) {
                     list[force.first + k].show(
                         at, [&](const char* word, const char* unit, const auto& value) {
                           if constexpr (std::is_same_v<decltype(value), const double&>) {
                             out(force, word, axes[k], unit, value);
                           }
                         });
                   }
                 }
               });
  }
}

// out(name, unit, value) for every state and its rate; after show, which prepares what formulas read
template <class Space>
template <class Out>
void ForceChannels<Space>::show_states(const Workspace<double, Space>& ws, const Out& out) const {
  for (std::size_t k = 0; k < system_.states.size(); ++k) {
    const NamedState& state = system_.states[k];
    const StateParameters<double>& law = system_.parameters.states[k];
    out(state.name, state.unit, ws.state[k]);
    if (law.is_held != 0) continue;
    out(state.name + "_rate", state.rate_unit,
        law.rate.evaluate(std::span<const double>(ws.slots)));
  }
}

template <class Space>
void ForceChannels<Space>::list(Workspace<double, Space>& ws, const std::vector<std::string>& taken,
                                std::vector<std::string>& names, std::vector<std::string>& units) {
  if (system_.forces.empty() && system_.states.empty()) return;
  std::unordered_set<std::string> known(taken.begin(), taken.end());
  for (const std::string& name : taken) known.insert(name + "_rate");
  show(ws, [&](const NamedForce& force, const char* word, const char* suffix, const char* unit,
               double) {
    std::string name = force.name + '.' + word + suffix;
    kept_.push_back(known.insert(name).second);
    if (!kept_.back()) return;
    names.push_back(std::move(name));
    units.emplace_back(unit);
  });
  show_states(ws, [&](const std::string& name, const std::string& unit, double) {
    names.push_back(name);
    units.push_back(unit);
  });
}

template <class Space>
void ForceChannels<Space>::write(Workspace<double, Space>& ws, std::vector<double>& column) const {
  if (system_.forces.empty() && system_.states.empty()) return;
  std::size_t k = 0;
  show(ws, [&](const NamedForce&, const char*, const char*, const char*, double value) {
    if (kept_[k++]) column.push_back(value);
  });
  show_states(
      ws, [&](const std::string&, const std::string&, double value) { column.push_back(value); });
}

template class ForceChannels<Spatial>;
template class ForceChannels<Planar>;

}  // namespace trammel
