// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Options as JSON with the keys and words of a model file's `simulation`, so that its reader reads
// them. A user's invariants are C++ functions and are left out.
#include "format/json_fields.hpp"
#include "format/read_sections.hpp"
#include "format/results_file.hpp"
#include "format/words.hpp"

namespace trammel {
namespace {

void add_jets(JsonWriter& json, const SimulationOptions& options) {
  add_string(json, "work_quadrature", to_word(options.work_quadrature));
  add_number(json, "newton_tolerance", options.newton_tolerance);
  add_number(json, "energy_scale", options.energy_scale);
  add_number(json, "newton_forcing", options.newton_forcing);
  add_boolean(json, "raw_error", options.raw_error);
}

void add_simulation(JsonWriter& json, const SimulationOptions& options) {
  add_number(json, "t_end", options.t_end);
  add_number(json, "rtol", options.rtol);
  add_number(json, "atol", options.atol);
  add_string(json, "method", to_word(options.method));
  add_string(json, "projection", to_word(options.projection));
  add_boolean(json, "project_stages", options.project_stages);
  add_string(json, "kinematics", to_word(options.kinematics));
  SimulationOptions named = options;
  named.user_invariants.clear();
  add_strings(json, "invariants", to_words_of_invariants(named));
  add_string(json, "energy_correction", to_word(options.energy_correction));
  add_string(json, "step_control", to_word(options.step_control));
  add_number(json, "initial_step", options.initial_step);
  add_number(json, "max_step", options.max_step);
  add_number(json, "fixed_step", options.fixed_step);
  add_integer(json, "max_steps", options.max_steps);
  add_number(json, "max_growth", options.max_growth);
  add_string(json, "schur", to_word(options.schur));
  add_string(json, "reaction_frame", to_word(options.reaction_frame));
  add_jets(json, options);
  add_number(json, "output_interval", options.output_interval);
  add_boolean(json, "output_at_steps", options.output_at_steps);
  add_strings(json, "record", to_words_of_record(options.record));
}

}  // namespace

std::string make_options_text(const SimulationOptions& options) {
  JsonWriter json;
  json.open_object();
  add_simulation(json, options);
  json.close_object();
  return json.text();
}

SimulationOptions read_options_text(const std::string& text) {
  const YamlTree tree(text, "options");
  Reader reader(tree, text, "options");
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
