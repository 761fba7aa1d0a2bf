// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Options with values that are checked before anything runs.
#include "arguments.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

namespace trammel::cli {

std::optional<double> find_number(const std::string& text) {
  const char* begin = text.data();
  const char* const end = begin + text.size();
  if (text.size() > 1 && *begin == '+' && text[1] != '-') ++begin;
  double value = 0.0;
  const auto [rest, error] = std::from_chars(begin, end, value);
  if (error != std::errc{} || rest != end || !std::isfinite(value)) return std::nullopt;
  return value;
}

void add_number(CLI::App& app, const std::string& name, bool positive,
                const std::function<void(double)>& take, const std::string& help) {
  app.add_option_function<std::string>(
         name,
         [take, name, positive](const std::string& text) {
           const std::optional<double> value = find_number(text);
           if (!value) throw UsageError(fmt::format("{}: '{}' is not a number", name, text));
           if (positive && *value <= 0) {
             throw UsageError(fmt::format("{}: must be greater than 0, got {}", name, text));
           }
           take(*value);
         },
         help)
      ->type_name("NUMBER");
}

void add_count(CLI::App& app, const std::string& name,
               const std::function<void(std::int64_t)>& take, const std::string& help) {
  app.add_option_function<std::string>(
         name,
         [take, name](const std::string& text) {
           std::int64_t value = 0;
           const char* const end = text.data() + text.size();
           const auto [rest, error] = std::from_chars(text.data(), end, value);
           if (error != std::errc{} || rest != end || value < 1) {
             throw UsageError(fmt::format("{}: must be a positive integer, got '{}'", name, text));
           }
           take(value);
         },
         help)
      ->type_name("COUNT");
}

void add_overrides(CLI::App& app, ParameterOverrides& target) {
  const auto add_one = [&target](const std::string& text) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0) {
      throw UsageError(fmt::format("--set: '{}' is not of the form name=value", text));
    }
    const std::string value = text.substr(equals + 1);
    if (value.find_first_not_of(' ') == std::string::npos) {
      throw UsageError(fmt::format("--set {}: the value is missing", text));
    }
    target.emplace_back(text.substr(0, equals), value);
  };
  app.add_option_function<std::vector<std::string>>(
         "--set",
         [add_one](const std::vector<std::string>& texts) {
           for (const std::string& text : texts) add_one(text);
         },
         "Set a parameter of the model. Can be repeated")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false);
}

void add_read_options(CLI::App& app, ReadOptions& target) {
  app.add_flag("--allow-outside", target.allow_outside,
               "Also allow files outside the model's folder");
}

}  // namespace trammel::cli
