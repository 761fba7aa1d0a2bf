// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Options with values that are checked before anything runs. CLI11 would take "nan" for a
// tolerance and reads decimals by way of long double; here a number is a finite one, to the bit.
#pragma once

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "messages.hpp"
#include "trammel/trammel.hpp"

namespace trammel::cli {

// The number that is all of `text`; nothing for "1e-7x", "nan", "inf", "1e999".
std::optional<double> find_number(const std::string& text);

// --name NUMBER.
void add_number(CLI::App& app, const std::string& name, std::optional<double>& target,
                const std::string& help);

// --name NUMBER, greater than zero.
void add_positive(CLI::App& app, const std::string& name, std::optional<double>& target,
                  const std::string& help);

// --name INTEGER, at least 1.
void add_count(CLI::App& app, const std::string& name, std::optional<std::int64_t>& target,
               const std::string& help);

// --set name=value, repeatable.
void add_overrides(CLI::App& app, ParameterOverrides& target);

// --allow-outside
void add_read_options(CLI::App& app, ReadOptions& target);

// --name WORD, one of a few.
template <typename Value>
void add_choice(CLI::App& app, const std::string& name, std::optional<Value>& target,
                const std::vector<std::pair<std::string, Value>>& choices,
                const std::string& help) {
  std::string words;
  for (const auto& choice : choices) words += (words.empty() ? "" : "|") + choice.first;
  app.add_option_function<std::string>(
         name,
         [&target, choices, name, words](const std::string& text) {
           for (const auto& [word, value] : choices) {
             if (text == word) target = value;
           }
           if (!target)
             throw UsageError(fmt::format("{}: '{}' is not one of {}", name, text, words));
         },
         help)
      ->type_name(words);
}

}  // namespace trammel::cli
