// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// A DC motor with permanent magnets behind a gear of ratio G: the rotor turns G times as fast as q.
//
//   Q = G k i − G² b q̇             k: torque constant, N m/A, and back-EMF constant, V s/rad
//   L di/dt = V − R i − G k q̇      with an inductance L: the current is a state of its own
//         i = (V − G k q̇)/R        without
//
// b: viscous loss at the rotor. P = Q q̇ is the mechanical power; the electrical power is V i.
#pragma once

#include "elements/forces/force_path.hpp"
#include "elements/forces/state_function.hpp"

namespace trammel {

struct DcMotor;

template <class Real, class Space = Spatial>
struct DcMotorForce : PathForce<DcMotorForce<Real, Space>, Real, Space> {
  int current_slot;  // of the state, or −1: no inductance
  Real resistance;   // R, ohm
  Real constant;     // G k, N m/A
  Real damping;      // G² b, N m s/rad
  Real per_command;  // V per unit of the command: 1, or G k where that is a speed
  StateFunction command;

  using Laws = std::tuple<DcMotor>;
  static DcMotorForce make(const auto& law, const auto& places) {
    const auto data = places.motor(law);
    return {
        {places.path(law.along)},
        data.inductance > 0.0 ? places.current_slot(law) : -1,
        data.resistance,
        law.gear_ratio * data.torque_constant,
        law.gear_ratio * law.gear_ratio * law.viscous,
        law.speed ? law.gear_ratio * data.torque_constant : 1.0,
        places.function(law.speed ? *law.speed : law.voltage.value_or(Function(0.0)), law.along)};
  }

  static constexpr ForceTraits traits{.has_potential = false, .is_internal = true};
  template <class Self>
  static auto members(Self& self) {
    return std::tie(self.path, self.current_slot, self.resistance, self.constant, self.damping,
                    self.per_command, self.command);
  }
  const StateFunction* formula() const { return &command; }

  Real calc_free_load(const ForceSite<Real, Space>& at, const Real& q, const Real& rate) const {
    return constant * calc_current(at, q, rate) - damping * rate;
  }
  void show_own(const ForceSite<Real, Space>& at, const Real& q, const Real& rate,
                auto&& out) const {
    const Real voltage = calc_voltage(at, q, rate), current = calc_current(at, q, rate);
    out("voltage", "V", voltage);
    if (current_slot < 0) out("current", "A", current);  // else that of the state
    out("electrical_power", "W", voltage * current);
  }

 private:
  Real calc_voltage(const ForceSite<Real, Space>& at, const Real& q, const Real& rate) const {
    at.slots[own_slot] = q;
    at.slots[rate_slot] = rate;
    return per_command * command.evaluate(std::span<const Real>(at.slots));
  }
  Real calc_current(const ForceSite<Real, Space>& at, const Real& q, const Real& rate) const {
    if (current_slot >= 0) return at.slots[current_slot];
    return (calc_voltage(at, q, rate) - constant * rate) / resistance;
  }
};

}  // namespace trammel
