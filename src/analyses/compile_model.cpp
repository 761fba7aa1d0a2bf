// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// compile: Model → System. Where joints say how they start, the bodies are moved there first: the mechanism is
// assembled with drivers that hold those coordinates, then with drivers that give their rates. Coordinates that the
// assembly would leave outside of their limits start at the limit. Armatures become rotors that start with the rates of
// their coordinates.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "analyses/check.hpp"
#include "compile/compile.hpp"
#include "compile/rotors.hpp"
#include "elements/coordinate.hpp"
#include "evaluate/joint_rows.hpp"
#include "model/check_parts.hpp"
#include "model/coordinates.hpp"
#include "system/frames.hpp"
#include "system/workspace.hpp"
#include "trammel/checked_model.hpp"

namespace trammel {
namespace {

bool says_start(const Joint& joint) {
  return !joint.starts.empty() && joint.body_i != joint.body_j;
}

// The model with a driver for each coordinate whose value is given, or whose rate is, in place of drivers by rate of
// the same coordinate.
Model drive_starts(const Model& model, bool rates) {
  Model driven = model;
  for (const Joint& joint : model.joints) {
    if (!says_start(joint)) continue;
    for (const Joint::Start& start : joint.starts) {
      const auto& given = rates ? start.rate : start.value;
      if (!given) continue;
      std::erase_if(driven.drivers, [&](const Driver& driver) {
        const auto* law = std::get_if<JointDriver>(&driver.law);
        return law != nullptr && law->joint == joint.name && law->coordinate == start.coordinate;
      });
      driven.drivers.push_back(
          {fmt::format("initial of {} ({})", joint.name, to_word(start.coordinate)),
           JointDriver{joint.name, start.coordinate, Function(*given), rates}});
    }
  }
  return driven;
}

bool gives(const Model& model, std::optional<double> Joint::Start::*number) {
  return std::any_of(model.joints.begin(), model.joints.end(), [&](const Joint& joint) {
    return says_start(joint) &&
           std::any_of(joint.starts.begin(), joint.starts.end(),
                       [&](const Joint::Start& start) { return (start.*number).has_value(); });
  });
}

// The assembled start, and the rates of the coordinates.
struct Start {
  CheckReport report;
  std::vector<BodyState> bodies;
  std::map<std::string, double> values, rates;  // of "pin.angle"
};

template <class Space>
Start find_start(const SystemIn<Space>& system) {
  const CheckedState checked = check_and_assemble(system);
  Start start{checked.report, {}, {}, {}};
  if (!checked.report.assembly.converged) return start;
  const double* z = checked.assembled.z.data();
  Workspace<double, Space> ws(system.topology);
  calc_positions(system.topology, z, ws);
  calc_velocities(system.topology, z, ws);
  for (int b = 0; b < system.topology.n_bodies; ++b) {
    start.bodies.push_back(export_body(system, z, b));
  }
  for (std::size_t c = 0; c < system.topology.coordinates.size(); ++c) {
    const CoordinateTopology& of = system.topology.coordinates[c];
    const auto &i = ws.pose[of.body_i], &j = ws.pose[of.body_j];
    const auto q = calc_coordinate(of.kind, system.parameters.coordinates[c], i, j);
    const double turns =
        is_unwrapped(of.kind) ? count_turns(q.value, system.coordinate_near[c]) : 0.0;
    start.values[system.coordinate_names[c]] = q.value + full_turn * turns;
    start.rates[system.coordinate_names[c]] = q.calc_rate(i, j);
  }
  return start;
}

Start find_start(const Model& model) {
  const System system = compile_drawn(model);
  return visit_space(system.data(), [](const auto& in) { return find_start(in); });
}

[[noreturn]] void refuse_start(const Model& model, const CheckReport& report) {
  std::string path = "joints";
  for (const Joint& joint : model.joints) {
    if (says_start(joint)) path = "joints." + joint.name + ".initial";
    if (says_start(joint)) break;
  }
  throw ModelError({Mistake{
      model.file,
      0,
      0,
      path,
      fmt::format("the joints do not close with this start: {}", fmt::join(report.reasons, "; ")),
      {}}});
}

// Where the bodies start: first where, then how fast. Velocities that a rate does not change are those given.
Model place_starts(const Model& model) {
  Model placed = model;
  const auto take = [&](bool rates) {
    const Start start = find_start(drive_starts(placed, rates));
    if (!start.report.ok()) refuse_start(model, start.report);
    for (std::size_t b = 0; b < placed.bodies.size(); ++b) {
      Body& body = placed.bodies[b];
      const BodyState& at = start.bodies[b];
      InitialState own{at.position, at.orientation, body.velocity, body.angular_velocity};
      if (body.initial) {
        own.velocity = body.initial->velocity;
        own.angular_velocity = body.initial->angular_velocity;
      }
      if (rates) own = {at.position, at.orientation, at.velocity, at.angular_velocity};
      body.initial = own;
    }
  };
  if (gives(model, &Joint::Start::value)) take(false);
  if (gives(model, &Joint::Start::rate)) take(true);
  return placed;
}

bool has_limits(const Joint& joint) {
  return !joint.limits.empty() && joint.body_i != joint.body_j;
}

void start_at(Joint& joint, JointCoordinate coordinate, double value, const std::string& file) {
  const auto found =
      std::find_if(joint.starts.begin(), joint.starts.end(),
                   [&](const Joint::Start& start) { return start.coordinate == coordinate; });
  if (found == joint.starts.end()) {
    joint.starts.push_back({coordinate, value, {}});
  } else if (!found->value) {
    found->value = value;
  } else {
    throw ModelError(
        {Mistake{file,
                 0,
                 0,
                 "joints." + joint.name + ".initial",
                 fmt::format("the {} starts outside of its limits", to_word(coordinate)),
                 {}}});
  }
}

// Limits that the assembled configuration leaves become starts: those coordinates are held at the limit, and the rest
// of the mechanism follows. One round may push another coordinate out.
Model keep_limits(const Model& model) {
  if (std::none_of(model.joints.begin(), model.joints.end(), has_limits)) return model;
  Model kept = model;
  constexpr int most_rounds = 20;
  for (int round = 0; round < most_rounds; ++round) {
    const Start start = find_start(drive_starts(kept, false));
    if (!start.report.ok()) {
      if (round == 0) return model;  // for other reasons, which the run will give
      refuse_start(kept, start.report);
    }
    bool changed = false;
    for (Joint& joint : kept.joints) {
      for (const Joint::Limits& limits : joint.limits) {
        const auto has = list_coordinates(joint.kind, model.dimension == 2);
        if (has.empty() || joint.body_i == joint.body_j) continue;
        const JointCoordinate coordinate = limits.coordinate.value_or(has[0]);
        const double q = start.values.at(joint.name + '.' + to_word(coordinate));
        constexpr double rounding = 1e-9;
        if (q >= limits.least - rounding && q <= limits.most + rounding) continue;
        start_at(joint, coordinate, std::clamp(q, limits.least, limits.most), model.file);
        changed = true;
      }
    }
    if (!changed) break;
  }
  return kept;
}

System compile_started(const Model& given) {
  const Model model = keep_limits(given);
  const bool starts = std::any_of(model.joints.begin(), model.joints.end(), says_start);
  const bool rotors = std::any_of(model.joints.begin(), model.joints.end(), has_armature);
  if (!starts && !rotors) return compile_drawn(model);
  const Model placed = starts ? place_starts(model) : model;
  if (!rotors) return compile_drawn(placed);
  const Start start = find_start(placed);
  return compile_drawn(add_rotors(placed, [&](const std::string& joint, JointCoordinate of) {
    const std::string name = joint + '.' + to_word(of);
    const auto found = start.rates.find(name);
    return found == start.rates.end() ? CoordinateStart{}
                                      : CoordinateStart{start.values.at(name), found->second};
  }));
}

}  // namespace

System compile(const Model& model) {
  std::vector<Mistake> mistakes = check_model(model);
  if (!mistakes.empty()) throw ModelError(std::move(mistakes));
  return compile_started(model);
}

System compile(const CheckedModel& model) { return compile_started(model.model()); }

}  // namespace trammel
