// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// A function of a model file: a number, an expression, or
//
//   {table: {points: [[0, 0], [1, 0.2], [2, 0]]}}           of the time or the coordinate
//   {table: pressure, of: main.angle}                       of any formula; of the section `tables`
//
// What is wrong with a formula is found by the model's checks, which know its variables.
#include "format/model_keys.hpp"
#include "format/read_sections.hpp"
#include "math/nearest_word.hpp"

namespace trammel {
namespace {

std::shared_ptr<const DataTable> find_table(Reader& reader, NodeId id) {
  const std::string name = reader.name(id);
  const auto found = reader.named_tables.find(name);
  if (reader.is_reported(id)) return {};
  if (found != reader.named_tables.end() && found->second) return found->second;
  if (found != reader.named_tables.end()) {
    reader.report(id, "'" + name + "' is a map of two variables",
                  "call it in a formula: " + name + "(x, y)");
    return {};
  }
  NearestWord nearest(name);
  for (const auto& [known, table] : reader.named_tables) nearest.offer(known);
  reader.report(id, "there is no table '" + name + "'", nearest.hint());
  return {};
}

// In a repeated entry the table of one node is read once, unless its text changes with the index.
std::shared_ptr<const DataTable> find_or_read_table(Reader& reader, NodeId id) {
  if (reader.tree()[id].kind == YamlNode::Kind::scalar) return find_table(reader, id);
  if (!reader.is_repeated()) return read_table(reader, id, {});
  const NodeId file = reader.find(id, "file");
  const std::string key = std::to_string(id) + (file == no_node ? "" : ":" + reader.text(file));
  auto& known = reader.tables[key];
  if (!known) known = read_table(reader, id, {});
  return known;
}

// A file that is included does not see the parameters of the model.
void report_outer_names(Reader& reader, NodeId id, const std::string& text) {
  if (reader.part_names.prefix.empty()) return;
  for (const auto& [view, offset] : list_names(text)) {
    const std::string name(view);
    if (reader.outer_parameters.contains(name) && reader.variables.find(name) < 0) {
      reader.report(id, "unknown name '" + name + "'",
                    "give it to the included file as a parameter");
    }
  }
}

// With the values of names in scope, and the texts of those that change in their place.
Formula read_formula(Reader& reader, NodeId id) {
  Formula formula;
  formula.text = reader.fill_in_formulas(reader.text(id, max_expression_length));
  formula.text = reader.resolve_formula(formula.text);
  if (formula.text.size() > max_expression_length) {
    reader.report(id, "is too long with the names of 'let' filled in");
    formula.text = "0";
  }
  reader.check_formula_unit(id, formula.text);
  if (reader.is_reported(id)) return {"0"};
  report_outer_names(reader, id, formula.text);
  const auto add = [&](const std::string& name) {
    const int slot = reader.variables.find(name);
    if (slot < 0) return;
    formula.constants.emplace_back(name, reader.values[static_cast<std::size_t>(slot)]);
  };
  for (const auto& [view, offset] : list_names(formula.text)) {
    const std::string name(view);
    add(name);
    for (const char* axis : {".x", ".y", ".z"}) add(name + axis);
  }
  return formula;
}

}  // namespace

Function read_function(Reader& reader, NodeId id) {
  const YamlNode& node = reader.tree()[id];
  if (node.kind == YamlNode::Kind::map) {
    reader.check_keys(id, std::vector<std::string_view>{"table", "of"});
    const NodeId table_id = reader.need(id, "table"), of = reader.find(id, "of");
    if (table_id == no_node || reader.is_reported(id)) return 0.0;
    auto table = find_or_read_table(reader, table_id);
    if (of == no_node || !table) return table ? Function(std::move(table)) : Function(0.0);
    Formula formula = read_formula(reader, of);
    formula.table = std::move(table);
    return formula;
  }
  if (node.kind != YamlNode::Kind::scalar) {
    reader.report(id, "must be a number, an expression or {table: …}, got " + reader.describe(id));
    return 0.0;
  }
  if (reader.find_plain_number(id)) return reader.number(id);
  return read_formula(reader, id);
}

}  // namespace trammel
