// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Options with values that are checked before anything runs.
#include "arguments.hpp"

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

namespace {

void add_checked(CLI::App& app, const std::string& name, std::optional<double>& target,
                 const std::string& help, bool positive) {
  app.add_option_function<std::string>(
         name,
         [&target, name, positive](const std::string& text) {
           target = find_number(text);
           if (!target) throw UsageError(fmt::format("{}: '{}' is not a number", name, text));
           if (positive && *target <= 0) {
             throw UsageError(fmt::format("{}: must be greater than 0, got {}", name, text));
           }
         },
         help)
      ->type_name("NUMBER");
}

}  // namespace

void add_number(CLI::App& app, const std::string& name, std::optional<double>& target,
                const std::string& help) {
  add_checked(app, name, target, help, false);
}

void add_positive(CLI::App& app, const std::string& name, std::optional<double>& target,
                  const std::string& help) {
  add_checked(app, name, target, help, true);
}

void add_count(CLI::App& app, const std::string& name, std::optional<std::int64_t>& target,
               const std::string& help) {
  app.add_option_function<std::string>(
         name,
         [&target, name](const std::string& text) {
           std::int64_t value = 0;
           const char* const end = text.data() + text.size();
           const auto [rest, error] = std::from_chars(text.data(), end, value);
           if (error != std::errc{} || rest != end || value < 1) {
             throw UsageError(fmt::format("{}: '{}' is not a count of 1 or more", name, text));
           }
           target = value;
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
    const std::optional<double> number = find_number(value);
    if (!number) throw UsageError(fmt::format("--set {}: '{}' is not a number", text, value));
    target.emplace_back(text.substr(0, equals), *number);
  };
  app.add_option_function<std::vector<std::string>>(
         "--set",
         [add_one](const std::vector<std::string>& texts) {
           for (const std::string& text : texts) add_one(text);
         },
         "Replace the value of a parameter of the model; repeatable")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false);
}

void add_read_options(CLI::App& app, ReadOptions& target) {
  app.add_flag("--allow-outside", target.allow_outside,
               "Read tables that the model names from outside of its folder too");
}

}  // namespace trammel::cli
