// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Results → the JSON summary: what `trammel run --json` prints and `-o run.json` keeps.
// Keys, nesting and order are a contract with the programs that read it (docs/reference/results.md); new
// keys are added, old ones stay. It has no columns over time: those are in the CSV file.
#include <algorithm>

#include "format/atomic_file.hpp"
#include "format/implicit_counts.hpp"
#include "format/json_fields.hpp"
#include "format/json_writer.hpp"
#include "format/options_text.hpp"
#include "format/words.hpp"
#include "record/extremes.hpp"
#include "trammel/trammel.hpp"

namespace trammel {
namespace {

void add_counts(JsonWriter& json, const Counts& counts) {
  open_section(json, "steps");
  add_integer(json, "accepted", counts.accepted);
  add_integer(json, "rejected", counts.rejected);
  json.close_object();

  open_section(json, "counts");
  add_integer(json, "accelerations", counts.accelerations);
  add_integer(json, "projection", counts.projection);
  add_number(json, "iterations_average", counts.iterations_average());
  add_integer(json, "iterations_max", counts.iterations_max);
  add_integer(json, "dg", counts.dg);
  add_integer(json, "d2g", counts.d2g);
  add_integer(json, "d3g", counts.d3g);
  add_integer(json, "df_inv", counts.df_inv);
  add_integer(json, "d2f_inv", counts.d2f_inv);
  add_integer(json, "evaluations_by_code", counts.evaluations_by_code);
  add_integer(json, "steps_by_code", counts.steps_by_code);
  add_integer(json, "evaluations_in_lanes", counts.evaluations_in_lanes);
  add_integer(json, "steps_in_lanes", counts.steps_in_lanes);
  add_integer(json, "event_attempts", counts.event_attempts);
  add_integer(json, "corners", counts.corners);
  visit_implicit_counts(counts.implicit, [&](const char* name, const std::int64_t& value) {
    add_integer(json, name, value);
  });
  add_number(json, "operations", counts.operations);
  json.close_object();
}

void add_quality(JsonWriter& json, const Results& results) {
  open_section(json, "cpu_seconds");
  add_number(json, "total", results.cpu_seconds.total);
  add_number(json, "stages", results.cpu_seconds.stages);
  add_number(json, "projection", results.cpu_seconds.projection);
  json.close_object();

  open_section(json, "violation");
  add_number(json, "position", results.violation.position);
  add_number(json, "velocity", results.violation.velocity);
  add_number(json, "euler_parameters", results.violation.euler_parameters);
  json.close_object();

  open_section(json, "energy");
  add_number(json, "kinetic", results.energy.kinetic);
  add_number(json, "potential", results.energy.potential);
  add_number(json, "external_work", results.energy.external_work);
  add_number(json, "balance_error", results.energy.balance_error);
  add_number(json, "balance_error_max", results.energy.balance_error_max);
  add_number(json, "kinetic_max", results.energy.kinetic_max);
  json.close_object();
}

// By name: how often, and the times of the first thousand.
void add_events(JsonWriter& json, const Results& results) {
  if (results.event_names.empty()) return;
  constexpr std::size_t most_times = 1000;
  open_section(json, "events");
  for (std::size_t k = 0; k < results.event_names.size(); ++k) {
    std::vector<double> times;
    for (const EventRecord& event : results.events) {
      if (event.event == static_cast<int>(k) && times.size() < most_times) times.push_back(event.t);
    }
    json.new_line();
    json.key(results.event_names[k]);
    json.open_object();
    add_integer(json, "count", results.event_counts.at(k));
    json.key("times");
    json.open_array();
    for (const double t : times) json.number(t);
    json.close_array();
    json.close_object();
  }
  json.close_object();
}

void add_final(JsonWriter& json, const Results& results) {
  open_section(json, "final");
  for (std::size_t i = 0; i < results.final.size(); ++i) {
    const BodyState& state = results.final[i];
    json.new_line();
    json.key(results.body_names.at(i));
    json.open_object();
    add_numbers(json, "position", state.position);
    add_numbers(json, "orientation", state.orientation);
    add_numbers(json, "velocity", state.velocity);
    add_numbers(json, "angular_velocity", state.angular_velocity);
    json.close_object();
  }
  json.close_object();
}

// Smallest and largest value of each coordinate and load, by the name of its channel.
void add_ranges(JsonWriter& json, const Results& results) {
  const RunExtremes extremes = calc_extremes(results);
  const auto add = [&](const std::vector<std::string>& names, const std::vector<std::string>& units,
                       const std::vector<Extremes>& columns) {
    for (std::size_t k = 0; k < std::min({names.size(), units.size(), columns.size()}); ++k) {
      json.new_line();
      json.key(names[k]);
      json.open_object();
      add_string(json, "unit", units[k]);
      add_number(json, "low", columns[k].low);
      add_number(json, "t_low", columns[k].t_low);
      add_number(json, "high", columns[k].high);
      add_number(json, "t_high", columns[k].t_high);
      json.close_object();
    }
  };
  open_section(json, "ranges");
  add(results.coordinate_names, results.coordinate_units, extremes.coordinate);
  add(results.load_names, results.load_units, extremes.load);
  add(results.element_names, results.element_units, extremes.element);
  json.close_object();
  open_section(json, "largest_reaction");
  const auto add_peak = [&](const char* key, const PeakReaction& peak) {
    if (peak.joint < 0) return;
    json.key(key);
    json.open_object();
    add_number(json, "value", peak.value);
    add_number(json, "t", peak.t);
    add_string(json, "joint", results.joint_names.at(static_cast<std::size_t>(peak.joint)));
    json.close_object();
  };
  add_peak("force", extremes.reaction_force);
  add_peak("moment", extremes.reaction_moment);
  json.close_object();
}

void add_line(JsonWriter& json, const char* key, const std::string& value) {
  json.new_line();
  add_string(json, key, value);
}

void add_warnings(JsonWriter& json, const std::vector<std::string>& warnings) {
  json.new_line();
  add_strings(json, "warnings", warnings);
}

}  // namespace

std::string to_json(const Results& results) {
  JsonWriter json;
  json.open_object();
  add_string(json, "status", to_word(results.status.outcome));
  add_number(json, "t", results.status.t);
  add_counts(json, results.counts);
  add_quality(json, results);
  add_events(json, results);
  add_final(json, results);

  // Beyond the contract: where it comes from, and what a reader should know about it.
  add_line(json, "message", results.status.message);
  if (!results.method_choice.empty()) add_line(json, "method_choice", results.method_choice);
  add_warnings(json, results.warnings);
  open_section(json, "worst_row");
  add_string(json, "position", results.violation.position_row);
  add_string(json, "velocity", results.violation.velocity_row);
  json.close_object();
  open_section(json, "conditioning");
  add_number(json, "smallest_pivot", results.conditioning.smallest_pivot);
  add_number(json, "t", results.conditioning.t);
  add_string(json, "row", results.conditioning.row);
  add_integer(json, "singular_passages", results.conditioning.passages);
  json.key("singular_times");
  json.open_array();
  for (const SingularPassage& passage : results.conditioning.singular) json.number(passage.t);
  json.close_array();
  json.close_object();
  open_section(json, "worst_projection");
  add_number(json, "t", results.worst_projection.t);
  add_number(json, "residual_in", results.worst_projection.residual_in);
  add_number(json, "residual_out", results.worst_projection.residual_out);
  add_integer(json, "iterations", results.worst_projection.iterations);
  add_string(json, "row", results.worst_projection.row);
  json.close_object();
  add_ranges(json, results);
  json.new_line();
  add_integer(json, "degrees_of_freedom", results.check.dof);
  add_integer(json, "redundant_rows", static_cast<int>(results.check.dependent.size()));
  open_section(json, "options");
  add_options(json, results.options);
  json.close_object();
  add_line(json, "model", results.model_name);
  add_line(json, "version", results.version);
  json.close_object();
  return json.text();
}

void write_json(const Results& results, const std::string& path) {
  write_file(path, to_json(results) + '\n');
}

}  // namespace trammel
