// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// CheckReport → JSON: what `trammel check --json` prints (docs/reference/results.md).
#include "format/json_fields.hpp"
#include "format/json_writer.hpp"
#include "trammel/trammel.hpp"

namespace trammel {
namespace {

void add_assembly(JsonWriter& json, const CheckReport& report) {
  const Assembly& assembly = report.assembly;
  open_section(json, "assembly");
  add_boolean(json, "converged", assembly.converged);
  add_integer(json, "iterations", assembly.iterations);
  add_number(json, "residual_before", assembly.residual_before);
  add_number(json, "residual_after", assembly.residual_after);
  add_string(json, "worst_row", assembly.worst_row);
  add_number(json, "velocity_residual_before", assembly.velocity_residual_before);
  add_number(json, "velocity_change", assembly.velocity_change);
  json.key("moved");
  json.open_object();
  for (std::size_t i = 0; i < assembly.moved_distance.size(); ++i) {
    json.key(report.body_names.at(i));
    json.open_object();
    add_number(json, "distance", assembly.moved_distance[i]);
    add_number(json, "angle", assembly.moved_angle.at(i));
    json.close_object();
  }
  json.close_object();
  json.close_object();
}

void add_dependent(JsonWriter& json, const std::vector<Dependency>& dependent) {
  json.new_line();
  json.key("dependent");
  json.open_object();
  for (const Dependency& dependency : dependent) {
    json.key(dependency.row);
    json.open_object();
    for (const Dependency::Term& term : dependency.on) {
      json.key(term.row);
      json.number(term.coefficient);
    }
    json.close_object();
  }
  json.close_object();
}

}  // namespace

std::string to_json(const CheckReport& report) {
  JsonWriter json;
  json.open_object();
  add_boolean(json, "ok", report.ok());
  json.new_line();
  add_strings(json, "reasons", report.reasons);
  json.new_line();
  add_strings(json, "warnings", report.warnings);
  json.new_line();
  add_string(json, "model", report.model_name);
  json.new_line();
  add_integer(json, "degrees_of_freedom", report.dof);
  add_integer(json, "bodies", report.bodies);
  add_integer(json, "joints", report.joints);
  add_integer(json, "components", report.components);
  add_integer(json, "rows", report.rows);
  add_integer(json, "rank", report.rank);
  add_integer(json, "drivers", report.drivers);
  add_integer(json, "rank_at_start", report.rank_at_start);
  add_assembly(json, report);
  add_dependent(json, report.dependent);
  open_section(json, "mismatch");
  for (const Dependency& dependency : report.dependent) {
    add_number(json, dependency.row.c_str(), dependency.mismatch);
  }
  json.close_object();
  json.new_line();
  add_strings(json, "shared_reactions", report.shared_rows);
  json.new_line();
  add_strings(json, "lost_at_start", report.lost_at_start);
  open_section(json, "smallest_pivot");
  add_number(json, "value", report.smallest_pivot);
  add_string(json, "row", report.smallest_pivot_row);
  json.close_object();
  json.close_object();
  return json.text();
}

}  // namespace trammel
