// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Results by name: the same names as in CSV files, HDF5 files and on the page (docs/reference/results.md).
//
//   const std::vector<double> torque = trammel::column(results, "motor.torque");
#pragma once

#include <cstddef>
#include <optional>
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

// Numbers of stored channels where they are: [rows × columns], of a row next to each other, rows `stride`
// apart. columns: 1 of "rod.position.x", 3 of "rod.position", 4 of "rod.orientation".
struct StoredColumns {
  const double* first = nullptr;
  std::size_t rows = 0, columns = 0, stride = 0;
};

// Valid as long as the results are there and no row is added. Empty where nothing is stored under that name.
std::optional<StoredColumns> find_stored(const Results& results, const std::string& name);

// One number per output time. Throws std::invalid_argument, with similar names, where there is no such
// channel or it was not recorded.
std::vector<double> column(const Results& results, const std::string& name);

}  // namespace trammel
