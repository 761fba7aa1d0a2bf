// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Options with values that are checked before anything runs. CLI11 would take "nan" for a
// tolerance and reads decimals by way of long double; here a number is a finite one, to the bit.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "messages.hpp"
#include "trammel/trammel.hpp"

namespace trammel::cli {

// The number that is all of `text`; nothing for "1e-7x", "nan", "inf", "1e999".
std::optional<double> find_number(const std::string& text);

// --name NUMBER, finite and, if `positive`, greater than zero; passed to `take`.
void add_number(CLI::App& app, const std::string& name, bool positive,
                const std::function<void(double)>& take, const std::string& help);

// --name COUNT, an integer of at least 1.
void add_count(CLI::App& app, const std::string& name,
               const std::function<void(std::int64_t)>& take, const std::string& help);

// The same into a variable.
inline void add_number(CLI::App& app, const std::string& name, std::optional<double>& target,
                       const std::string& help) {
  add_number(
      app, name, false, [&target](double value) { target = value; }, help);
}
inline void add_positive(CLI::App& app, const std::string& name, std::optional<double>& target,
                         const std::string& help) {
  add_number(
      app, name, true, [&target](double value) { target = value; }, help);
}
inline void add_count(CLI::App& app, const std::string& name, std::optional<std::int64_t>& target,
                      const std::string& help) {
  add_count(
      app, name, [&target](std::int64_t value) { target = value; }, help);
}

// --set name=value, repeatable.
void add_overrides(CLI::App& app, ParameterOverrides& target);

// --allow-outside
void add_read_options(CLI::App& app, ReadOptions& target);

}  // namespace trammel::cli
