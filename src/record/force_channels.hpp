// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// What is recorded of force elements and of the model's states: each element says itself what it shows (`show`, elements/forces), in the
// order of the model file. The same pass gives names and units, once, and numbers, at each output point.
#pragma once

#include <string>
#include <vector>

#include "system/system.hpp"
#include "system/workspace.hpp"

namespace trammel {

template <class Space>
class ForceChannels {
 public:
  explicit ForceChannels(const SystemIn<Space>& system) : system_(system) {}

  // "motor.torque" and its unit. A name that is taken (the angle of a joint, where a spring has the joint's
  // name) is left out. ws has positions and velocities of any state, here and below.
  void list(Workspace<double, Space>& ws, const std::vector<std::string>& taken,
            std::vector<std::string>& names, std::vector<std::string>& units);

  // Appends one row.
  void write(Workspace<double, Space>& ws, std::vector<double>& column) const;

 private:
  template <class Out>
  void show(Workspace<double, Space>& ws, const Out& out) const;
  template <class Out>
  void show_states(const Workspace<double, Space>& ws, const Out& out) const;

  const SystemIn<Space>& system_;
  std::vector<bool> kept_;  // of the numbers shown
};

}  // namespace trammel
