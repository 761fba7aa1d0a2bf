// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
#include "format/options_text.hpp"

#include "format/read_sections.hpp"
#include "trammel/option_table.hpp"

namespace trammel {
namespace {

void add_value(JsonWriter& json, double value) { json.number(value); }
void add_value(JsonWriter& json, std::int64_t value) { json.integer(value); }
void add_value(JsonWriter& json, bool value) { json.boolean(value); }
void add_value(JsonWriter& json, const std::string& value) { json.string(value); }
void add_value(JsonWriter& json, const std::vector<std::string>& values) {
  json.open_array();
  for (const std::string& value : values) json.string(value);
  json.close_array();
}

}  // namespace

void add_options(JsonWriter& json, const SimulationOptions& options) {
  for (const Option& option : option_table()) {
    json.key(option.word);
    std::visit([&](const auto& value) { add_value(json, value); }, option.access.get(options));
  }
}

std::string make_options_text(const SimulationOptions& options) {
  SimulationOptions named = options;
  named.user_invariants.clear();
  JsonWriter json;
  json.open_object();
  add_options(json, named);
  json.close_object();
  return json.text();
}

SimulationOptions read_options_text(const std::string& text) {
  const YamlTree tree(text, "options");
  Reader reader(tree);
  SimulationOptions options;
  options.kinematics = Kinematics::off;  // a file without the key is of a run that was integrated
  try {
    read_simulation(reader, YamlTree::root, options);
  } catch (const TooManyMistakes&) {
    // the list tells enough
  }
  auto mistakes = reader.take_mistakes();
  if (!mistakes.empty()) throw ModelError(std::move(mistakes));
  return options;
}

}  // namespace trammel
