// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// A linear actuator by its force-speed line, and end stops of its stroke:
//
//   Q = F_max (u − q̇/v_max),   −1 ≤ u ≤ 1        u: the command; at u = 1 it stalls at F_max, and runs at v_max
//                                                without load
#pragma once

#include "elements/forces/force_path.hpp"
#include "elements/forces/state_function.hpp"
#include "elements/forces/stop_sides.hpp"

namespace trammel {

struct LinearActuator;

template <class Real, class Space = Spatial>
struct LinearActuatorForce : PathForce<LinearActuatorForce<Real, Space>, Real, Space> {
  StopSides<Real> ends;
  Real max_force;  // N
  Real damping;    // F_max/v_max, N s/m
  StateFunction command;

  using Laws = std::tuple<LinearActuator>;
  static LinearActuatorForce make(const auto& law, const auto& places) {
    return {{places.path(law.along)},
            places.sides(law.along, places.range(law), law.end_stops),
            law.max_force,
            law.max_force / law.max_speed,
            places.function(law.command, law.along)};
  }

  template <class Self>
  static auto members(Self& self) {
    return std::tie(self.path, self.ends, self.max_force, self.damping, self.command);
  }
  const StateFunction* formula() const { return &command; }

  Real calc_free_load(const ForceSite<Real, Space>& at, const Real& q, const Real& rate) const {
    return max_force * calc_command(at, q, rate) - damping * rate + ends.calc_damping_load(q, rate);
  }
  Real calc_elastic_load(const Real& q) const { return ends.calc_elastic_load(q); }
  Real calc_path_energy(const Real& q) const { return ends.calc_energy(q); }
  void show_own(const ForceSite<Real, Space>& at, const Real& q, const Real& rate,
                auto&& out) const {
    out("command", "", calc_command(at, q, rate));
  }

 private:
  Real calc_command(const ForceSite<Real, Space>& at, const Real& q, const Real& rate) const {
    at.slots[own_slot] = q;
    at.slots[rate_slot] = rate;
    return greater(lesser(command.evaluate(std::span<const Real>(at.slots)), Real(1)), Real(-1));
  }
};

}  // namespace trammel
