// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// A function of a model file: a number, an expression, or
//
//   {table: {file: cam.csv, columns: [angle, lift], scale: [1 deg, 1e-3],
//            ends: periodic, beyond: hold}}
//   {table: {points: [[0, 0], [1, 0.2], [2, 0]]}}
//
// What is wrong with a formula is found by the model's checks, which know its variables.
#include <filesystem>

#include "format/model_keys.hpp"
#include "format/read_sections.hpp"
#include "format/table_file.hpp"

namespace trammel {

const Keys table_keys = {{"file", "text", "a text file with columns, in the model's folder"},
                         {"points", "pairs", "[[x, y], …], x increasing"},
                         {"columns", "two_columns", "of x and y: numbers from 1, or names"},
                         {"scale", "two_numbers", "factors of x and y"},
                         {"ends", "not_a_knot|natural|clamped|periodic", "of the spline"},
                         {"slopes", "two_numbers", "at both ends, with ends: clamped"},
                         {"beyond", "refuse|hold|linear", "what holds outside the table"}};

namespace {

const std::vector<std::pair<std::string_view, TableEnds>> ends_words = {
    {"not_a_knot", TableEnds::not_a_knot},
    {"natural", TableEnds::natural},
    {"clamped", TableEnds::clamped},
    {"periodic", TableEnds::periodic}};

const std::vector<std::pair<std::string_view, TableBeyond>> beyond_words = {
    {"refuse", TableBeyond::refuse}, {"hold", TableBeyond::hold}, {"linear", TableBeyond::linear}};

Column read_column(Reader& reader, NodeId id) {
  const std::string text = reader.text(id);
  const bool is_number = !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
  if (!is_number) return text;
  const double number = reader.integer(id);
  if (number < 1 || number > 1e6) {
    reader.report(id, "column numbers start at 1, got " + reader.describe(id));
    return 1;
  }
  return static_cast<int>(number);
}

void read_points(Reader& reader, NodeId id, DataTable& table) {
  if (reader.tree()[id].kind != YamlNode::Kind::list) {
    reader.report(id, "must be a list of points [x, y], got " + reader.describe(id));
    return;
  }
  for (const NodeId point : reader.children(id)) {
    const auto [x, y] = reader.numbers<2>(point, "numbers, x and y");
    if (reader.is_reported_around(point)) return;
    if (!table.x.empty() && !(x > table.x.back())) {
      reader.report(point, "x must increase from point to point");
      return;
    }
    table.x.push_back(x);
    table.y.push_back(y);
  }
}

void read_file(Reader& reader, NodeId id, NodeId columns_id, DataTable& table) {
  const std::string name = reader.text(id);
  Column x = 1, y = 2;
  if (columns_id != no_node && reader.expect_list(columns_id, 2, "columns, x and y")) {
    const auto columns = reader.children(columns_id);
    x = read_column(reader, columns[0]);
    y = read_column(reader, columns[1]);
  }
  if (reader.is_reported_around(id) ||
      (columns_id != no_node && reader.is_reported_around(columns_id))) {
    return;
  }
  std::string path;
  try {
    path = find_table_file(std::filesystem::path(reader.file()).parent_path().string(),
                           reader.path_of(id, name), reader.allows_outside());
    TableColumns columns = read_table_file(path, x, y, max_table_bytes - reader.table_bytes);
    reader.table_bytes += columns.bytes;
    table.x = std::move(columns.x);
    table.y = std::move(columns.y);
  } catch (const TableFileError& error) {
    if (path.empty()) {
      reader.report(id, error.reason, error.hint);
    } else {
      reader.report_in_file(id, path, error.line, error.column, error.reason, error.hint);
    }
  }
}

void apply_scale(Reader& reader, NodeId id, DataTable& table) {
  const auto [x, y] = reader.numbers<2>(id, "numbers, the factors of x and y");
  if (!(x > 0.0) && !reader.is_reported_around(id)) {
    reader.report(id, "the factor of x must be greater than 0");
  }
  for (double& value : table.x) value *= x;
  for (double& value : table.y) value *= y;
}

std::shared_ptr<const DataTable> read_table(Reader& reader, NodeId id) {
  auto table = std::make_shared<DataTable>();
  if (!reader.expect_map(id)) return table;
  reader.check_keys(id, table_keys);
  if (reader.variables.explicit_lengths && reader.find(id, "scale") == no_node) {
    reader.report_key(id, "a table needs 'scale' in a file with a unit of length of its own",
                      "as in scale: [1 s, 1 mm]");
  }
  const NodeId file = reader.find(id, "file"), points = reader.find(id, "points");
  const NodeId columns = reader.find(id, "columns");
  if ((file == no_node) == (points == no_node)) {
    reader.report(id, "needs either 'file' or 'points'");
    return table;
  }
  if (points != no_node) {
    read_points(reader, points, *table);
    if (columns != no_node) reader.report_key(columns, "requires 'file'");
  } else {
    read_file(reader, file, columns, *table);
  }
  if (const NodeId scale = reader.find(id, "scale"); scale != no_node) {
    apply_scale(reader, scale, *table);
  }
  if (const NodeId ends = reader.find(id, "ends"); ends != no_node) {
    table->ends = reader.choice(ends, ends_words);
  }
  if (const NodeId beyond = reader.find(id, "beyond"); beyond != no_node) {
    table->beyond = reader.choice(beyond, beyond_words);
    if (table->ends == TableEnds::periodic) {
      reader.report_key(beyond, "a periodic table repeats: 'beyond' has no effect");
    }
  }
  if (const NodeId slopes = reader.find(id, "slopes"); slopes != no_node) {
    const auto [first, last] = reader.numbers<2>(slopes, "numbers, the slopes at both ends");
    table->first_slope = first;
    table->last_slope = last;
    if (table->ends != TableEnds::clamped) reader.report_key(slopes, "requires ends: clamped");
  }
  return table;
}

// In a repeated entry the table of one node is read once, unless its text changes with the index.
std::shared_ptr<const DataTable> find_or_read_table(Reader& reader, NodeId id) {
  if (!reader.is_repeated()) return read_table(reader, id);
  const NodeId file = reader.find(id, "file");
  const std::string key = std::to_string(id) + (file == no_node ? "" : ":" + reader.text(file));
  auto& known = reader.tables[key];
  if (!known) known = read_table(reader, id);
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
    reader.check_keys(id, {"table"});
    const NodeId table = reader.need(id, "table");
    if (table == no_node || reader.is_reported(id)) return 0.0;
    return find_or_read_table(reader, table);
  }
  if (node.kind != YamlNode::Kind::scalar) {
    reader.report(id, "must be a number, an expression or {table: …}, got " + reader.describe(id));
    return 0.0;
  }
  if (reader.find_plain_number(id)) return reader.number(id);
  return read_formula(reader, id);
}

}  // namespace trammel
