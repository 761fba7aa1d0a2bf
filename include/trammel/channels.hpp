// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Results by name: the same names as in CSV files, HDF5 files and on the page (docs/reference/results.md).
//
//   const std::vector<double> torque = trammel::column(results, "motor.torque");
#pragma once

#include <string>
#include <vector>

#include "trammel/results.hpp"

namespace trammel {

struct ChannelName {
  std::string name;  // "motor.torque"
  std::string unit;  // "N m"
};

// All that can be read from these results, stored or calculated from what is stored.
std::vector<ChannelName> list_channels(const Results& results);

// One number per output time. Throws std::invalid_argument, with similar names, where there is no such
// channel or it was not recorded.
std::vector<double> column(const Results& results, const std::string& name);

}  // namespace trammel
