// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The options of a simulation as a table: one row for each that users can set. The `simulation` section of
// model files, the command line, JSON and HDF5, the reports, the documentation and the editor schema are all
// made from it; a user interface can be, too. To add an option: a member of SimulationOptions and a row in
// src/model/option_table.cpp.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "trammel/options.hpp"

namespace trammel {

// A number, a count, a flag, the word of a choice, or a set of words.
using OptionValue = std::variant<double, std::int64_t, bool, std::string, std::vector<std::string>>;

enum class OptionKind { number, count, flag, choice, set };  // in the order of OptionValue

// Of a number or a count.
struct OptionRange {
  double least = 0.0;
  double most = std::numeric_limits<double>::infinity();
  bool includes_least = true;
  bool includes_most = true;
};

// How a value is found in the options and put there. `set` takes a value of its kind, with known words.
struct OptionAccess {
  OptionKind kind = OptionKind::flag;
  std::function<OptionValue(const SimulationOptions&)> get;
  std::function<void(SimulationOptions&, const OptionValue&)> set;
  OptionRange range = {};                    // of a number or a count
  std::vector<std::string_view> words = {};  // of a choice or a set
  std::string_view alone = {};               // of a set: the word for none or all of them
  bool takes_channels = false;               // of a set: and names of channels, is_channel_pattern
};

struct OptionGroup {
  std::string_view heading;
  std::string_view needs = {};  // "projection orthogonal"; without it these options are refused
  bool (*applies)(const SimulationOptions&) = nullptr;  // nothing: always
};

struct Option {
  std::string_view word;  // in model files, JSON and HDF5; on the command line --with-dashes
  const OptionGroup* group;
  OptionAccess access;
  std::string_view unit = {};
  std::string_view zero = {};     // what 0 means, where it is allowed outside of the range
  std::string_view help;          // a phrase for --help, the documentation and editors
  std::string_view details = {};  // what the documentation adds, Markdown
};

// In the order of reports and documentation; options of a group are together.
const std::vector<Option>& option_table();

// True for "motor.torque", "motor.*" and any word, as "reach", that is no quantity to record or nearly one.
bool is_channel_pattern(std::string_view word);

// The row of a word that is in the table.
const Option& find_option(std::string_view word);

// The value in words, without its unit: "10", "estimated", "energy, linear_momentum".
std::string option_text(const Option& option, const SimulationOptions& options);

// "at least 1e-15 and less than 1", "from 1 to 64"
std::string to_text(const OptionRange& range);

}  // namespace trammel
