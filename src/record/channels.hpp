// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Channels: every number of a run that has a name, "rod.position.x", whether it is stored (quantities.hpp)
// or follows from what is stored: attitudes as roll, pitch and yaw or as a rotation vector, reactions in
// the axes of the joint, named points. docs/reference/results.md lists them.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "trammel/results.hpp"

namespace trammel {

struct Channel {
  std::string name;
  std::string unit;
  std::vector<bool Recorded::*> needs;                // what has to be recorded for it
  std::function<double(std::size_t row)> value = {};  // of the rows in memory

  bool is_recorded(const Recorded& record) const;
};

// Stored ones, in the order of CSV columns, and those that follow. Their values read `results`, which has to
// stay where it is; names and units need only the name tables and the scene.
std::vector<Channel> list_stored_channels(const Results& results);
std::vector<Channel> list_derived_channels(const Results& results);
std::vector<Channel> list_point_channels(const Results& results);

// The channel of that name among those recorded. Throws std::invalid_argument, with similar names.
Channel find_channel(const Results& results, const std::string& name);

// A name, or a pattern: * any characters, ? one. "pin.reaction_force" selects its components too, and
// "pin.force" is short for that of a joint. In all of these: is the channel selected?
bool is_selected(std::string_view channel, const std::vector<std::string>& patterns);

// "did you mean 'motor.torque'?", or empty
std::string suggest_channel(const std::string& name, const std::vector<std::string>& names);

}  // namespace trammel
